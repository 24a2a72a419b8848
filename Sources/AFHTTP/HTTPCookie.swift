public import FoundationEssentials

/// A cookie as a client stores it (RFC 6265 §5.3).
public struct HTTPCookie: Hashable, Sendable {
    /// The name, which is case-sensitive.
    public var name: String
    /// The value, sent unchanged: nothing in it is encoded or decoded.
    public var value: String
    /// The host that the cookie is sent to; with a leading dot, also to its subdomains.
    public var domain: String
    /// The path that the cookie is sent to, including paths below it (RFC 6265 §5.1.4).
    public var path: String
    /// The date at which the cookie expires; `nil` for a session cookie.
    public var expiresDate: Date?
    /// Whether the cookie is sent over TLS only.
    public var isSecure: Bool
    /// Whether the cookie is hidden from scripts. Stored without effect, as this client runs no scripts.
    public var isHTTPOnly: Bool

    /// Creates a cookie; by default a session cookie for every path of its domain.
    public init(
        name: String,
        value: String,
        domain: String,
        path: String = "/",
        expiresDate: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expiresDate = expiresDate
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
    }
}

extension HTTPCookie {
    /// Whether all parts are equal, texts by their octets.
    public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool {
        left.name.isSame(as: right.name) && left.value.isSame(as: right.value) && left.domain.isSame(as: right.domain)
            && left.path.isSame(as: right.path) && left.expiresDate == right.expiresDate
            && left.isSecure == right.isSecure && left.isHTTPOnly == right.isHTTPOnly
    }

    private static let httpOnlyMark = "#HttpOnly_"

    /// Creates a cookie from a line of a Netscape cookie file: seven fields separated by tabs.
    public init?(netscapeLine line: some StringProtocol) {
        let isHTTPOnly = line.hasPrefix(Self.httpOnlyMark)
        let text = String(isHTTPOnly ? line.dropFirst(Self.httpOnlyMark.count) : line[...])
        let fields = text.split(separator: "\t" as Character, maxSplits: 6, omittingEmptySubsequences: false)
            .map { String(octets: $0.octets) }
        guard fields.count == 7, !text.hasPrefix("#"), let expiry = Double(fields[4]), expiry.isFinite
        else { return nil }
        let coversSubdomains = fields[1] == "TRUE"
        let host = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
        self.init(
            name: fields[5],
            value: fields[6],
            domain: coversSubdomains ? "." + host : host,
            path: fields[2],
            expiresDate: expiry == 0 ? nil : Date(timeIntervalSince1970: Self.bounded(expiry)),
            isSecure: fields[3] == "TRUE",
            isHTTPOnly: isHTTPOnly
        )
    }

    /// The cookie as a line of a Netscape cookie file; `nil` if it contains a tab, a line break or NUL, or if the line
    /// would be a comment.
    public var netscapeLine: String? {
        let fields = [
            domain, domain.hasPrefix(".") ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE",
            "\(expiry)", name, value,
        ]
        let isSound =
            fields.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
            && !domain.isEmpty && domain.utf8.first != UInt8(ascii: "#")
        return isSound ? (isHTTPOnly ? Self.httpOnlyMark : "") + fields.joined(separator: "\t") : nil
    }

    /// The expiry in seconds since 1970; 0 for a session cookie, so that no date is written as 0.
    private var expiry: Int64 {
        expiresDate.map { Int64(Self.bounded($0.timeIntervalSince1970)) } ?? 0
    }

    /// Limits the seconds to the range that a line and a `Date` can represent exactly.
    private static func bounded(_ seconds: Double) -> Double { min(max(1, seconds), 0x1p52).rounded(.down) }
}
