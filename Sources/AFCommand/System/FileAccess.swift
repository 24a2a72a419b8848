internal import AFHTTP

/// The access to files for a plan; tests provide their own.
struct FileAccess: Sendable {
    /// The properties of a file that are known without reading it.
    struct Description: Equatable, Sendable {
        enum Kind: Equatable, Sendable { case regular, pipe, other }

        let kind: Kind
        /// The size in bytes; `nil` unless the file is regular and reports it.
        var size: Int64?
        /// Whether other users may read it.
        var isOpenToOthers = false
    }

    /// Reads the complete contents.
    let read: @Sendable (_ path: String, _ limit: ReadLimit) throws(FileProblem) -> [UInt8]
    /// Returns the properties; fails for a missing file, a directory or an unreadable file.
    let describe: @Sendable (_ path: String) throws(FileProblem) -> Description
    /// The replacement of `~/`.
    let homeDirectory: String?
    /// Whether `~/` is replaced; not in commands of curl, whose paths a shell has expanded.
    var expandsHome = true
    /// The limits on waits.
    var waits = WaitLimits()
    /// Called with the path of each file before it is used: blocks while another transfer of the command will replace it.
    private(set) var willUse: @Sendable (_ path: String) -> Void = { _ in }

    /// Reads the complete contents as text.
    ///
    /// - Throws: ``FileProblem``, also if the contents are not UTF-8, nor UTF-16 with a byte order mark.
    func text(_ path: String, _ limit: ReadLimit) throws(FileProblem) -> String {
        guard let text = String(validating: try read(path, limit).withoutByteOrderMark, as: UTF8.self) else {
            throw FileProblem(path: path, reason: .isNotUTF8)
        }
        return text
    }

    /// Returns an access that calls a closure before each use of a file.
    func notifying(_ willUse: @escaping @Sendable (_ path: String) -> Void) -> FileAccess {
        var access = FileAccess(
            read: { [read] (path, limit) throws(FileProblem) in
                willUse(path)
                return try read(path, limit)
            },
            describe: { [describe] (path) throws(FileProblem) in
                willUse(path)
                return try describe(path)
            },
            homeDirectory: homeDirectory,
            expandsHome: expandsHome,
            waits: waits
        )
        access.willUse = willUse
        return access
    }

    /// Replaces a leading `~/`, which shells do not expand after `name@`.
    func expanding(_ path: String) -> String {
        guard expandsHome, let homeDirectory, path == "~" || path.hasPrefix("~/") else { return path }
        return homeDirectory + path.dropFirst()
    }
}
