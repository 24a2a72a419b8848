public import FoundationEssentials

/// The header of a response: status line and fields, parsed and raw.
public struct HTTPURLResponse: Hashable, Sendable {
    /// The URL that sent the response, after redirects.
    public var url: URL? { urlText.flatMap(URL.init(string:)) }
    /// The origin of ``url``; `nil` if there is no URL.
    package var origin: Origin? { urlText.flatMap { try? HTTPURL(parsing: $0) }?.origin }
    /// Stored as text: few callers need a `URL`, and creating one is slow.
    private let urlText: String?
    /// The status, from 100 to 999 (RFC 9110 §15).
    public let statusCode: Int
    /// The version of the status line: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public let httpVersion: String
    /// The reason phrase after the status code; empty in HTTP/2 and later.
    public let reasonPhrase: String
    /// The fields in the order received, including repetitions.
    public let headers: HTTPHeaders
    /// The bytes of the header as received, including the blank line. HTTP/2 has no textual form: libcurl generates it.
    public let rawHead: [UInt8]

    /// Creates a response from parts; ``rawHead`` is not derived from the others.
    public init(
        url: URL?,
        statusCode: Int,
        httpVersion: String = "HTTP/1.1",
        reasonPhrase: String = "",
        headers: HTTPHeaders = HTTPHeaders(),
        rawHead: [UInt8] = []
    ) {
        self.init(
            urlText: url?.absoluteString,
            statusCode: statusCode,
            httpVersion: httpVersion,
            reasonPhrase: reasonPhrase,
            headers: headers,
            rawHead: rawHead
        )
    }

    package init(
        urlText: String?,
        statusCode: Int,
        httpVersion: String,
        reasonPhrase: String,
        headers: HTTPHeaders,
        rawHead: [UInt8]
    ) {
        self.urlText = urlText
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.reasonPhrase = reasonPhrase
        self.headers = headers
        self.rawHead = rawHead
    }

    /// Foundation's initializer: HTTP/1.1 if the version is `nil`; never returns `nil`.
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
        self.init(
            url: url,
            statusCode: statusCode,
            httpVersion: httpVersion ?? "HTTP/1.1",
            headers: HTTPHeaders(headerFields ?? [:])
        )
    }

    /// The fields by name; repeated fields are joined with commas.
    public var allHeaderFields: [String: String] { headers.dictionary }

    /// Returns the value of the first field of a name, in any case; further ones are not joined to it.
    public func value(forHTTPHeaderField field: String) -> String? { headers.value(for: field) }

    /// The media type of `Content-Type` in lower case, without parameters.
    public var mimeType: String? { contentType?.essence }

    /// The `charset` parameter of `Content-Type`.
    public var textEncodingName: String? { contentType?.parameter("charset") }

    /// The announced length of the body in bytes; −1 if it is unknown.
    public var expectedContentLength: Int64 {
        headers.value(for: "Content-Length").flatMap { Int64($0) } ?? -1
    }

    private var contentType: MediaType? { headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)) }
}

extension HTTPURLResponse: CustomStringConvertible {
    /// The status and the URL; no password, token or header.
    public var description: String {
        let status = reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
        return urlText.map { "\(status) from \(QueryRedaction().url($0.withoutUserInfo))" } ?? status
    }
}
