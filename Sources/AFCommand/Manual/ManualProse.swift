/// The text of the manual page besides the options. Backticks enclose literals.
enum ManualProse {
    typealias Entry = (name: String, meaning: String)

    static let description = [
        """
        Sends an HTTP request, and shows the response or saves it. On a terminal that is the head and the body of the \
        response, formatted and coloured; elsewhere the body alone, byte for byte.
        """,
        """
        The method stands before the URL, in any case; without one it is POST where there is a body, else GET. A URL \
        without a scheme is one of `http`, `:3000/x` means `http://localhost:3000/x`, and a pasted `://example.org` \
        works.
        """,
    ]

    static let items = [
        """
        Words after the URL are the header lines, the query and the body of the request, in their order. What stands \
        first of `:`, `;`, `=`, `==`, `:=` and `@` decides; a backslash makes one of them an ordinary character. \
        Brackets in a name nest: `a[b][0]=x`.
        """,
        """
        `name=@file` takes a file as it is, with the line end at its end; `name==@file` and `Name:@file` leave line ends at \
        the end out.
        """,
    ]

    static let standardInput = [
        """
        With GET, HEAD, OPTIONS, DELETE or TRACE it is read only where `@-` asks for it; with another method it is \
        the body, to its end. Without a method a redirected file or a pipe that delivers is the body of a POST. A pipe \
        that neither delivers nor ends within five seconds is an error.
        """,
        """
        Input that ends within 1 MiB is sent with its length, as many servers take a body without one for an empty body: \
        the request waits for the end for at most 0.5 seconds after the last byte and 2 seconds in all. Longer and slower \
        input is sent in chunks, as it comes; so is all input with `--chunked`, which never waits.
        """,
        """
        In a loop over the lines of a redirected file, the rest of the list belongs to the loop: a file that another program \
        has started to read is sent only where `@-` asks for it. For a pipe this cannot be detected: in a loop over the lines of a \
        pipe, write `--ignore-stdin`. With `--output` or `--download` and without a method, a pipe that holds data is an \
        error.
        """,
        """
        A body from the command line leaves standard input alone, so that loops over lines work; a warning tells where it \
        holds data that would else have been the body.
        """,
    ]

    static let options = [
        """
        Options may stand anywhere before a word `--`. Long ones may be shortened while that is unambiguous, letters \
        may be joined, and an argument may follow as a word of its own, after `=`, or right after its letter. The \
        last of contradicting options wins. `--no-OPTION` undoes an option wherever it stands.
        """
    ]

    static let variables: [Entry] = [
        (
            "AFCLI_CONFIG_DIR",
            "Where the configuration and the sessions are, in place of `~/.config/afcli` or what `XDG_CONFIG_HOME` says."
        ),
        (
            "http_proxy , https_proxy , all_proxy , no_proxy",
            """
            Proxies for the schemes, and the hosts that need none; the lower case wins over the upper. `HTTP_PROXY` is \
            ignored where `REQUEST_METHOD` is set, as in a CGI program.
            """
        ),
        (
            "SSL_CERT_FILE , CURL_CA_BUNDLE , SSL_CERT_DIR",
            "Authorities to trust instead of the system's. The first two name a file, and the first wins; the third a directory."
        ),
        ("NETRC", "The file with logins, in place of `~/.netrc`."),
        (
            "AWS_ACCESS_KEY_ID , AWS_SECRET_ACCESS_KEY , AWS_SESSION_TOKEN , AWS_REGION , AWS_DEFAULT_REGION",
            "What `--auth-type aws-sigv4` signs with, as far as `--auth` and the host do not say."
        ),
        (
            "AWS_PROFILE , AWS_SHARED_CREDENTIALS_FILE , AWS_CONFIG_FILE",
            """
            The profile that it takes what is missing from, and the files that profiles are in, in place of \
            `~/.aws/credentials` and `~/.aws/config`.
            """
        ),
        (
            "NO_COLOR , FORCE_COLOR , CLICOLOR_FORCE",
            "Forbid and demand colours, in this order, unless --color decides."
        ),
        ("TERM , COLUMNS", "The kind of terminal (`dumb` has no colours and no bars) and its width."),
    ]

    static let files: [Entry] = [
        ("~/.config/afcli/config.json", "Options that stand before those of the command line."),
        ("~/.config/afcli/sessions/HOST/NAME.json", "Named sessions."),
        ("~/.netrc", "Logins for hosts, asked where nothing else says how to log in; see `--netrc-file`."),
        ("~/.aws/credentials , ~/.aws/config", "Profiles of Amazon's tools; see `--auth-type`."),
        (
            "FILE.part , FILE.part.json",
            "An unfinished download and what it belongs to, until it is finished or goes on with --resume."
        ),
    ]

    static let statuses: [Entry] = [
        ("0", "Success. So is a status of 304, except to a download whose request has no condition."),
        ("1", "An error that is none of the others."),
        ("2", "Something took too long."),
        (
            "3 , 4 , 5",
            """
            The final status is 3xx but not 304 and was not followed, 4xx, or 5xx and more; --no-check-status makes it 0, \
            and --expect-status decides in its place.
            """
        ),
        ("6", "Too many redirects, or one that was refused."),
        ("10", "A name has no address."),
        ("11", "No connection to the host or the proxy."),
        ("12", "No secure connection: TLS, a certificate, or a pin."),
        ("13", "The exchange broke: truncated, reset, malformed, or over a limit."),
        ("14", "The response is not what --expect-status and its like expected, or a 304 instead of a file."),
        ("15", "The checksum of a file is another one."),
        ("16", "A file or the disk, on this side."),
        ("64", "The command line makes no sense, or asks for what this libcurl lacks."),
        ("130 , 141 , 143", "Interrupted, output closed, or terminated."),
    ]

    static let diagnostics = [
        """
        Every message goes to standard error: `afcli: error:` and what happened, and in a second line what to do about \
        it where something is known. --debug shows what happens inside.
        """
    ]
}
