public import AFHTTP
public import AFRequests
public import AFTransport

/// An upload of any size, compressed while it is sent, with the matching `Content-Encoding`.
///
/// ```swift
/// let log = CompressedUpload(.file(logURL, shouldRemove: false), with: request, coding: .gzip)
/// try await session.upload(log).serializingData().value
/// ```
///
/// The compressed length is unknown in advance. Files are never removed, regardless of `shouldRemove`.
public struct CompressedUpload: UploadConvertible {
    /// The body before compression.
    public let uploadable: any UploadableConvertible
    /// The request without its body.
    public let request: any URLRequestConvertible
    /// The coding.
    public let coding: ContentCoding

    /// Creates an upload.
    ///
    /// - Parameter request: The request without its body; it must not have a `Content-Encoding`.
    public init(
        _ uploadable: UploadRequest.Uploadable,
        with request: any URLRequestConvertible,
        coding: ContentCoding
    ) {
        self.uploadable = uploadable
        self.request = request
        self.coding = coding
    }

    /// Returns the request with a `Content-Encoding`.
    ///
    /// - Throws: Errors of creating the request, and `DuplicateHeaderError` if it has a `Content-Encoding`.
    public func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        guard request.headers["Content-Encoding"] == nil else { throw RequestCompressor.DuplicateHeaderError() }
        request.headers.update(.contentEncoding(coding.rawValue))
        request.headers.remove(name: "Content-Length")
        return request
    }

    /// Returns the compressed body.
    ///
    /// - Throws: Errors of creating the body, and `UnavailableCoding`.
    public func createUploadable() throws -> UploadRequest.Uploadable {
        .body(try uploadable.createUploadable().source.compressed(coding))
    }
}

extension BodySource {
    /// Returns the body, compressed while it is sent; the request must have the matching `Content-Encoding`.
    ///
    /// - Throws: `UnavailableCoding`.
    public func compressed(_ coding: ContentCoding) throws -> BodySource {
        .stream(CompressedBody(self, with: try coding.makeCompressor()))
    }
}
