/// The text of the manual page besides the options. Backticks enclose literals.
enum ManualProse {
    typealias Entry = (name: String, meaning: String)

    static let description = [
        """
        Sends an HTTP request and shows or saves the response. On a terminal it shows the header and the body of the \
        response, formatted and colored; if standard output is not a terminal, it writes the unchanged body.
        """,
        """
        The method precedes the URL, in upper or lower case. The default is POST if there is a body, else GET. A URL \
        without a scheme uses `http`, `:3000/x` means `http://localhost:3000/x`, and `://example.org` is accepted.
        """,
    ]

    static let items = [
        """
        The arguments after the URL define header fields, query parameters and the body, in the given order. The first \
        of `:`, `;`, `=`, `==`, `:=` and `@` is the separator; a backslash escapes it. Brackets in a name create \
        nested JSON: `a[b][0]=x`.
        """,
        """
        `name=@file` uses the unchanged contents of a file, including a trailing newline; `name==@file` and \
        `Name:@file` remove trailing newlines.
        """,
        """
        `@base.json id:=2` sends the JSON of a file with changed members: the items set keys in it, and numbers keep \
        their notation. `[START:END]` after the name of a file that is sent selects bytes, with the units of BYTES: \
        `@disk.img[0:5M]`, `photo@cat.jpg[1k:]`. The end is excluded; an end after that of the file selects the rest. A \
        file whose name ends like this is sent completely.
        """,
        """
        In a multipart form, `name:=json` with an object, an array or null is a part of the type `application/json`.
        """,
    ]

    static let webSockets = [
        """
        A URL with `ws://` or `wss://` opens a WebSocket connection: `echo hello | afcli wss://example.org/chat`. Each \
        line of standard input is sent as a text message, and each message is written as a line when it arrives. \
        After the end of standard input, the connection is closed with the code 1000 when no message was sent or \
        received for one second (`--linger`), and messages are written until the server closes it. Without standard input (`--ignore-stdin`, or input from /dev/null), the connection stays \
        open until the server closes it.
        """,
        """
        `--filter` and `--expect-json` apply to each message, and the first one that does not meet the expectations \
        ends the run with 14. Messages that are not JSON are not filtered. Header fields, credentials (except \
        `digest`, `ntlm` and `negotiate`), cookies, redirects, proxies and TLS work as for other requests. While \
        the connection is open, `--timeout` does not apply; it limits the wait for the server after a Close frame. Messages above 16 MiB, or `--max-filesize`, end the run. The \
        exit status is 0 if the server closes the connection with 1000 or without a code, 13 for other codes, and 3, 4 \
        or 5 if it refuses the connection.
        """,
    ]

    static let standardInput = [
        """
        With GET, HEAD, OPTIONS, DELETE and TRACE, standard input is read only if an argument refers to it, such as \
        `@-`. With other methods it is the body. Without a method a redirected file, or a pipe with data, is the body \
        of a POST. If a pipe is open for two seconds without data, GET is sent; with a method such as POST, only a \
        message is shown.
        """,
        """
        Input of up to 1 MiB is sent with `Content-Length`, as many servers treat a body without it as empty. The \
        request waits for the end of the input: up to 0.5 seconds after the last byte, and 2 seconds in total. Longer \
        and slower input is sent in chunks as it arrives, as is all input with `--chunked`, which never waits.
        """,
        """
        A redirected file that another program has started to read is sent only for `@-`: in `while read` loops the \
        rest of the file is the loop's input. For a pipe this cannot be detected: use `--ignore-stdin` in a loop over \
        its lines. With `--output` or `--download` and without a method, a pipe with data is an error.
        """,
        """
        With a body on the command line, standard input is not read. A warning is shown if it has data that would \
        otherwise be the body.
        """,
    ]

    static let options = [
        """
        Options may stand anywhere before `--`. Long options can be abbreviated to an unambiguous prefix, and \
        short options can be combined. An argument is the next word, or follows `=` or the short option directly. If \
        options contradict each other, the last one takes effect; but `--quiet` hides the response at any position, \
        except for output that is requested by name. A \
        second body, output, filter or list is an error, as is a second report to the same file. `--no-OPTION` resets \
        an option, at any position.
        """,
        """
        SECONDS is a number of seconds, or a number with a unit: `200ms`, `1.5s`, `2m`, `1h`. BYTES is a number of \
        bytes, or a number with a unit, a power of 1024: `500k`, `10M`, `1.5G`, `1T`.
        """,
    ]

