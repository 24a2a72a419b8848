public import AFHTTP
public import AFTransport

/// An upload whose body is compressed while it is sent, whatever its size, and whose request says so.
///
/// ```swift
/// let log = CompressedUpload(.file(logURL, shouldRemove: false), with: request, coding: .gzip)
/// try await session.upload(log).serializingData().value
/// ```
///
/// The length of the body is not known beforehand. A file is never removed, whatever `shouldRemove` says.
public struct CompressedUpload: UploadConvertible {
    /// What is sent, before it is compressed.
    public let uploadable: any UploadableConvertible
    /// Everything but the body.
    public let request: any URLRequestConvertible
    /// How the body is compressed.
    public let coding: ContentCoding

    /// - Parameter request: Everything but the body; it must have no `Content-Encoding`.
    public init(
        _ uploadable: UploadRequest.Uploadable,
        with request: any URLRequestConvertible,
        coding: ContentCoding
    ) {
        self.uploadable = uploadable
        self.request = request
        self.coding = coding
    }

    /// - Throws: What making the request throws, and `DuplicateHeaderError` where it has a `Content-Encoding` already.
    public func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        guard request.headers["Content-Encoding"] == nil else { throw DeflateRequestCompressor.DuplicateHeaderError() }
        request.headers.update(.contentEncoding(coding.rawValue))
        request.headers.remove(name: "Content-Length")
        return request
    }

    /// - Throws: What making the body throws, and `UnavailableCoding`.
    public func createUploadable() throws -> UploadRequest.Uploadable {
        .body(try uploadable.createUploadable().source.compressed(coding))
    }
}

extension BodySource {
    /// The same body, compressed while it is sent; the request has to say so in its `Content-Encoding`.
    ///
    /// - Throws: `UnavailableCoding`.
    public func compressed(_ coding: ContentCoding) throws -> BodySource {
        .stream(CompressedBody(self, with: try coding.makeCompressor()))
    }
}
