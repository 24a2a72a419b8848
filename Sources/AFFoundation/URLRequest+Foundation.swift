public import AFCore
public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.URLRequest {
    /// Converts a request of Foundation; `nil` if it has no URL.
    ///
    /// Foundation's fields have no order and are sorted by name. Its `timeoutInterval` always has a value, so the
    /// default of 60 seconds means "not set", and the session's timeouts apply. A body stream is dropped: use
    /// `Session.upload(_:with:)`.
    public init?(_ request: FoundationNetworking.URLRequest) {
        guard let url = request.url else { return nil }
        self.init(url: url, cachePolicy: CachePolicy(request.cachePolicy))
        httpMethod = request.httpMethod
        headers = HTTPHeaders(request.allHTTPHeaderFields ?? [:]).sorted()
        httpBody = request.httpBody
        timeout = request.timeoutInterval == 60 ? nil : request.timeoutInterval
        httpShouldHandleCookies = request.httpShouldHandleCookies
    }
}

extension FoundationNetworking.URLRequest {
    /// Converts a request to Foundation's type; `nil` if it has no URL.
    ///
    /// Foundation has one field per name: repeated ones are joined, cookies with `; ` and others with `, `.
    public init?(_ request: AFHTTP.URLRequest) {
        guard let url = request.url else { return nil }
        self.init(url: url, cachePolicy: CachePolicy(request.cachePolicy))
        httpMethod = request.httpMethod
        for header in request.headers where value(forHTTPHeaderField: header.name) == nil {
            let separator = header.name.lowercased() == "cookie" ? "; " : ", "
            let value = request.headers.values(for: header.name).joined(separator: separator)
            setValue(value, forHTTPHeaderField: header.name)
        }
        httpBody = request.httpBody
        if let timeout = request.timeout { timeoutInterval = timeout }
        httpShouldHandleCookies = request.httpShouldHandleCookies
    }
}

/// The reason why a request of Foundation cannot be sent unchanged.
public enum UnsendableRequest: Error, Hashable, Sendable {
    /// The request has no URL.
    case missingURL
    /// The body is a stream, which requires an upload: `Session.upload(_:with:)`.
    case bodyIsStream
}

/// Allows requests of Foundation as arguments for requests.
extension FoundationNetworking.URLRequest: URLRequestConvertible {
    /// Returns the converted request.
    ///
    /// - Throws: ``UnsendableRequest`` if the conversion would lose something.
    public func asURLRequest() throws -> AFHTTP.URLRequest {
        guard httpBodyStream == nil else { throw UnsendableRequest.bodyIsStream }
        guard let request = AFHTTP.URLRequest(self) else { throw UnsendableRequest.missingURL }
        return request
    }
}

extension AFHTTP.URLRequest.CachePolicy {
    /// Converts a policy by name; Foundation's two policies that ignore caches become one.
    public init(_ policy: FoundationNetworking.URLRequest.CachePolicy) {
        self =
            switch policy {
            case .useProtocolCachePolicy: .useProtocolCachePolicy
            case .returnCacheDataElseLoad: .returnCacheDataElseLoad
            case .returnCacheDataDontLoad: .returnCacheDataDontLoad
            case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
            default: .reloadIgnoringLocalCacheData
            }
    }
}

extension FoundationNetworking.NSURLRequest.CachePolicy {
    /// Converts a policy by name.
    public init(_ policy: AFHTTP.URLRequest.CachePolicy) {
        self =
            switch policy {
            case .useProtocolCachePolicy: .useProtocolCachePolicy
            case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
            case .returnCacheDataElseLoad: .returnCacheDataElseLoad
            case .returnCacheDataDontLoad: .returnCacheDataDontLoad
            case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
            }
    }
}
