public import FoundationEssentials

/// The head of a response: status line and header fields, parsed and as they came.
public struct HTTPURLResponse: Hashable, Sendable {
    /// Where the response came from, after redirects.
    public var url: URL? { urlText.flatMap(URL.init(string:)) }
    /// The origin of ``url``; `nil` without one.
    package var origin: Origin? { urlText.flatMap { try? HTTPURL(parsing: $0) }?.origin }
    /// A text, as few ask for a `URL` and making one takes time.
    private let urlText: String?
    /// The status, from 100 to 999 (RFC 9110 §15).
    public let statusCode: Int
    /// The version of the status line: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public let httpVersion: String
    /// The words after the status code; empty in HTTP/2 and later.
    public let reasonPhrase: String
    /// The fields in the order they came, repetitions included.
    public let headers: HTTPHeaders
    /// The bytes of the head as they came, blank line included. HTTP/2 has no text of its own: there it is libcurl's.
    public let rawHead: [UInt8]

    /// A response of these parts; ``rawHead`` is not made of the others.
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

    /// Foundation's form of the initialiser: HTTP/1.1 unless told otherwise, and never `nil`.
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
        self.init(
            url: url,
            statusCode: statusCode,
            httpVersion: httpVersion ?? "HTTP/1.1",
            headers: HTTPHeaders(headerFields ?? [:])
        )
    }

    /// The fields by name; those of one name joined by a comma.
    public var allHeaderFields: [String: String] { headers.dictionary }

    /// The value of the first field of this name, in whatever case; the others of it are not joined to it.
    public func value(forHTTPHeaderField field: String) -> String? { headers.value(for: field) }

    /// The media type of `Content-Type`, lower case, without parameters.
    public var mimeType: String? { contentType?.essence }

    /// The `charset` parameter of `Content-Type`.
    public var textEncodingName: String? { contentType?.parameter("charset") }

    /// The announced body length in bytes; −1 when there is none.
    public var expectedContentLength: Int64 {
        headers.value(for: "Content-Length").flatMap { Int64($0) } ?? -1
    }

    private var contentType: MediaType? { headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)) }
}

extension HTTPURLResponse: CustomStringConvertible {
    /// The status and where it came from; no password, token or header.
    public var description: String {
        let status = reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
        return urlText.map { "\(status) from \(QueryRedaction().url($0.withoutUserInfo))" } ?? status
    }
}
