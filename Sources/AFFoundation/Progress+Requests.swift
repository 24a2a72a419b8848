public import AFCore
public import Foundation

extension Progress {
    /// How far a body had come at one moment. A length that is not known makes it indeterminate.
    public convenience init(_ progress: TransferProgress) {
        self.init(totalUnitCount: 0)
        update(with: progress)
    }

    /// How far the request's response body has come by now.
    public convenience init(downloadOf request: Request) { self.init(request.downloadProgress) }

    /// How far the request's own body has come by now.
    public convenience init(uploadOf request: Request) { self.init(request.uploadProgress) }

    /// Takes over where the body is now.
    public func update(with progress: TransferProgress) {
        totalUnitCount = progress.totalUnitCount > 0 ? progress.totalUnitCount : -1
        completedUnitCount = progress.completedUnitCount
    }
}

/// Foundation's progress objects, alive: they follow a request, can be children of others, and steer it: cancelling,
/// pausing and resuming one does that to its request.
extension Request {
    /// Follows the response body. Takes the place of a `downloadProgress(queue:closure:)` closure.
    public func observingDownload() -> Progress {
        let progress = steeringProgress()
        downloadProgress(queue: .global()) { progress.update(with: $0) }
        return progress
    }

    /// Follows the request body. Takes the place of an `uploadProgress(queue:closure:)` closure.
    public func observingUpload() -> Progress {
        let progress = steeringProgress()
        uploadProgress(queue: .global()) { progress.update(with: $0) }
        return progress
    }

    private func steeringProgress() -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        progress.pausingHandler = { [weak self] in self?.suspend() }
        progress.resumingHandler = { [weak self] in self?.resume() }
        return progress
    }
}
