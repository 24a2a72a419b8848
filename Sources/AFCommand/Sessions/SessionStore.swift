/// A session file at its path.
struct SessionStore: Hashable, Sendable {
    let file: PrivateFile

    /// Reads the session's current contents; `nil` if the file does not exist.
    ///
    /// - Throws: ``FileProblem``, also for a file that is not a session.
    func load() throws(FileProblem) -> SessionFile? {
        guard let content = try file.read() else { return nil }
        return try parse(content)
    }

    /// Changes the session's current contents, under a lock.
    ///
    /// - Parameter change: If it throws, the file is unchanged.
    /// - Throws: ``FileProblem``, also for a file that is not a session, which is not overwritten.
    func change(_ change: (inout SessionFile) throws -> Void) throws {
        try file.change { content in
            let old = try parse(content)
            var session = old
            try change(&session)
            return session == old && content != nil ? nil : session.content
        }
    }

    private func parse(_ content: [UInt8]?) throws(FileProblem) -> SessionFile {
        do throws(JSONFileProblem) {
            return try SessionFile(content)
        } catch {
            throw FileProblem(
                path: file.path,
                reason: .content("is not a session file: \(error.reason)"),
                hint: "correct or remove it; it was not changed"
            )
        }
    }
}
