internal import AFHTTP
internal import AFRequests
internal import FoundationEssentials

extension UploadExchange {
    /// The fields that describe the body or the condition of the request itself.
    private static let fieldsOfRequest = [
        "content-type", "content-length", "content-encoding", "content-disposition", "content-md5", "content-digest",
        "repr-digest", "digest", "if-match", "if-none-match", "if-unmodified-since", "if-modified-since", "expect",
        "transfer-encoding",
    ]

    /// The fields of an object, besides its metadata.
    private static let fieldsOfObject = [
        "content-type", "content-encoding", "content-disposition", "content-language", "cache-control", "expires",
    ]

    /// The fields of S3 for all requests about an object; the first one is the start of several.
    private static let fieldsOfAccess = [
        "x-amz-server-side-encryption-customer-", "x-amz-expected-bucket-owner", "x-amz-request-payer",
    ]

    /// Returns the request of the exchange.
    func request(from base: URLRequest) -> URLRequest {
        var request = base
        if let resource { request = base.with(resource) }
        if let method { request.method = method }
        if resource != nil || self.method != nil {
            for name in base.headers.map(\.name) where !keeps(name.lowercased()) { request.headers.remove(name: name) }
        }
        for header in headers { request.headers.update(header) }
        return request
    }

    /// Whether the exchange has a field of the request, whose name is in lower case.
    private func keeps(_ name: String) -> Bool {
        if Self.fieldsOfAccess.contains(where: name.hasPrefix) { return true }
        return switch fields {
        case .all: !Self.fieldsOfRequest.contains(name)
        case .object:
            Self.fieldsOfObject.contains(name)
                || !Self.fieldsOfRequest.contains(name) && name != "x-amz-content-sha256"
        case .completion where ["if-match", "if-none-match"].contains(name): true
        case .part, .completion:
            !Self.fieldsOfRequest.contains(name) && !Self.fieldsOfObject.contains(name) && !name.hasPrefix("x-amz-")
        }
    }
}

extension URLRequest {
    /// Returns the request with another URL.
    fileprivate func with(_ url: HTTPURL) -> URLRequest {
        var request = URLRequest(url: url)
        (request.httpMethod, request.headers, request.timeout) = (httpMethod, headers, timeout)
        (request.cachePolicy, request.httpShouldHandleCookies) = (cachePolicy, httpShouldHandleCookies)
        return request
    }
}