    static let configuration = [
        """
        The configuration file, by default `config.json` in the configuration directory, is a JSON object:
        """
    ]

    /// A configuration file with all members.
    static let exampleConfiguration = """
        {
          "default_options": ["--follow", "--timeout=20s"],
          "default_scheme": "https",
          "hosts": {
            "api.example.org": {
              "options": ["--auth-type=bearer", "--auth=env:TOKEN"],
              "headers": {"X-Version": "2"}
            },
            "*.test": {"options": ["--insecure"]},
            "gh": {"url": "https://api.github.com"}
          }
        }
        """

    static let configurationMembers = [
        """
        `default_options` is an array of options as on the command line. `default_scheme` is `http` or `https`. The \
        command line overrides environment variables, and these override `default_options`. `--debug` lists the options \
        that the file and variables set.
        """,
        """
        `hosts` has options and headers for requests to a host. A name may be `*.example.org`, which matches all hosts \
        below it, and may have a scheme and a port, which are compared with the typed URL. More specific names take \
        precedence, and `hosts` over `default_options`.
        """,
        """
        With a `url`, the name is an alias of letters, digits, `-` and `_`: with the file above, the URL `gh/user` is \
        `https://api.github.com/user`.
        """,
        """
        After a redirect, the credentials of a host are not sent to other origins, and its headers not to other hosts. \
        If a host has options for TLS, proxies or addresses, a redirect to another host fails with the exit status 6. \
        If the name has a scheme or port, so does a redirect to another origin. The settings for the target of a \
        redirect are not used.
        """,
        "`hosts` does not apply to curl commands.",
    ]

    static let variables: [Entry] = [
        (
            "AFCLI_CONFIG_DIR",
            "Directory of configuration and sessions, instead of `~/.config/afcli` or `afcli` in `XDG_CONFIG_HOME`."
        ),
        (
            "http_proxy , https_proxy , all_proxy , no_proxy",
            """
            Proxies for the schemes, and hosts that bypass them; lower case takes precedence. `HTTP_PROXY` is ignored \
            if `REQUEST_METHOD` is set, as in a CGI program.
            """
        ),
        (
            "SSL_CERT_FILE , CURL_CA_BUNDLE , SSL_CERT_DIR",
            """
            Trusted CA certificates, instead of the system's: `SSL_CERT_FILE`, or else `CURL_CA_BUNDLE`, is a file, \
            and `SSL_CERT_DIR` is a directory.
            """
        ),
        ("NETRC", "The netrc file, instead of `~/.netrc`."),
        (
            "AWS_ACCESS_KEY_ID , AWS_SECRET_ACCESS_KEY , AWS_SESSION_TOKEN , AWS_REGION , AWS_DEFAULT_REGION",
            "Credentials and region of `--auth-type aws-sigv4`, unless `--auth` or the host name has them."
        ),
        (
            "AWS_PROFILE , AWS_DEFAULT_PROFILE , AWS_SHARED_CREDENTIALS_FILE , AWS_CONFIG_FILE",
            """
            The profile for missing values, and the files of profiles, instead of `~/.aws/credentials` and \
            `~/.aws/config`.
            """
        ),
        (
            "PAGER , LESS",
            """
            The program that shows long responses on a terminal, by default `less`, and its options, by default \
            `FRX`. `--no-pager` disables it.
            """
        ),
        (
            "NO_COLOR , FORCE_COLOR , CLICOLOR_FORCE",
            """
            `NO_COLOR` disables colors; otherwise a nonempty `FORCE_COLOR` or `CLICOLOR_FORCE` forces them. --color \
            takes precedence.
            """
        ),
        ("TERM , COLUMNS", "The type of the terminal (`dumb` has neither colors nor bars) and its width."),
    ]

