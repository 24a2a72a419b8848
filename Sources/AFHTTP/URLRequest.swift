public import FoundationEssentials

/// A request: a URL, a method, header fields and, if small, the body.
///
/// The members are those of Foundation's type; unlike there, ``headers`` have order and repetitions.
public struct URLRequest: Hashable, Sendable {
    /// The cache policies, named as in Foundation.
    public enum CachePolicy: Hashable, Sendable {
        /// Follows the rules of HTTP caching (RFC 9111).
        case useProtocolCachePolicy
        /// Ignores stored responses.
        case reloadIgnoringLocalCacheData
        /// Uses a stored response of any age; sends the request if there is none.
        case returnCacheDataElseLoad
        /// Uses a stored response of any age, or fails.
        case returnCacheDataDontLoad
        /// Uses a stored response only after the server has validated it.
        case reloadRevalidatingCacheData
    }

    /// The URL. Its user info is used if the request has no credential; its fragment is not sent.
    public var url: URL? {
        get { storedURL.url }
        set { storedURL = .given(newValue) }
    }
    private var storedURL: StoredURL
    /// The method as it was written; `nil` means GET.
    public var httpMethod: String?
    /// The header fields of the request; a session adds its default ones for other names.
    public var headers: HTTPHeaders
    /// The body in memory. An `UploadRequest` sends bodies of any size.
    public var httpBody: Data?
    /// Seconds without progress before the transfer fails; `nil` uses the session's timeout.
    public var timeout: Double?
    /// The cache policy; `useProtocolCachePolicy` uses the session's.
    public var cachePolicy: CachePolicy
    /// Whether the session's cookies are sent and set.
    public var httpShouldHandleCookies: Bool

    /// Creates a GET request without header fields and body.
    ///
    /// - Parameter timeoutInterval: Seconds without progress before the transfer fails; `nil` uses the session's
    ///   timeout.
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: Double? = nil) {
        self.init(storedURL: .given(url), cachePolicy: cachePolicy, timeout: timeoutInterval)
    }

    package init(url: HTTPURL) {
        self.init(storedURL: .parsed(url), cachePolicy: .useProtocolCachePolicy, timeout: nil)
    }

    private init(storedURL: StoredURL, cachePolicy: CachePolicy, timeout: Double?) {
        self.storedURL = storedURL
        self.httpMethod = "GET"
        self.headers = HTTPHeaders()
        self.timeout = timeout
        self.cachePolicy = cachePolicy
        self.httpShouldHandleCookies = true
    }

    /// The parsed ``url``; `nil` if the request has no URL.
    package var httpURL: HTTPURL? {
        get throws(InvalidURL) { try storedURL.httpURL }
    }

    /// Replaces the URL with the target of a redirect.
    package mutating func redirect(to url: HTTPURL) { storedURL = .parsed(url) }

    /// The method as a value; `nil` means GET, as in Foundation.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }

    /// Seconds without progress before the transfer fails; 60 by default.
    public var timeoutInterval: Double {
        get { timeout ?? 60 }
        set { timeout = newValue }
    }

    /// The header fields by name; setting it replaces all of them.
    public var allHTTPHeaderFields: [String: String]? {
        get { headers.isEmpty ? nil : headers.dictionary }
        set { headers = HTTPHeaders(newValue ?? [:]) }
    }

    /// Returns the value of the first field of a name, in any case.
    public func value(forHTTPHeaderField field: String) -> String? { headers.value(for: field) }

    /// Replaces all fields of a name with one; `nil` removes them.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { headers[field] = value }

    /// Appends a field line; fields of the same name stay.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        headers.append(name: field, value: value)
    }
}

extension URLRequest: CustomStringConvertible {
    /// The method and URL; no password, token or header.
    public var description: String {
        let text = storedURL.text.map { QueryRedaction().url($0.withoutUserInfo) }
        return "\(httpMethod ?? "GET") \(text ?? "nowhere")"
    }
}

extension URLRequest {
    /// The URL as the caller gave it or as it was parsed: the other form is created on demand.
    private enum StoredURL: Hashable, Sendable {
        case given(URL?)
        /// A URL without user info and fragment.
        case parsed(HTTPURL)

        var url: URL? {
            switch self {
            case .given(let url): url
            case .parsed(let url): url.foundationURL
            }
        }

        var httpURL: HTTPURL? {
            get throws(InvalidURL) {
                switch self {
                case .given(nil): nil
                case .given(let url?): try HTTPURL(parsing: url.absoluteString)
                case .parsed(let url): url
                }
            }
        }

        var text: String? {
            switch self {
            case .given(let url): url?.absoluteString
            case .parsed(let url): url.text
            }
        }

        static func == (left: StoredURL, right: StoredURL) -> Bool { left.text == right.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}
