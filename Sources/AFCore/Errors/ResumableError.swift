public import FoundationEssentials

/// An error that knows how to go on with the download it ended.
public protocol ResumableError: Error {
    /// What `Session.download(resumingWith:)` takes; `nil` when nothing can be resumed.
    var resumeData: Data? { get }
}