    static let files: [Entry] = [
        ("~/.config/afcli/config.json", "Default options and settings."),
        ("~/.config/afcli/sessions/HOST/NAME.json", "Named sessions."),
        ("~/.netrc", "Credentials of hosts; see `--netrc-file`."),
        ("~/.aws/credentials , ~/.aws/config", "Profiles of the AWS tools; see `--auth-type`."),
        (
            "FILE.part , FILE.part.json",
            """
            An incomplete download and its resume record, until it is complete. The record contains the URL \
            with its query, and the validator that `--resume` sends; only the owner can read both files.
            """
        ),
    ]

    static let statuses: [Entry] = [
        ("0", "Success. Includes a status of 304, except for a download without a condition."),
        ("1", "Any other error."),
        ("2", "A timeout."),
        ("3", "The response is a redirect (3xx except 304); --follow follows it."),
        ("4", "The response is a client error (4xx)."),
        (
            "5",
            """
            The response is a server error (5xx and above). --no-check-status exits with 0 instead of 3, 4 or 5; \
            --expect-status takes precedence.
            """
        ),
        (
            "6",
            """
            Too many redirects, or a redirect that was refused, such as from https to http; also a next page or an \
            upload resource at another origin.
            """
        ),
        ("10", "Could not resolve a host name."),
        ("11", "Could not connect to the host or the proxy."),
        ("12", "TLS failure: the handshake, the server's certificate, a rejected client certificate, or a pin."),
        ("13", "Transfer failure: truncated, reset, malformed, a limit exceeded, or not JSON for --filter."),
        (
            "14",
            "An expectation failed, such as --expect-status; --filter selected nothing; or a 304 instead of a file."
        ),
        ("15", "A checksum does not match."),
        ("16", "A local file or disk error; also a certificate or key that cannot be used."),
        ("64", "Usage error, or a feature that this libcurl lacks."),
        ("130 , 141 , 143", "Interrupted, closed output, or terminated."),
    ]

    /// The mode that runs curl commands.
    static let curlCommands = [
        """
        With the word `curl` first, a curl command runs unchanged: `afcli curl -sSL -H 'Accept: application/json' \
        https://example.org/people/1`. This mode supports most options of curl 8 for HTTP, `--next`, `{a,b}` and \
        `[1-9]` in URLs, `--config`, `--variable`, and `~/.curlrc` unless `-q` is the first option. Other options are \
        errors. Options that do not change the result, such as `--tcp-nodelay`, are ignored, some with a warning. With \
        `-` in place of the options, a pasted command is read from standard input, with line continuations, quotes and \
        environment variables.
        """,
        """
        The request is that of curl; the configuration file of afcli is not read. Nothing is sent with `--offline`, \
        which shows the requests, and with `--show-command`, which prints short commands of afcli with the same \
        method, URL, body and typed fields. `--show-command-long` prints all options, so that the request is the same but for the default User-Agent. \
        Secrets are printed only with `--show-secrets`. These options may be anywhere after `curl`. Hints name options \
        of afcli only if curl has none; `-s` hides notes, warnings and, without `-S`, the errors of transfers.
        """,
        """
        The transfers of a command share connections and TLS sessions, and with `-b` or `-c` also cookies. `-c` writes \
        all cookies after each transfer, and `-c -` prints them. As in curl, a cookie file that cannot be written is \
        no error, and an existing one is read only with `-b`. A cookie that a server has removed is not read again \
        from the file of `-b`. With `-Z`, up to 50 transfers run at the same time, without a progress meter.
        """,
        """
        Like curl, this mode ignores `HTTP_PROXY`, and with `--compressed` a body with an unknown content coding is an \
        error. Messages have curl's form: `curl: (7) ...` with the exit status, `Warning:` and `Note:`.
        """,
        "These differences from curl are intended:",
    ]

    static let curlExits = [
        """
        The exit status is curl's, for the last transfer, or with `-Z` for the last failure; 0 includes redirects that \
        are not followed and, without `-f` and `--fail-with-body`, all errors of the server:
        """
    ]

