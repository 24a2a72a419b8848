public import AFCore
public import Dispatch
public import Foundation

/// Progress as Alamofire tells it: in Foundation's objects, of which each closure gets the same one every time.
///
/// Where both are possible these are chosen before the core's own, whose values are the same by other names.
extension Request {
    /// Called as the response body comes in. The last closure given counts.
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

    /// Called as the request body goes out. The last closure given counts.
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

    /// How much of the response body has come.
    public var downloadProgress: Progress { Progress(downloadOf: self) }

    /// How much of the request body has gone.
    public var uploadProgress: Progress { Progress(uploadOf: self) }
}
