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
    /// Whether a response set the cookie. A session stores at most 180 of these for a registrable domain, such as
    /// `example.co.uk`, and 3,000 in all; cookies of the caller are not counted.
    public var isFromResponse = false

    /// Whether ``path`` is that of the URL, as the server named none. curl ends it with a slash in files.
    package var hasDefaultPath = false

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

    /// Whether all parts are equal, texts by their octets.
    public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool {
        left.name.isSame(as: right.name) && left.value.isSame(as: right.value) && left.domain.isSame(as: right.domain)
            && left.path.isSame(as: right.path) && left.expiresDate == right.expiresDate
            && left.isSecure == right.isSecure && left.isHTTPOnly == right.isHTTPOnly
            && left.isFromResponse == right.isFromResponse && left.hasDefaultPath == right.hasDefaultPath
    }
}

// Identity and scope

extension HTTPCookie {
    /// The identity of a cookie: setting a cookie replaces the one with the same name, domain and path (RFC 6265 §5.3).
    public struct Identity: Hashable, Sendable {
        package let domain: String
        private let name: [UInt8]
        private let path: [UInt8]
        private let coversSubdomains: Bool

        fileprivate init(_ cookie: HTTPCookie) {
            domain = cookie.domainName
            name = cookie.name.octets
            path = cookie.path.octets
            coversSubdomains = cookie.coversSubdomains
        }
    }

    /// The name, the domain and the path.
    public var identity: Identity { Identity(self) }

    /// Whether subdomains of ``domainName`` receive the cookie.
    package var coversSubdomains: Bool { domain.utf8.first == UInt8(ascii: ".") }

    /// The domain without a leading dot, in lower case.
    package var domainName: String { domain.withoutLeadingDot.lowercased() }

    /// Whether the cookie is sent over TLS only, also because of its name.
    package var requiresTLS: Bool { isSecure || hasSecureName }

    /// Whether the name requires that the cookie is secure, in any case (RFC 6265bis §4.1.3).
    package var hasSecureName: Bool { hasPrefix("__secure-") || hasPrefix("__host-") }

    /// Whether the name starts with a text in lower case, in any case.
    func hasPrefix(_ prefix: String) -> Bool { name.utf8.map(\.asciiLowercased).starts(with: prefix.utf8) }

    /// Whether the cookie has not expired.
    package func isAlive(_ now: Date = .now) -> Bool { expiresDate.map { $0 > now } ?? true }

    /// Whether a request for the URL includes the cookie (RFC 6265 §5.4), unless it has expired.
    ///
    /// - Parameter host: The host that cookies are for, if it is not the URL's.
    package func isSent(to url: HTTPURL, host: String? = nil) -> Bool {
        isOf(host: host ?? url.cookieHost) && covers(path: url.path)
            && Safety.requires("03-secure", !requiresTLS || url.isTrustedWithCookies)
    }

    /// Whether the cookie is for a host, regardless of the path and TLS.
    package func isOf(host: String) -> Bool {
        host == domainName
            || Safety.requires("03-subdomains", coversSubdomains) && host.isSubdomain(of: domainName)
    }

    /// Whether a path is the cookie's or below it (RFC 6265 §5.1.4).
    package func covers(path target: String) -> Bool {
        let (path, target) = (path.utf8, target.utf8)
        guard target.starts(with: path) else { return false }
        return target.count == path.count || path.last == UInt8(ascii: "/")
            || target.dropFirst(path.count).first == UInt8(ascii: "/")
    }

    /// Returns the cookies in the order of the `Cookie` field (RFC 6265 §5.4): long paths first, then older cookies.
    ///
    /// - Parameter cookies: The cookies, oldest first.
    package static func inOrderOfField(_ cookies: [HTTPCookie]) -> [HTTPCookie] {
        // The standard library's sort is stable.
        cookies.sorted { $0.path.utf8.count > $1.path.utf8.count }
    }
}

