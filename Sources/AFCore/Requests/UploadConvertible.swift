internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// Anything that can become a body.
public protocol UploadableConvertible: Sendable {
    /// Called once per attempt, off the caller's thread.
    func createUploadable() throws -> UploadRequest.Uploadable
}

extension UploadRequest.Uploadable: UploadableConvertible {
    /// The body itself.
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

extension URLRequestConvertible {
    /// The body of a request that brings one along, for the kinds of request that are no uploads.
    func makeBody() throws -> BodySource? {
        do {
            return try (self as? any UploadableConvertible)?.createUploadable().source
        } catch {
            throw error.asAFError(or: .createUploadableFailed(error: error))
        }
    }
}

/// A request and its body, given apart.
struct Upload: UploadConvertible {
    let request: any URLRequestConvertible
    let uploadable: any UploadableConvertible

    func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
    func createUploadable() throws -> UploadRequest.Uploadable { try uploadable.createUploadable() }
}
