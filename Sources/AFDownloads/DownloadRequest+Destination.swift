internal import AFHTTP
internal import AFRequests
public import FoundationEssentials
internal import Synchronization

/// Destinations of downloads.
extension DownloadRequest {
    /// Returns the default destination of the request with this ``Request/id``, which is also the argument of a
    /// `Destination`.
    public static func temporaryURL(for id: UUID) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "afcli-\(id.uuidString)")
    }

    /// Returns a destination in one of the system's directories, named by the response
    /// (`HTTPURLResponse.suggestedFilename`); the temporary file if there is no such directory.
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask,
        options: Options = []
    ) -> Destination {
        { temporaryURL, response in
            let found = FileManager.default.urls(for: directory, in: domain).first
            guard let found else { return (temporaryURL, options) }
            return suggestedDownloadDestination(in: found, options: options)(temporaryURL, response)
        }
    }

    /// Returns a destination in a directory, named by the response (`HTTPURLResponse.suggestedFilename`), else like the
    /// temporary file.
    public static func suggestedDownloadDestination(in directory: URL, options: Options = []) -> Destination {
        { temporaryURL, response in
            (directory.appending(path: response.suggestedFilename ?? temporaryURL.lastPathComponent), options)
        }
    }

    /// Whether the complete file is at its destination.
    package var hasSavedFile: Bool { downloadState.withLock { $0.file.path != nil } }

    /// Sets a closure that returns the path of another destination if the chosen one is in use: a file has appeared
    /// there, or another download writes to it. Without a closure, or if it returns `nil`, such a download fails.
    package func avoidConflicts(by otherDestination: @escaping @Sendable () -> String?) {
        downloadState.withLock { $0.otherDestination = otherDestination }
    }

    /// Discards the received bytes if the download fails.
    package func discardsPartialFile() { downloadState.withLock { $0.keepsPartialFile = false } }

    /// Sets a closure that is called when all bytes are received and accepted; what follows waits for the disk.
    ///
    /// Called once, on the queue for operations that wait for the disk; not if the request fails before.
    package func onReceived(_ handler: @escaping @Sendable () -> Void) {
        downloadState.withLock { $0.receivedHandler = handler }
    }

    /// Calls a closure with the path of a destination and repeats it with others while they are in use.
    func withFreeDestination<Result>(
        _ destination: String,
        _ body: (String) throws(DownloadFailure) -> Result
    ) throws(DownloadFailure) -> Result {
        var destination = destination
        while true {
            do throws(DownloadFailure) {
                return try body(destination)
            } catch {
                guard error.reason == .destinationExists || error.reason == .busy,
                    let other = downloadState.withLock({ $0.otherDestination })?()
                else { throw error }
                destination = other.absolutePath
            }
        }
    }

    /// Ends the transfer after its header, which describes the existing file.
    func keepFile(at path: String, _ options: Options, _ response: HTTPURLResponse) {
        if options.contains(.remoteModificationDate) { DownloadRecord.setModificationDate(of: path, from: response) }
        let (isAwaited, unused) = downloadState.withLock { state -> (Bool, DownloadRecord?) in
            // A copy of another program's file is useless without its rest.
            let isUnused = response.statusCode == 200 || state.earlier.record?.isCopy == true
            return (state.file.keep(at: path), isUnused ? state.earlier.record.take() : nil)
        }
        unused?.discardCopy()
        // A 304 has no body: its connection stays usable.
        if response.statusCode != 304 { task?.cancel() }
        if isAwaited { task?.drain() }
    }
}
