internal import AFHTTP
public import AFTransport
public import FoundationEssentials
internal import Glibc
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

    public let upload: any UploadConvertible
    private let made = Mutex<Uploadable?>(nil)

    /// The body of the latest attempt.
    public var uploadable: Uploadable? { made.withLock({ $0 }) }

    init(_ upload: any UploadConvertible, _ origin: RequestOrigin) {
        self.upload = upload
        super.init(upload, origin)
    }

    override var isQuicklyMade: Bool { false }

    override func makeBody(for request: URLRequest) throws -> BodySource? {
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

    override func cleanUp() {
        if case .file(let url, shouldRemove: true) = uploadable { unlink(url.path) }
    }
}

/// Anything that can become a body.
public protocol UploadableConvertible: Sendable {
    /// Called once per attempt, off the caller's thread.
    func createUploadable() throws -> UploadRequest.Uploadable
}

extension UploadRequest.Uploadable: UploadableConvertible {
    public func createUploadable() throws -> UploadRequest.Uploadable { self }

    var source: BodySource {
        switch self {
        case .data(let data): .bytes(Array(data))
        case .file(let url, _): .file(path: url.path)
        case .stream(let stream, let length): .stream(stream, length: length)
        case .body(let source): source
        }
    }
}

/// A request and its body.
public protocol UploadConvertible: UploadableConvertible, URLRequestConvertible {}

/// A request and its body, given apart.
struct Upload: UploadConvertible {
    let request: any URLRequestConvertible
    let uploadable: any UploadableConvertible

    func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
    func createUploadable() throws -> UploadRequest.Uploadable { try uploadable.createUploadable() }
}

/// A request with a multipart body.
///
/// The parts are chained while they are sent, so there is neither a size above which a temporary file is needed nor
/// anything to keep for another attempt.
struct MultipartUpload: UploadConvertible {
    let request: any URLRequestConvertible
    let formData: MultipartFormData

    func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        request.headers.update(.contentType(formData.contentType))
        return request
    }

    func createUploadable() throws -> UploadRequest.Uploadable { .body(try formData.makeBody()) }
}
