internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// A request with a multipart body.
///
/// The parts are chained while they are sent, so there is no size above which a temporary file is needed. Streams can be
/// read only once: a form with any is put together in memory where it is small enough, and kept for another attempt.
final class MultipartUpload: UploadConvertible {
    private let request: any URLRequestConvertible
    private let formData: MultipartFormData
    /// In bytes.
    private let threshold: UInt64
    private let encoded = Mutex<Data?>(nil)

    init(_ request: any URLRequestConvertible, _ formData: MultipartFormData, threshold: UInt64) {
        self.request = request
        self.formData = formData
        self.threshold = threshold
    }

    func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        request.headers.update(.contentType(formData.contentType))
        return request
    }

    func createUploadable() throws -> UploadRequest.Uploadable {
        if let encoded = encoded.withLock(\.self) { return .data(encoded) }
        let body = try formData.makeBody()
        guard !body.streams.isEmpty, let length = formData.encodedLength, UInt64(length) <= threshold else {
            return .body(body)
        }
        let data = try formData.encode()
        encoded.withLock { $0 = data }
        return .data(data)
    }
}
