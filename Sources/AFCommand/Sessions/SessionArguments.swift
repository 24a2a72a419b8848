/// The options for sessions and cookies, as typed.
struct SessionArguments: Equatable, Sendable {
    var session: SessionChoice?
    var cookieJar: String?
    /// The file of hosts that require TLS.
    var hstsFile: String?
}

/// The session of a request.
struct SessionChoice: Equatable, Sendable {
    enum File: Equatable, Sendable {
        /// A file for each host, in the configuration directory.
        case name(String)
        case path(String)
    }

    let file: File
    let isReadOnly: Bool

    /// Parses a name or, if it contains a slash, a path.
    init(_ text: String, isReadOnly: Bool) throws(UsageError) {
        self.isReadOnly = isReadOnly
        guard !text.contains("/") else {
            file = .path(text)
            return
        }
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, !text.isEmpty, text.first != ".", text.utf8.count <= 200 else {
            throw UsageError(
                "expected a name of letters, digits, '_', '.' and '-', or a path, got '\(text)'",
                hint: "a path has a slash in it: ./session.json"
            )
        }
        file = .name(text)
    }
}

extension WrittenFiles {
    /// The file of a session with a path.
    fileprivate static let session = Self { argument, _ in argument.contains("/") ? [File(path: argument)] : [] }
}

extension Option<SessionArguments>.Effect {
    fileprivate static func session(isReadOnly: Bool) -> Self {
        Self(shape: .argument(name: "NAME|PATH", hint: .file), setting: \.session) { (text) throws(UsageError) in
            let choice = try SessionChoice(text ?? "", isReadOnly: isReadOnly)
            return { $0.session = choice }
        }
    }
}

extension SessionArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--session",
            summary: "Store and send headers, credentials and cookies",
            details: """
                A NAME refers to a separate file for each host, in the configuration directory. A PATH contains a \
                slash and refers to one file for all hosts. Values from the command line override stored ones; header \
                fields that start with `Content-` or `If-`, and `Idempotency-Key`, are not stored. Typed credentials, cookies and secret \
                header fields are sent to the origin (scheme, host and port) that they were given for, and to the same \
                host over TLS; `--trust-redirects` sends them to others, too. Cookies that a server sets apply to all \
                its ports, as in browsers. Missing directories of a PATH are created. The format is HTTPie's, whose \
                files can be used unchanged.

                The file contains the credentials in clear text, also those from `@FILE` or `env:NAME`, and the client \
                of an OAuth 2 token with its secret; only its owner can read it.
                """,
            excludes: ["--input"],
            repetition: .error,
            writes: .session,
            effect: .session(isReadOnly: false)
        )

        Option(
            "--session-read-only",
            summary: "Use a session, but never change an existing one",
            details: "A missing session is created. If --session is given, too, the last of the two applies.",
            excludes: ["--input"],
            repetition: .error,
            writes: .session,
            effect: .session(isReadOnly: true)
        )

        Option(
            "--cookie-jar",
            summary: "Read and store cookies in a Netscape cookie file",
            details: """
                The file is created if it does not exist. curl and most other tools use this format. Lines that are not \
                cookies stay as they are, with a warning.
                """,
            repetition: .error,
            writes: .argument,
            effect: .argument("FILE", hint: .file, sets: \.cookieJar)
        )

        Option(
            "--hsts",
            summary: "Read and store hosts that require TLS (HSTS)",
            details: """
                Hosts are added when they send `Strict-Transport-Security`; URLs with `http://` then use `https://` \
                for them. The format is curl's. Without `--hsts`, a session stores these hosts in its own file.
                """,
            isRare: true,
            repetition: .error,
            curl: [.same],
            writes: .argument,
            effect: .argument("FILE", hint: .file, sets: \.hstsFile)
        )
    }
}
