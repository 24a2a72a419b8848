internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// A type that can be converted to a body.
public protocol UploadableConvertible: Sendable {
    /// Returns the body. Called once per attempt, outside of the caller's thread.
    ///
    /// - Throws: Any error; one that is not an `AFError` is reported as `createUploadableFailed`.
    func createUploadable() throws -> UploadRequest.Uploadable
}

extension UploadableConvertible {
    /// Returns the body.
    ///
    /// - Throws: The error of ``createUploadable()``, which may be the program's code.
    func makeUploadable() throws(AFError) -> UploadRequest.Uploadable {
        do { return try createUploadable() } catch { throw error.asAFError(or: .createUploadableFailed(error: error)) }
    }
}

extension UploadRequest.Uploadable: UploadableConvertible {
    /// Returns `self`; never throws.
    public func createUploadable() throws -> UploadRequest.Uploadable { self }

    package var source: BodySource {
        switch self {
        case .data(let data): .bytes(Array(data))
        case .file(let url, _): .file(path: url.path)
        case .stream(let stream, let length): .stream(stream, length: length)
        case .body(let source): source
        }
    }
}

/// A request with its body.
public protocol UploadConvertible: UploadableConvertible, URLRequestConvertible {}

/// A source of several exchanges, some of which have no body.
package protocol ExchangeSource: UploadConvertible {
    /// Whether the current exchange has a body, possibly of zero bytes.
    var hasBody: Bool { get }
}

extension URLRequestConvertible {
    /// Returns the body of a request that has one, for requests that are not uploads.
    package func makeBody() throws(AFError) -> BodySource? {
        // The first search for a conformance of a type takes 0.1 ms.
        guard !(self is URLRequest), let uploadable = self as? any UploadableConvertible else { return nil }
        if let exchanges = uploadable as? any ExchangeSource, !exchanges.hasBody { return nil }
        return try uploadable.makeUploadable().source
    }
}

/// A request and its body, specified separately.
struct Upload: UploadConvertible {
    let request: any URLRequestConvertible
    let uploadable: any UploadableConvertible

    func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
    func createUploadable() throws -> UploadRequest.Uploadable { try uploadable.createUploadable() }
}
