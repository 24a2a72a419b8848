public import AFCore
public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.URLRequest {
    /// Foundation's request as one of ours; `nil` where it has no URL.
    ///
    /// Foundation's fields have no order: they come sorted by name. Its `timeoutInterval` is always set, so the default
    /// of 60 seconds is taken for "not set" and leaves the session's time-outs in force. A body stream stays behind:
    /// `Session.upload(_:with:)` takes it.
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
    /// One of our requests as Foundation's; `nil` where it has no URL.
    ///
    /// Foundation keeps one field of a name: repeated ones are joined, by `; ` where they are cookies, else by `, `.
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

/// Why a request of Foundation's cannot be sent as it is.
public enum UnsendableRequest: Error, Hashable, Sendable {
    /// It has no URL.
    case missingURL
    /// Its body is a stream, which only an upload can carry: `Session.upload(_:with:)`.
    case bodyIsStream
}

/// Foundation's requests can be given wherever a request can.
extension FoundationNetworking.URLRequest: URLRequestConvertible {
    /// - Throws: ``UnsendableRequest`` where something would be lost on the way.
    public func asURLRequest() throws -> AFHTTP.URLRequest {
        guard httpBodyStream == nil else { throw UnsendableRequest.bodyIsStream }
        guard let request = AFHTTP.URLRequest(self) else { throw UnsendableRequest.missingURL }
        return request
    }
}

extension AFHTTP.URLRequest.CachePolicy {
    /// The policy of the same name; Foundation's two ways to ignore caches are one here.
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
    /// The policy of the same name.
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
