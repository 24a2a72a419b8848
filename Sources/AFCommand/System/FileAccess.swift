/// The files that a plan may look at; tests bring their own.
struct FileAccess: Sendable {
    /// What can be known about a file without reading it.
    struct Description: Equatable, Sendable {
        enum Kind: Equatable, Sendable { case regular, pipe, other }

        let kind: Kind
        /// In bytes; `nil` unless the file is a regular one, and tells.
        var size: Int64?
        /// Whether more than its owner may read it.
        var isOpenToOthers = false
    }

    /// The complete contents.
    let read: @Sendable (_ path: String, _ limit: ReadLimit) throws(FileProblem) -> [UInt8]
    /// Fails where the file is missing, is a directory or may not be read.
    let describe: @Sendable (_ path: String) throws(FileProblem) -> Description
    /// What `~/` stands for.
    let homeDirectory: String?
    /// What bounds the waits of the run.
    var waits = WaitLimits()

    /// The path with the home directory in the place of a leading `~/`, which a shell leaves alone after `name@`.
    func expanding(_ path: String) -> String {
        guard let homeDirectory, path == "~" || path.hasPrefix("~/") else { return path }
        return homeDirectory + path.dropFirst()
    }
}
