/// The protocol of a resumable upload.
public enum UploadProtocol: String, Codable, Hashable, Sendable, CaseIterable {
    /// Offers ``draft`` with the upload itself, and uses ``tus`` if the response shows that the server requires it.
    case automatic = "auto"
    /// The IETF draft "Resumable Uploads for HTTP", interop version 6. A server without it receives a plain upload.
    case draft
    /// The protocol tus, version 1.0.0.
    case tus
    /// The multipart uploads of S3, with PUT and the URL of the object. The requests are signed by the session's
    /// interceptor.
    case s3
}
