internal import AFHTTP
public import AFTransport
public import FoundationEssentials
internal import Synchronization

/// A request that sends a body of any size.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
public final class UploadRequest: DataRequest, @unchecked Sendable {
    /// The source of the body.
    public enum Uploadable: Sendable {
        case data(Data)
        /// A file, which is removed at the end of the request if `shouldRemove` is `true`.
        case file(URL, shouldRemove: Bool)
        /// A stream with its length in bytes, if it is known.
        case stream(any BodyStream, length: Int64? = nil)
        /// Any source that the transport supports, such as a sequence of multipart parts.
        case body(BodySource)
    }

    /// The value that every attempt's request and body are created from.
    public let upload: any UploadConvertible
    /// The file manager that removes the file, if necessary.
    public let fileManager: FileManager
    private let latestUploadable = Mutex<Uploadable?>(nil)

    /// The body of the latest attempt.
    public var uploadable: Uploadable? { latestUploadable.withLock({ $0 }) }

    init(_ upload: any UploadConvertible, _ origin: RequestOrigin, _ fileManager: FileManager) {
        self.upload = upload
        self.fileManager = fileManager
        super.init(upload, isImmediate: false, origin)
    }

    @_spi(Requests) public override func startAttempt(_ number: Int) -> Preparation {
        _ = super.startAttempt(number)
        // Released outside the lock: its stream may be the program's.
        if number > 0 { _ = latestUploadable.withLock { $0.take() } }
        return .queue
    }

    @_spi(Requests) public override func makeBody(for request: URLRequest) throws(AFError) -> BodySource? {
        if let exchanges = upload as? any ExchangeSource, !exchanges.hasBody { return nil }
        // An adapter may have requested it.
        if let uploadable { return uploadable.source }
        do throws(AFError) {
            let uploadable = try upload.makeUploadable()
            latestUploadable.withLock { $0 = uploadable }
            observers?.notify { $0.request(self, didCreateUploadable: uploadable) }
            if case .stream(let stream, _) = uploadable {
                observers?.notify { $0.request(self, didProvideInputStream: stream) }
            }
            return uploadable.source
        } catch {
            observers?.notify { $0.request(self, didFailToCreateUploadableWithError: error) }
            throw error
        }
    }

    @_spi(Requests) public override func cleanUp() { cleanup() }

    /// Removes the latest attempt's file, if `shouldRemove` is `true`. Called automatically at the end of the request.
    public func cleanup() {
        if case .file(let url, shouldRemove: true) = uploadable { try? fileManager.removeItem(at: url) }
    }
}
