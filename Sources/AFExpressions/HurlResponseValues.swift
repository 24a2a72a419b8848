package import AFHTTP
package import AFHurl
internal import AFJSON
internal import FoundationEssentials

/// The response of which queries select values.
package struct HurlResponseValues: Sendable {
    /// The version's number: `1.0`, `1.1`, `2` or `3`.
    package var version: String
    /// The status code.
    package var status: Int
    /// The header.
    package var headers: HTTPHeaders
    /// The last URL that was requested.
    package var url: String
    /// The body after content decoding.
    package var body: [UInt8]
    /// The reason why the body could not be decoded; `nil` if it was.
    package var bodyFailure: BodyFailure?
    /// The body as received.
    package var rawBody: [UInt8]
    /// The absolute targets of the redirects that were followed.
    package var redirects: [String] = []
    /// The address of the peer.
    package var address = ""
    /// The duration of the request.
    package var milliseconds: Int64 = 0
    /// The fields of the server's certificate; empty without TLS.
    package var certificate: [HurlCertificateField: HurlValue] = [:]

    /// Creates a response; the body as received is the body itself if it has no coding.
    package init(
        version: String = "1.1", status: Int, headers: HTTPHeaders = [:], url: String = "", body: [UInt8] = [],
        rawBody: [UInt8]? = nil
    ) {
        (self.version, self.status, self.url) = (version, status, url)
        // Values are texts, which requests send in UTF-8: octets that are not UTF-8 are ISO-8859-1.
        self.headers = HTTPHeaders(repeating: headers.map { HTTPHeader(name: $0.name, value: $0.value.legible) })
        self.body = body
        self.rawBody = rawBody ?? body
    }

    /// The reasons why a body cannot be decoded, with the name of the content coding.
    package enum BodyFailure: Equatable, Sendable {
        case unknownCoding(String)
        case damagedCoding(String)

        /// The reason as an error of an evaluation.
        package var kind: HurlEvaluationError.Kind {
            switch self {
            case .unknownCoding(let name): .unknownCoding(name)
            case .damagedCoding(let name): .damagedCoding(name)
            }
        }
    }

    /// The media type of the body.
    var contentType: MediaType? { headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)) }

    /// Whether the body is HTML.
    var isHTML: Bool { contentType?.essence.lowercased().contains("html") == true }

    /// The body as text, in the charset of its type.
    func text() throws(TextError) -> String {
        let label = contentType?.parameter("charset") ?? "utf-8"
        guard let charset = Charset(label: label) else { throw .unknownCharset(label) }
        guard let text = charset.decode(Data(body)) else { throw .undecodable(label) }
        return text
    }

    enum TextError: Error {
        case unknownCharset(String), undecodable(String)

        var kind: HurlEvaluationError.Kind {
            switch self {
            case .unknownCharset(let name): .bodyCharset(name)
            case .undecodable(let name): .bodyDecoding(name)
            }
        }
    }
}

extension Charset {
    /// Creates the charset of a label of the WHATWG encoding standard, where it differs from IANA's.
    package init?(label: String) {
        let label = label.lowercased()
        self.init(ianaName: Self.standardNames[label] ?? label)
    }

    private static let standardNames = [
        "ascii": "windows-1252", "us-ascii": "windows-1252", "latin1": "windows-1252", "iso-8859-1": "windows-1252",
        "l1": "windows-1252", "iso-8859-9": "windows-1254", "latin5": "windows-1254",
        "unicode": "utf-16le", "utf-16": "utf-16le", "x-user-defined": "",
    ]
}

/// A cookie of a response, with its attributes as received.
struct ResponseCookie {
    let name: String
    let value: String
    private let attributes: [(name: String, value: String)]

    /// Parses a field; returns `nil` if it has no name.
    init?(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(halves[0].trimmed), value: halves.count > 1 ? String(halves[1].trimmed) : "")
        }
        guard let first = parts.first, !first.name.isEmpty else { return nil }
        (name, value) = first
        attributes = Array(parts.dropFirst())
    }

    /// Returns the value of an attribute; `nil` if the cookie does not have it or the value is invalid.
    func value(of attribute: HurlCookieAttribute) -> HurlValue? {
        if attribute == .value { return .string(value) }
        let name = attribute.rawValue.lowercased()
        guard let text = attributes.first(where: { $0.name.lowercased() == name })?.value else { return nil }
        switch attribute {
        case .secure, .httpOnly: return .present
        case .maxAge: return Int64(text).map { .number(.integer($0)) }
        case .expires:
            // Netscape's format has hyphens in the date.
            let date = HTTPDate(parsing: text) ?? HTTPDate(parsing: text.replacing("-", with: " "))
            return date.map { .date(HurlDate(secondsSince1970: $0.secondsSince1970)) }
        case .value, .domain, .path, .sameSite: return .string(text)
        }
    }
}
