public import FoundationEssentials

/// What to send: a URL, a method, headers and, for small bodies, the body itself.
///
/// The members are those of Foundation's type; unlike there, ``headers`` keep order and repetition.
public struct URLRequest: Hashable, Sendable {
    /// Where the response may come from, in Foundation's terms.
    public enum CachePolicy: Hashable, Sendable {
        /// As the cache rules of HTTP say (RFC 9111).
        case useProtocolCachePolicy
        /// From the server, whatever the cache holds.
        case reloadIgnoringLocalCacheData
        /// From the cache, whatever its age; from the server when the cache has nothing.
        case returnCacheDataElseLoad
        /// From the cache or not at all.
        case returnCacheDataDontLoad
        /// From the cache, once the server has confirmed it.
        case reloadRevalidatingCacheData
    }

    public var url: URL?
    public var httpMethod: String?
    public var headers: HTTPHeaders
    /// The whole body in memory. Bodies of any size go through an `UploadRequest`.
    public var httpBody: Data?
    /// Seconds without progress after which the transfer is given up; `nil` leaves it to the session.
    public var timeout: Double?
    public var cachePolicy: CachePolicy
    /// Whether the session's cookies are sent and set.
    public var httpShouldHandleCookies: Bool

    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: Double? = nil) {
        self.url = url
        self.httpMethod = "GET"
        self.headers = HTTPHeaders()
        self.timeout = timeoutInterval
        self.cachePolicy = cachePolicy
        self.httpShouldHandleCookies = true
    }

    /// The method as a value; `nil` stands for GET, as in Foundation.
    public var method: HTTPMethod? {
        get { httpMethod.map(HTTPMethod.init(rawValue:)) }
        set { httpMethod = newValue?.rawValue }
    }

    /// Seconds without progress after which the transfer is given up; 60 unless set.
    public var timeoutInterval: Double {
        get { timeout ?? 60 }
        set { timeout = newValue }
    }

    /// The headers by name; setting it replaces all of them.
    public var allHTTPHeaderFields: [String: String]? {
        get { headers.isEmpty ? nil : headers.dictionary }
        set { headers = HTTPHeaders(newValue ?? [:]) }
    }

    public func value(forHTTPHeaderField field: String) -> String? { headers.value(for: field) }

    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { headers[field] = value }

    /// Adds a field line and keeps the ones that already have this name.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        headers.append(name: field, value: value)
    }
}
