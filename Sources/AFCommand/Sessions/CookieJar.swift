internal import AFHTTP

/// A cookie file in Netscape's format, as used by curl and most other tools.
struct CookieJar: Equatable, Sendable {
    let file: PrivateFile
    /// The cookies when the run was planned.
    let cookies: [HTTPCookie]

    /// Reads a file.
    ///
    /// - Throws: ``FileProblem``, also for a file in another format.
    init(path: String, waits: WaitLimits) throws(FileProblem) {
        guard !path.isEmpty else { throw FileProblem(path: path, reason: .other("the name is empty")) }
        file = PrivateFile(path: path, waits: waits)
        cookies = try Self.parse(file.read(), path).cookies
    }

    /// Applies the changes to the current contents of the file.
    func apply(_ changes: CookieChanges) throws {
        try file.change { content in
            var state = try Self.parse(content, file.path)
            let cookies = changes.applied(to: state.cookies)
            guard cookies != state.cookies || content == nil else { return nil }
            state.cookies = cookies
            return state.bytes
        }
    }

    private struct State {
        /// The comment lines at the top that describe the format.
        var comments: [String] = []
        var cookies: [HTTPCookie] = []

        var bytes: [UInt8] {
            let head = comments.isEmpty ? ["# Netscape HTTP Cookie File"] : comments
            let lines = head + [""] + cookies.compactMap(\.netscapeLine)
            return (lines.joined(separator: "\n") + "\n").octets
        }
    }

    private static func parse(_ content: [UInt8]?, _ path: String) throws(FileProblem) -> State {
        var state = State()
        for (number, bytes) in (content ?? []).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = String(octets: bytes.last == 0x0D ? bytes.dropLast() : bytes)
            if let cookie = HTTPCookie(netscapeLine: line) {
                state.cookies.append(cookie)
            } else if line.hasPrefix("#") {
                state.comments.append(line)
            } else if !line.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                throw FileProblem(
                    path: path,
                    reason: .content("is malformed: line \(number + 1) is not a cookie in Netscape's format"),
                    hint: "correct the file or choose another one; it was not changed"
                )
            }
        }
        return state
    }
}
