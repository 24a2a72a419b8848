@_exported public import AFHTTP
@_exported public import AFTransport
public import FoundationEssentials

/// Anything that can become a URL.
public protocol URLConvertible: Sendable {
    /// - Throws: ``AFError/invalidURL(url:)`` where there is none.
    func asURL() throws -> URL
}

/// Anything that can become a request.
public protocol URLRequestConvertible: Sendable {
    /// Called once per attempt, off the caller's thread.
    func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
    /// The request, or `nil` where making it fails.
    public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() throws -> URLRequest { self }
}

extension URL: URLConvertible {
    /// The URL itself.
    public func asURL() throws -> URL { self }
}