extension HTTPURL {
    /// The host as cookies name it: without brackets.
    package var cookieHost: String { String(host.withoutBrackets) }

    /// Returns the host that the cookies of a request are for: that of its `Host` field, or else of the URL.
    package func cookieHost(withField hostField: String?) -> String {
        guard let hostField, let url = try? HTTPURL(parsing: "\(scheme)://\(hostField)/") else { return cookieHost }
        return url.cookieHost
    }

    /// Whether secure cookies are sent to this URL and accepted from it: over TLS, and by this machine.
    package var isTrustedWithCookies: Bool {
        scheme == .https || ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }
}

extension String {
    /// Whether a host, as cookies name it, is below a domain.
    package func isSubdomain(of domain: String) -> Bool {
        utf8.count > domain.utf8.count && utf8.reversed().starts(with: ("." + domain).utf8.reversed())
            && !domain.isEmpty && !isHostAddress
    }

    /// By octets: a dot and a combining mark are one character.
    fileprivate var withoutLeadingDot: String {
        utf8.first == UInt8(ascii: ".") ? String(Substring(utf8.dropFirst())) : self
    }

    /// Whether a host, as cookies name it, is an address.
    package var isHostAddress: Bool { HTTPHost.isIPv4(self) || utf8.contains(UInt8(ascii: ":")) }
}

// Netscape's format

extension HTTPCookie {
    package static let httpOnlyMark = "#HttpOnly_"

    /// Creates a cookie from a line of a Netscape cookie file: seven fields separated by tabs.
    ///
    /// Like other tools, it accepts `true` in any case, an empty expiry of a session cookie, and a line without the tab
    /// before an empty value.
    public init?(netscapeLine line: some StringProtocol) {
        let isHTTPOnly = line.utf8.starts(with: Self.httpOnlyMark.utf8)
        let text = line.octets.dropFirst(isHTTPOnly ? Self.httpOnlyMark.utf8.count : 0)
        let fields = text.split(separator: 0x09, maxSplits: 7, omittingEmptySubsequences: false)
            .map { String(octets: $0) }
        guard (6...7).contains(fields.count), text.first != UInt8(ascii: "#"), !fields[5].isEmpty,
            let expiry = fields[4].isEmpty ? 0 : Double(fields[4]), expiry.isFinite
        else { return nil }
        let host = fields[0].withoutLeadingDot
        self.init(
            name: fields[5],
            value: fields.count == 7 ? fields[6] : "",
            domain: fields[1].lowercased() == "true" ? "." + host : host,
            path: fields[2],
            expiresDate: expiry == 0 ? nil : Date(timeIntervalSince1970: Self.bounded(expiry)),
            isSecure: fields[3].lowercased() == "true",
            isHTTPOnly: isHTTPOnly
        )
        guard isStorable else { return nil }
    }

    /// The cookie as a line of a Netscape cookie file; `nil` if it contains a control character, or if the line would be
    /// a comment.
    public var netscapeLine: String? {
        guard isStorable else { return nil }
        let fields = [
            domain, coversSubdomains ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", "\(expiry)", name, value,
        ]
        return (isHTTPOnly ? Self.httpOnlyMark : "") + fields.joined(separator: "\t")
    }

    /// Whether the cookie can be stored in a file and sent.
    package var isStorable: Bool {
        !domain.isEmpty && domain.utf8.first != UInt8(ascii: "#")
            && [domain, path, name, value].allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    }

    /// The expiry in seconds since 1970; 0 for a session cookie, so that no date is written as 0.
    private var expiry: Int64 {
        expiresDate.map { Int64(Self.bounded($0.timeIntervalSince1970)) } ?? 0
    }

    /// Limits the seconds to the range that a line and a `Date` can represent exactly.
    private static func bounded(_ seconds: Double) -> Double { min(max(1, seconds), 0x1p52).rounded(.down) }
}
