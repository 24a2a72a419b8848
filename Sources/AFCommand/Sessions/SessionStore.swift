/// A session file in its place.
struct SessionStore: Hashable, Sendable {
    let file: PrivateFile

    /// The session as it is now; `nil` where there is none yet.
    ///
    /// - Throws: ``FileProblem``, also for a file that is no session.
    func load() throws(FileProblem) -> SessionFile? {
        guard let content = try file.read() else { return nil }
        return try parse(content)
    }

    /// Changes the session as it is now, while no other process does.
    ///
    /// - Parameter change: What it throws leaves the file as it is.
    /// - Throws: ``FileProblem``, also for a file that is no session: that one is not overwritten.
    func change<Result>(_ change: (inout SessionFile) throws -> Result) throws -> Result {
        var result: Result?
        try file.change { content in
            let old = try parse(content)
            var session = old
            result = try change(&session)
            return session == old && content != nil ? nil : session.content
        }
        // `change` above has run, or something was thrown.
        return result!
    }

    private func parse(_ content: [UInt8]?) throws(FileProblem) -> SessionFile {
        do throws(JSONFileProblem) {
            return try SessionFile(content)
        } catch {
            throw FileProblem(
                path: file.path,
                reason: .other("it is no session file: \(error.reason)"),
                hint: "correct it or take it away; it was left as it is"
            )
        }
    }
}
