internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// An upload of a multipart form.
///
/// Parts are sent from their sources without a temporary file. Streams can be read only once: a small form with streams
/// is encoded in memory and stored for retries.
final class MultipartUpload: UploadConvertible {
    private let request: any URLRequestConvertible
    private let formData: MultipartFormData
    /// The limit for encoding in memory, in bytes.
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
