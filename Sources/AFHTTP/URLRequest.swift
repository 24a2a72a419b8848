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

    /// Where the request goes. User info in it logs in where the request has no credential; a fragment is not sent.
    public var url: URL? {
        get { place.url }
        set { place = .given(newValue) }
    }
    private var place: Place
    /// The method as it is spelled; `nil` stands for GET.
    public var httpMethod: String?
    /// The request's own; a session adds those of its configuration that are not among them.
    public var headers: HTTPHeaders
    /// The whole body in memory. Bodies of any size go through an `UploadRequest`.
    public var httpBody: Data?
    /// Seconds without progress after which the transfer is given up; `nil` leaves it to the session.
    public var timeout: Double?
    /// Where the response may come from; `useProtocolCachePolicy` leaves it to the session.
    public var cachePolicy: CachePolicy
    /// Whether the session's cookies are sent and set.
    public var httpShouldHandleCookies: Bool

    /// A GET without headers and body.
    ///
    /// - Parameter timeoutInterval: Seconds without progress; `nil` leaves it to the session.
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: Double? = nil) {
        self.init(place: .given(url), cachePolicy: cachePolicy, timeout: timeoutInterval)
    }

    package init(url: HTTPURL) {
        self.init(place: .parsed(url), cachePolicy: .useProtocolCachePolicy, timeout: nil)
    }

    private init(place: Place, cachePolicy: CachePolicy, timeout: Double?) {
        self.place = place
        self.httpMethod = "GET"
        self.headers = HTTPHeaders()
        self.timeout = timeout
        self.cachePolicy = cachePolicy
        self.httpShouldHandleCookies = true
    }

    /// ``url`` as a place to send the request to; `nil` where there is no URL.
    package var httpURL: HTTPURL? {
        get throws(InvalidURL) { try place.httpURL }
    }

    /// Sends the request to another place.
    package mutating func redirect(to url: HTTPURL) { place = .parsed(url) }

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

    /// The value of the first field of this name, in whatever case.
    public func value(forHTTPHeaderField field: String) -> String? { headers.value(for: field) }

    /// Replaces all fields of this name by one; `nil` removes them.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { headers[field] = value }

    /// Adds a field line and keeps the ones that already have this name.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        headers.append(name: field, value: value)
    }
}

extension URLRequest: CustomStringConvertible {
    /// Method and URL; no password, token or header.
    public var description: String {
        let text = place.text.map { QueryRedaction().url($0.withoutUserInfo) }
        return "\(httpMethod ?? "GET") \(text ?? "nowhere")"
    }
}

extension URLRequest {
    /// A URL in either form: as callers see it, or as it was parsed already, so that each form is made for need only.
    private enum Place: Hashable, Sendable {
        case given(URL?)
        /// Without user info and fragment.
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

        static func == (left: Place, right: Place) -> Bool { left.text == right.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}
