internal import AFCore
internal import Glibc

/// Where the body of a response goes, when it goes to a file.
struct DownloadPlan: Sendable {
    enum Target: Hashable, Sendable {
        case file(String)
        /// A folder, where the response or the URL gives the name.
        case folder(String)
        /// A device or a pipe, which is written to directly.
        case device(String)
    }

    let target: Target
    /// Whether the name of an existing file leads to another name.
    let keepsExisting: Bool
    let createsFolders: Bool
    let replacesLinks: Bool
    let resume: ResumeMode?

    /// `nil` where the body goes to standard output.
    ///
    /// - Throws: ``UsageError`` for options that contradict one another.
    init?(_ invocation: Invocation) throws(UsageError) {
        let typed = invocation.download
        if typed.resume != nil {
            guard typed.isDownload || (typed.output != nil && typed.output != "-") else {
                throw UsageError("needs a file to go on with", argument: "--resume", hint: "name it: --output FILE")
            }
            if invocation.request.range != nil {
                throw UsageError("cannot be combined with --range", argument: "--resume")
            }
            if typed.resume == .unsafe {
                throw UsageError("going on without proof is not offered yet", argument: "--resume=unsafe")
            }
        }
        resume = typed.resume
        createsFolders = typed.createsDirectories
        replacesLinks = typed.overwritesLinks
        guard let output = typed.output else {
            guard typed.isDownload else { return nil }
            target = .folder("")
            // A name that the server chose never replaces a file; going on with one is what --resume is for.
            keepsExisting = typed.resume == nil
            return
        }
        if output == "-" { return nil }
        keepsExisting = typed.keepsExisting
        if output.isEmpty { throw UsageError("expected the name of a file", argument: "--output") }
        target = Self.target(output)
    }

    private static func target(_ path: String) -> Target {
        if path.hasSuffix("/") { return .folder(path) }
        var status = stat()
        guard stat(path, &status) == 0 else { return .file(path) }
        switch status.st_mode & S_IFMT {
        case S_IFCHR, S_IFIFO, S_IFSOCK: return .device(path)
        default: return .file(path)
        }
    }
}
