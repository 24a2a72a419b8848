public import FoundationEssentials
internal import Synchronization

/// The header of a response: status line and fields, parsed and raw.
public struct HTTPURLResponse: Hashable, Sendable {
    /// One reference, as a response is part of many values that are copied.
    private let storage: Storage

    /// The URL that sent the response, after redirects.
    public var url: URL? { storage.urlText.flatMap(URL.init(encoding:)) }
    /// The origin of ``url``; `nil` if there is no URL.
    package var origin: Origin? { storage.urlText.flatMap { try? HTTPURL(parsing: $0) }?.origin }
    /// ``url`` without user info and query, the resource of the validators; `nil` if there is no URL.
    package var resource: String? {
        storage.urlText.flatMap { try? HTTPURL(parsing: $0) }.map { $0.origin.description + $0.path }
    }
    /// The status, from 100 to 999 (RFC 9110 §15).
    public var statusCode: Int { storage.statusCode }
    /// The version of the status line: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public var httpVersion: String { storage.httpVersion }
    /// The reason phrase after the status code; empty in HTTP/2 and later.
    public var reasonPhrase: String { storage.reasonPhrase }
    /// The fields in the order received, including repetitions.
    public var headers: HTTPHeaders { storage.headers }
    /// The bytes of the header as received, including the blank line. HTTP/2 has no textual form: libcurl generates it.
    public var rawHead: [UInt8] { storage.rawHead }
    /// The fields that describe the body.
    package var bodyFields: BodyFields { storage.bodyFields }

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
        storage = Storage(urlText, statusCode, httpVersion, reasonPhrase, rawHead, BodyFields(headers))
        storage.store(headers)
    }

    /// Creates a response whose fields are parsed from the bytes at their first use.
    package init(
        urlText: String?,
        statusCode: Int,
        httpVersion: String,
        reasonPhrase: String,
        rawHead: [UInt8],
        bodyFields: BodyFields
    ) {
        storage = Storage(urlText, statusCode, httpVersion, reasonPhrase, rawHead, bodyFields)
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

    /// Whether the server responded with HTTP/1.0.
    package var isHTTP10: Bool { httpVersion == "HTTP/1.0" }

    /// The announced length of the body in bytes; −1 if it is unknown. A `Transfer-Encoding` overrides it (RFC 9112
    /// §6.3).
    public var expectedContentLength: Int64 { bodyFields.hasTransferEncoding ? -1 : bodyFields.length ?? -1 }

    /// The media type; of a list, which gateways make of two fields, the last one (Fetch, "extract a MIME type").
    package var contentType: MediaType? {
        guard let value = headers.value(for: "Content-Type") else { return nil }
        let elements = value.listElements
        guard elements.count > 1 else { return MediaType(parsing: value) }
        return elements.lazy.reversed().compactMap { MediaType(parsing: String(decoding: $0, as: UTF8.self)) }.first
    }

    /// Whether all parts are equal.
    public static func == (left: HTTPURLResponse, right: HTTPURLResponse) -> Bool {
        left.storage === right.storage || left.storage.isEqual(to: right.storage)
    }

    /// Hashes the status and the bytes of the header.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(statusCode)
        hasher.combine(rawHead)
    }
}

/// The fields of a header that describe its body.
package struct BodyFields: Hashable, Sendable {
    /// The length that `Content-Length` announces; `nil` if the field is missing or has another value than a number.
    package var length: Int64?
    package var hasTransferEncoding = false
    package var hasContentEncoding = false
    package var setsCookies = false

    package init() {}

    init(_ headers: HTTPHeaders) {
        length = headers.contentLength
        hasTransferEncoding = headers.value(for: "Transfer-Encoding") != nil
        hasContentEncoding = headers.value(for: "Content-Encoding") != nil
        setsCookies = headers.value(for: "Set-Cookie") != nil
    }
}

extension HTTPURLResponse {
    private final class Storage: Sendable {
        /// Stored as text: few callers need a `URL`, and creating one is slow.
        let urlText: String?
        let statusCode: Int
        let httpVersion: String
        let reasonPhrase: String
        let rawHead: [UInt8]
        let bodyFields: BodyFields
        /// The parsed fields: most responses are used without them, and parsing 13 fields takes 17,000 of the 200,000
        /// instructions of a small request.
        private let parsed = AtomicLazyReference<ParsedHeaders>()

        init(
            _ urlText: String?,
            _ statusCode: Int,
            _ httpVersion: String,
            _ reasonPhrase: String,
            _ rawHead: [UInt8],
            _ bodyFields: BodyFields
        ) {
            self.urlText = urlText
            self.statusCode = statusCode
            self.httpVersion = httpVersion
            self.reasonPhrase = reasonPhrase
            self.rawHead = rawHead
            self.bodyFields = bodyFields
        }

        var headers: HTTPHeaders { (parsed.load() ?? store(HTTPHeaders(parsingHead: rawHead))).headers }

        @discardableResult
        func store(_ headers: HTTPHeaders) -> ParsedHeaders { parsed.storeIfNil(ParsedHeaders(headers)) }

        func isEqual(to other: Storage) -> Bool {
            statusCode == other.statusCode && urlText == other.urlText && httpVersion == other.httpVersion
                && reasonPhrase == other.reasonPhrase && rawHead == other.rawHead && headers == other.headers
        }
    }

    private final class ParsedHeaders: Sendable {
        let headers: HTTPHeaders

        init(_ headers: HTTPHeaders) { self.headers = headers }
    }
}

extension HTTPURLResponse: CustomStringConvertible {
    /// The status and the URL; no password, token or header.
    public var description: String {
        let status = reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
        return storage.urlText.map { "\(status) from \(QueryRedaction().url($0.withoutUserInfo))" } ?? status
    }
}
