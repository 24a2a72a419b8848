@_exported public import AFHTTP
@_exported public import AFTransport
public import FoundationEssentials

/// A type that can be converted to a URL.
public protocol URLConvertible: Sendable {
    /// Returns the URL.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if there is none.
    func asURL() throws -> URL
}

/// A type that can be converted to a request.
public protocol URLRequestConvertible: Sendable {
    /// Returns the request. Sessions call it once per attempt, on a background thread.
    ///
    /// - Throws: Any error; one that is not an `AFError` is reported as `createURLRequestFailed`.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request; `nil` if its creation fails.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// Returns the request itself; never throws.
    public func asURLRequest() throws -> URLRequest { self }
}

extension URL: URLConvertible {
    /// Returns the URL itself; never throws.
    public func asURL() throws -> URL { self }
}
