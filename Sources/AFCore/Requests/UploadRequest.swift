internal import AFHTTP
public import AFTransport
public import FoundationEssentials
internal import Synchronization

/// A request that sends a body of any size.
///
/// `@unchecked` as its superclass is; every property added here is immutable or a `Mutex`.
public final class UploadRequest: DataRequest, @unchecked Sendable {
    /// Where the body comes from.
    public enum Uploadable: Sendable {
        case data(Data)
        /// A file, removed once the request is over where `shouldRemove` says so.
        case file(URL, shouldRemove: Bool)
        /// A stream, and its length in bytes where that is known.
        case stream(any BodyStream, length: Int64? = nil)
        /// Any source that the transport knows, such as multipart parts one after the other.
        case body(BodySource)
    }

    /// What request and body of every attempt are made of.
    public let upload: any UploadConvertible
    /// Removes the file where it is to be removed.
    public let fileManager: FileManager
    private let made = Mutex<Uploadable?>(nil)

    /// The body of the latest attempt.
    public var uploadable: Uploadable? { made.withLock({ $0 }) }

    init(_ upload: any UploadConvertible, _ origin: RequestOrigin, _ fileManager: FileManager) {
        self.upload = upload
        self.fileManager = fileManager
        super.init(upload, origin)
    }

    override var isQuicklyMade: Bool { false }

    override func makeBody(for request: URLRequest) throws -> BodySource? {
        // An adapter may have wanted to see it.
        if let made = uploadable { return made.source }
        do {
            let uploadable = try upload.createUploadable()
            made.withLock { $0 = uploadable }
            tell { $0.request(self, didCreateUploadable: uploadable) }
            if case .stream(let stream, _) = uploadable {
                tell { $0.request(self, didProvideInputStream: stream) }
            }
            return uploadable.source
        } catch {
            let error = error.asAFError(or: .createUploadableFailed(error: error))
            tell { $0.request(self, didFailToCreateUploadableWithError: error) }
            throw error
        }
    }

    override func resetForRetry() {
        super.resetForRetry()
        made.withLock { $0 = nil }
    }

    override func cleanUp() { cleanup() }

    /// Removes the file that the latest attempt sent, where it was handed over for that. Done by itself once the request is
    /// over.
    public func cleanup() {
        if case .file(let url, shouldRemove: true) = uploadable { try? fileManager.removeItem(at: url) }
    }
}
