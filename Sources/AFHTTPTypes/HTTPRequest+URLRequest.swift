#if HTTPTypes
    public import AFCore
    public import AFHTTP
    internal import FoundationEssentials
    public import HTTPTypes

    /// A request of swift-http-types can be passed to a session:
    ///
    /// ```swift
    /// let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: "/people/1")
    /// let person = try await AF.request(request).serializingDecodable(Person.self).value
    /// ```
    ///
    /// A body is passed beside it: `AF.upload(data, with: request)`.
    extension HTTPRequest: URLRequestConvertible {
        /// Returns the request with method, URL and header fields.
        ///
        /// - Throws: `AFError.invalidURL` if scheme, authority or path is missing or invalid, as in `CONNECT` requests.
        public func asURLRequest() throws -> AFHTTP.URLRequest {
            let text = "\(scheme ?? "")://\(authority ?? "")\(path ?? "")"
            guard scheme != nil, authority?.isEmpty == false, path?.hasPrefix("/") == true else {
                throw AFError.invalidURL(url: text)
            }
            // A request target is sent as it is.
            guard let url = try? HTTPURL(parsing: text) else { throw AFError.invalidURL(url: text) }
            var request = URLRequest(url: url)
            request.method = HTTPMethod(rawValue: method.rawValue)
            request.headers = HTTPHeaders(headerFields)
            return request
        }
    }

    extension HTTPRequest {
        /// Creates a request with the method, URL and header fields of another; its body, timeout and cache policy are
        /// not part of it.
        ///
        /// The authority is the URL's; a `Host` field stays a field. A URL's user info and fragment are dropped.
        ///
        /// - Returns: `nil` if the request has no valid URL, or if its method or a header field is invalid (RFC 9110 §5).
        public init?(_ request: AFHTTP.URLRequest) {
            guard let url = try? request.httpURL,
                let method = Method(rawValue: request.httpMethod ?? "GET"),
                request.headers.allSatisfy({ HTTPField.Name($0.name) != nil && HTTPField.isValidValue($0.value) })
            else { return nil }
            let port = url.port == url.scheme.defaultPort ? "" : ":\(url.port)"
            self.init(
                method: method,
                scheme: url.scheme.rawValue,
                authority: "\(url.host)\(port)",
                path: url.target,
                headerFields: HTTPFields(request.headers)
            )
        }
    }
#endif
