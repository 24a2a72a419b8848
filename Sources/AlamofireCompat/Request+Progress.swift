public import AFCore
public import Dispatch
public import Foundation

/// Alamofire's progress in Foundation's type: each closure receives the same object every time.
///
/// Overload resolution prefers these to the core's own, which report the same values.
extension Request {
    /// Calls the closure as the response body is received. A later closure replaces an earlier one.
    @discardableResult
    public func downloadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping @Sendable (Progress) -> Void
    ) -> Self {
        let progress = Progress(totalUnitCount: 0)
        return downloadProgress(queue: queue) { (latest: TransferProgress) in
            progress.update(with: latest)
            closure(progress)
        }
    }

    /// Calls the closure as the request body is sent. A later closure replaces an earlier one.
    @discardableResult
    public func uploadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping @Sendable (Progress) -> Void
    ) -> Self {
        let progress = Progress(totalUnitCount: 0)
        return uploadProgress(queue: queue) { (latest: TransferProgress) in
            progress.update(with: latest)
            closure(progress)
        }
    }

    /// The progress of the response body.
    public var downloadProgress: Progress { Progress(downloadOf: self) }

    /// The progress of the request body.
    public var uploadProgress: Progress { Progress(uploadOf: self) }
}
