/// A difference of curl commands from curl itself, on purpose.
package struct CurlDifference: Equatable, Sendable {
    /// The short name, unique.
    package let subject: String
    /// The behavior here, and its reason.
    package let text: String
    /// The names of curl's options that it concerns.
    package let options: [String]

    private init(_ subject: String, _ options: String = "", _ text: String) {
        (self.subject, self.text) = (subject, text)
        self.options = options.split(separator: " ").map(String.init)
    }

    /// Returns the difference with this subject; `nil` if the subject is unknown.
    package static func about(_ subject: String) -> CurlDifference? { all.first { $0.subject == subject } }

    /// All differences, in the order of the manual.
    package static let all = redirects + security + requests + files + output

    private static let redirects = [
        CurlDifference(
            "credentials after redirects", "location",
            """
            Credentials, typed cookies and header fields with secrets, such as `X-Auth-Token`, are sent to another \
            scheme, host or port only with `--location-trusted`, and those in the URL of a redirect are not sent. Another \
            server must not learn them. A netrc file is read for the typed host only.
            """),
        CurlDifference(
            "redirects to http", "",
            "Redirects from https to http are not followed: others could read the request."),
        CurlDifference(
            "other schemes", "",
            "Only URLs of http and https are sent and followed; others end with 1."),
        CurlDifference(
            "methods after redirects", "request",
            """
            Redirects change the method of `-X` like the default one: POST becomes GET after 301, 302 and 303, and \
            another method keeps its body after 301 and 302 (RFC 9110, section 15.4). The response to `-X HEAD` has no \
            body, and a request with a body cannot have this method.
            """),
    ]

    private static let security = [
        CurlDifference(
            "TLS versions", "tlsv1 tlsv1.0 tlsv1.1",
            "TLS 1.2 is the minimum, as earlier versions are deprecated (RFC 8996), unless `--tls-max` is lower."),
        CurlDifference(
            "other logins", "netrc netrc-file netrc-optional",
            "A password of a netrc file is sent for its own login only, and not for another user in the URL."),
        CurlDifference("certificate types", "cert-type key-type", "Certificates and keys are PEM files."),
        CurlDifference(
            "hosts", "",
            """
            A host with a numeric last label that is no address, a second `@` before the path, and a scheme with one \
            slash, or with three, are errors: programs disagree about their host. The name of a host is in lower case.
            """),
        CurlDifference(
            "typed lengths", "header",
            """
            A `Content-Length` that is not the length of the body is an error (RFC 9112, section 6.3): a proxy would take \
            the rest for another request.
            """),
        CurlDifference(
            "contradictory lengths", "",
            """
            A response with different values of `Content-Length`, or with one that is no number or too large, is an error \
            (8): a proxy may take the rest of the body for another response (RFC 9112, section 6.3), and a file that is cut \
            would look complete. A file is not saved if its length differs from `Content-Length` beside chunks. Another \
            transfer coding than one `chunked`, also a second `chunked`, is an error (61): the end of the body is ambiguous.
            """),
        CurlDifference(
            "incomplete headers", "",
            "A response that ends inside of its header is an error (56): it may lack fields about its body."),
        CurlDifference(
            "status lines", "",
            """
            A status line that does not have the form of RFC 9112, section 4, such as `HTTP/1.1 200OK`, is an error (8), \
            and one that begins with `http` is no header (1): programs disagree about the rest of the response.
            """),
        CurlDifference(
            "unrequested 101", "",
            "A 101 without a typed `Upgrade` is an error (52): the bytes after it are of an unknown protocol."),
        CurlDifference(
            "redirects with a body", "location",
            "A redirect is followed also if its body is invalid, or longer than `--max-filesize`: nothing uses it."),
        CurlDifference(
            "invalid fields", "header",
            """
            A header field or a method that is no token is an error (RFC 9110, section 5.1), and so is a control character \
            in a value, a user or a password, such as the carriage return of a file from Windows.
            """),
        CurlDifference(
            "ranges", "range",
            """
            A 206 that is not the requested range, as far as the file has it, or has no valid `Content-Range`, is an error \
            (33), and so is a 206 that is saved although no range was requested: the file would lack bytes.
            """),
        CurlDifference(
            "passwords in output", "write-out", "`%{url}` and `%{url_effective}` have no user name and password."),
        CurlDifference(
            "invalid rules", "resolve connect-to",
            "A rule of `--resolve` or `--connect-to` in another form is an error (49)."),
        CurlDifference(
            "signatures", "aws-sigv4",
            "Only the provider `aws:amz` is supported, and a request without a key is an error: it has no signature."),
        CurlDifference(
            "empty user names", "",
            "`http://@HOST/` has no `Authorization`: it names no user."),
        CurlDifference(
            "DNS over HTTPS", "doh-url",
            "The URL of `--doh-url` must begin with `https`: anyone could change responses."),
    ]

    private static let requests = [
        CurlDifference(
            "percent-encoding", "path-as-is",
            """
            Characters that RFC 3986 excludes from a URL are percent-encoded, with capital letters, and encoded dots are \
            those of a path. `--path-as-is` does not concern redirects: their dots are removed.
            """),
        CurlDifference(
            "type of no form", "",
            "The request that obtains a challenge of NTLM for `-F` has the `Content-Type` of the form, and no body."),
        CurlDifference(
            "repeated requests", "",
            """
            If the server closes a reused connection without a response, a request is sent again only if its method is \
            idempotent: another one may have been processed. It ends with 52.
            """),
        CurlDifference(
            "typed boundaries", "form",
            """
            A typed `Content-Type` with a `boundary` has no second one, and its boundary separates the parts: a server \
            would find none.
            """),
        CurlDifference(
            "length of forms", "form",
            "A form with an encoded part has a `Content-Length`, and is not chunked: many servers reject chunks."),
        CurlDifference(
            "forms without a type", "form",
            "`-F` with `-H 'Content-Type:'` has no such field, as typed, and its parts are those of a form."),
        CurlDifference(
            "number of URLs", "",
            "A URL with sets or ranges expands to 100,000 URLs at most, as all are in memory; more are an error (3)."),
        CurlDifference("query of data", "url-query", "`--url-query` has an effect also with `--get`."),
        CurlDifference(
            "netrc files", "netrc netrc-optional",
            """
            `--netrc` reads the file of the variable `NETRC`, if it is set: many programs do. A file with another word \
            than keywords and their values is an error (26): it may be a misspelled `password`.
            """),
        CurlDifference(
            "Authorization beside challenges", "header",
            """
            `-H 'Authorization: …'` is not sent beside `-u` with `--digest`, `--ntlm`, `--negotiate` or `--anyauth`: a \
            server could use either field.
            """),
        CurlDifference(
            "fields of proxies", "header",
            "`-H 'Proxy-Authorization: …'` is sent to the proxy only, and `-H` concerns the fields of CONNECT, too."),
        CurlDifference(
            "challenges of proxies", "proxy-digest proxy-anyauth",
            "After a redirect, a proxy with Digest receives credentials only after another challenge: none is stored."),
        CurlDifference(
            "Content-Length: 0", "",
            "A POST, PUT or PATCH without a body has `Content-Length: 0` (RFC 9110, section 8.6)."),
        CurlDifference(
            "Expect", "",
            "`Expect: 100-continue` is sent only for bodies above 1 MiB, as in curl 8, and waits for one second."),
        CurlDifference(
            "missing files", "",
            """
            A missing file of `-d`, `-F`, `-T`, `--netrc-file`, or of an option with certificates or keys, or a file of \
            `-o` that cannot be written, is an error before the request: its result could not be used.
            """),
        CurlDifference(
            "order of cookies", "cookie",
            """
            Cookies of a path are in the order of their creation (RFC 6265, section 5.4); those of a file, which has no \
            times, are in its order.
            """),
        CurlDifference(
            "one Cookie field", "cookie",
            "The field of `-H 'Cookie: …'` and stored cookies are one field (RFC 6265, section 5.4)."),
        CurlDifference(
            "limits of cookies", "cookie",
            """
            All cookies are sent, also more than 150, or more than 8 KiB of them: a request without some of them has \
            another meaning. Their attributes are read, and their paths match, as in RFC 6265, sections 5.1.4 and 5.2.
            """),
        CurlDifference(
            "removed cookies", "cookie",
            "A cookie that a server has removed is not read again from the file of `-b`."),
        CurlDifference(
            "cookies of headers", "cookie",
            "The cookies of a file with headers are for the host of the URL, and `-c` stores them."),
        CurlDifference(
            "timeouts", "speed-limit speed-time connect-timeout",
            """
            A transfer ends after 60 seconds without data, and after 30 seconds without a connection, unless `-y` or \
            `--connect-timeout` is given: a script must not wait for ever. `-Y` does not measure the speed.
            """),
        CurlDifference(
            "connections of errors", "fail",
            "With `-f`, the connection of an error is used for the next URL: its body is read to the end."),
        CurlDifference(
            "rate of requests", "expect100-timeout", "The wait for `100 Continue` is one second."),
    ]

    private static let files = [
        CurlDifference(
            "complete files", "output remote-name dump-header include remove-on-error",
            """
            A file under its final name is complete, also with `-i`, `-D`, `-C OFFSET` and `--remove-on-error`: after \
            a failure, an existing file is unchanged. Without `--remove-on-error`, the received bytes are in \
            `FILE.part`, unless that is a file of another program. The new file replaces the old one, whose other hard \
            links keep the old contents. A file that cannot be replaced is written in place: its directory is read-only, \
            or it is a mount point.
            """),
        CurlDifference(
            "complete codings", "compressed", "A coded body that ends before its last byte is an error (18)."),
        CurlDifference(
            "links of others", "", "Symbolic links of other users are not followed: they may have been planted."),
        CurlDifference(
            "files of descriptors", "", "`/dev/stdout` and `/dev/fd/N` do not truncate the file of the descriptor."),
        CurlDifference(
            "continued files", "continue-at",
            """
            `-C -` downloads the last 64 KiB of a file that another program started again and compares them, and \
            never downloads that file again: it may be another version. It cannot be combined with `-i` and `-I`, and \
            is an error beside a `FILE.part` of another program. With `-f`, a 416 is an error (22), also without \
            `Content-Range`.
            """),
        CurlDifference(
            "names from servers", "remote-header-name",
            """
            A name from the server has no dot, hyphen or tilde at its start: its file would be hidden, or its name an \
            option or a home directory. It has no dot at its end, and no `:*?<>` or vertical bar, which names in other systems \
            cannot have. It is read as in RFC 6266, also from `filename*`, without control characters, and as ISO 8859-1 if it is not \
            UTF-8.
            """),
        CurlDifference(
            "bytes of names", "",
            """
            The names of files on the command line are UTF-8. Other bytes in the path of a URL are percent-encoded in the \
            name of its file, too.
            """),
        CurlDifference(
            "cookie jars", "cookie-jar", "Only its owner can read a cookie jar, as it has the keys of sessions."),
        CurlDifference(
            "files of values", "write-out",
            "`%output{}` with the file of another option that writes is an error (2): it would replace that file."),
        CurlDifference("saved tags", "etag-save", "`--etag-save` keeps the tag if a 304 has none."),
        CurlDifference(
            "HSTS files", "hsts",
            """
            The file is written if there are hosts in it; an empty name has no effect. A line in another form is an error \
            (26), as the file would be replaced. With `-k`, no host is added (RFC 6797, section 8.1).
            """),
    ]

    private static let output = [
        CurlDifference(
            "retried responses", "retry",
            """
            The body of a response that is retried is not shown: it would precede the result. So a transfer that fails \
            after its body was shown is not repeated. A request that has read its body from a pipe is not repeated, \
            either: its body would be empty.
            """),
        CurlDifference(
            "refused codings", "write-out",
            "After a response with a coding that is an error, the counts of `-w` are those until the refusal."),
        CurlDifference(
            "headers twice", "include head",
            "With `-i` or `-I`, `-D -` does not write the headers to standard output a second time."),
        CurlDifference(
            "ignored conditions", "time-cond",
            "A response that ignores the condition of `-z` is shown: the server decides."),
        CurlDifference(
            "help", "help manual",
            "`-h` explains this command, and `--help all` lists the options that it knows; `--manual` is `man afcli`."),
        CurlDifference("terminals", "", "A body is formatted on a terminal, and control characters are escaped."),
        CurlDifference(
            "messages", "", "Errors have other sentences after curl's exit number, and a hint on a second line."),
    ]
}
