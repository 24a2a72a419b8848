public import AFCore
public import Foundation

extension Progress {
    /// Creates a snapshot of a transfer's progress; indeterminate if the length is unknown.
    public convenience init(_ progress: TransferProgress) {
        self.init(totalUnitCount: 0)
        update(with: progress)
    }

    /// Creates a snapshot of the progress of the response body.
    public convenience init(downloadOf request: Request) { self.init(request.downloadProgress) }

    /// Creates a snapshot of the progress of the request body.
    public convenience init(uploadOf request: Request) { self.init(request.uploadProgress) }

    /// Updates the counts.
    public func update(with progress: TransferProgress) {
        totalUnitCount = progress.totalUnitCount > 0 ? progress.totalUnitCount : -1
        completedUnitCount = progress.completedUnitCount
    }
}

/// Live progress objects of Foundation: they follow a request and can be children of others. Canceling, pausing or
/// resuming one does so to its request.
extension Request {
    /// Returns a progress object for the response body. Replaces a `downloadProgress(queue:closure:)` closure.
    public func observingDownload() -> Progress {
        let progress = cancellableProgress()
        downloadProgress(queue: .global()) { progress.update(with: $0) }
        return progress
    }

    /// Returns a progress object for the request body. Replaces an `uploadProgress(queue:closure:)` closure.
    public func observingUpload() -> Progress {
        let progress = cancellableProgress()
        uploadProgress(queue: .global()) { progress.update(with: $0) }
        return progress
    }

    private func cancellableProgress() -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        progress.pausingHandler = { [weak self] in self?.suspend() }
        progress.resumingHandler = { [weak self] in self?.resume() }
        return progress
    }
}
