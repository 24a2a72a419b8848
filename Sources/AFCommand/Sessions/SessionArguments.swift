/// The options for sessions and cookies, as typed.
struct SessionArguments: OptionValues {
    var session: SessionChoice?
    var cookieJar: String?
}

/// The session of a request.
struct SessionChoice: Equatable, Sendable {
    enum Place: Equatable, Sendable {
        /// A file for each host, in the configuration directory.
        case name(String)
        case path(String)
    }

    let place: Place
    let isReadOnly: Bool

    /// Parses a name or, if it contains a slash, a path.
    init(_ text: String, isReadOnly: Bool) throws(UsageError) {
        self.isReadOnly = isReadOnly
        guard !text.contains("/") else {
            place = .path(text)
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
        guard isName, !text.isEmpty, text.utf8.count <= 200 else {
            throw UsageError(
                "expected a name of letters, digits, '_', '.' and '-', or a path, got '\(text)'",
                hint: "a path has a slash in it: ./session.json"
            )
        }
        place = .name(text)
    }
}

extension Option<SessionArguments>.Effect {
    fileprivate static func session(isReadOnly: Bool) -> Self {
        Self(shape: .argument(name: "NAME|PATH", hint: .file), resetting: \.session) {
            (values, text) throws(UsageError) in
            values.session = try SessionChoice(text ?? "", isReadOnly: isReadOnly)
        }
    }
}

extension SessionArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--session",
            summary: "Keep headers, login and cookies for later requests",
            details: """
                A name stands for a file of its own for every host, in the configuration folder; with a slash it is \
                the path of one file for all hosts. What is typed takes the place of what is kept; headers that begin \
                with `Content-` or `If-` are not kept. A typed login, cookie or secret header goes to the scheme, host \
                and port that it was typed for, and to the same host over TLS; `--trust-redirects` sends it to others, \
                too. The layout is HTTPie's, and its files are taken as they are.
                """,
            effect: .session(isReadOnly: false)
        )

        Option(
            "--session-read-only",
            summary: "Use a session and leave it as it is",
            details: "One that is not there yet is made.",
            effect: .session(isReadOnly: true)
        )

        Option(
            "--cookie-jar",
            summary: "Take cookies from a Netscape cookie file, and keep them",
            details: "The file need not be there. curl and most other tools read and write this format.",
            effect: .argument("FILE", hint: .file, sets: \.cookieJar)
        )
    }
}