    /// curl's exit numbers.
    static let curlStatuses: [Entry] = [
        ("1", "The scheme is not http or https, or excluded by `--proto`; the response is not HTTP."),
        ("2", "A usage error, or an option that afcli lacks."),
        ("3", "The URL is invalid."),
        ("4", "This libcurl lacks a feature."),
        ("5 , 6", "The proxy's or the server's name cannot be resolved."),
        ("7", "The connection failed."),
        ("18", "The body is incomplete."),
        ("22", "The status is 400 or above, with `-f` or `--fail-with-body`."),
        ("23 , 26", "A file cannot be written, or read."),
        ("28", "A timeout."),
        ("33", "The server does not have the range of `-C`."),
        ("35", "The TLS handshake failed, or the limits on the version exclude each other."),
        ("45", "The local address, interface or port of `--interface` or `--local-port` cannot be used."),
        ("47", "`--max-redirs` is exceeded."),
        ("49", "A rule of `--resolve` or `--connect-to` is malformed."),
        ("52", "The connection was closed without a response."),
        ("55 , 56", "Sending or receiving failed."),
        ("58", "The client certificate cannot be used."),
        ("59", "OpenSSL does not support the list of `--ciphers`, `--tls13-ciphers` or `--curves`."),
        ("60 , 90", "The server's certificate is not trusted, or has another key than `--pinnedpubkey`."),
        ("61", "The content coding is unknown or malformed, or the transfer coding was not requested."),
        ("63", "The body is larger than `--max-filesize`."),
        ("65", "The request body must be sent again, and can be read only once."),
        ("67", "The URL has a user name, with `--disallow-username-in-url`."),
        ("77 , 82", "The file of `--cacert` or `--crlfile` cannot be read."),
        ("91 , 92", "The stapled OCSP response is missing or invalid; an HTTP/2 stream was reset."),
    ]

    static let curlOptions = [
        """
        Outside of this mode, `-H`, `-X`, `-F`, `-u`, `-L`, `-k` and `--cacert` are the same as in curl. Other options \
        of curl correspond to these:
        """
    ]

    /// curl's options and their equivalents.
    static let comingFromCurl: [Entry] = [
        ("-d DATA", "Items `name=value` send JSON, with `-f` a form; `--raw TEXT` sends any other body."),
        ("-o FILE , -O", "`-o FILE`, `-d`."),
        ("-C - -o FILE", "`--resume -o FILE`."),
        ("-i , -I", "`-p hb`, and `-h` with the method `head`; `-I` is --ignore-stdin here."),
        ("-s , -S", "Not needed: the progress is shown only for downloads to files and for large uploads."),
        ("-f", "The default: exit status 4 or 5."),
        ("-b , -c", "`--cookie-jar FILE`, `--session NAME` or an item `Cookie:name=value`."),
        ("-G -d name=value", "A query item: `name==value`."),
        ("-x PROXY", "`--proxy PROXY`."),
        ("-m SECONDS", "`--max-time SECONDS`."),
        ("--compressed", "The default; `--no-decode` keeps a body as received, as curl does without it."),
    ]

    static let requestFiles = [
        """
        The first word `run` runs Hurl files: requests with their expected responses, captures and asserts. A folder \
        means all its `.hurl`, `.http` and `.rest` files, and `-` is standard input. `--test` prints a line for each \
        file and a summary, `--check` sends nothing, `--show` prints commands of afcli, `--variable NAME=VALUE` and \
        `--secret NAME=VALUE` define variables, and \
        `--report-junit FILE` and `--report-tap FILE` write reports. `run --help` and afcli-run(1) list the options.
        """,
        """
        Files that end in `.http` or `.rest` have the syntax of editors: requests between lines of `###`, variables \
        `@name = value`, and `{{login.response.body.$.token}}` for a value of an earlier response. `--env NAME` selects \
        an environment of `http-client.env.json`. Scripts are not run.
        """,
        """
        The exit status is Hurl's: 1 for an invalid option, 2 for a file that cannot be read or parsed, 3 for an \
        error, 4 for failed asserts. It is 5 if a part of a `.http` file has no effect, such as a script.
        """,
    ]

    static let diagnostics = [
        """
        Messages are written to standard error: `afcli: error:` and the problem, with a hint on a second line if there \
        is one. `afcli: warning:` marks a problem that does not end the run. `afcli: the server responded with` a status \
        explains the exit status. Other messages are notes. -q hides notes, and -qq also warnings and that status. --debug shows internal \
        events.
        """
    ]
}
