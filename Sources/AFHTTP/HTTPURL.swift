/// An http or https URL, taken apart once.
///
/// Everything that decides where credentials go reads the parts, and what libcurl gets is ``text``, which is put
/// together from the same parts. The host holds only characters that no parser reads in two ways, so the two agree.
public struct HTTPURL: Hashable, Sendable {
    /// How the server is spoken to.
    public enum Scheme: String, Hashable, Sendable {
        case http, https

        /// 80 or 443: the port of a URL that names none (RFC 9110 §4.2).
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// Written in either case, kept in lower case.
    public let scheme: Scheme
    /// Percent-decoded; `nil` when the URL names no user.
    public let user: String?
    /// Percent-decoded; `nil` when the URL names no password.
    public let password: String?
    /// ASCII and lower case; IPv6 addresses in brackets, a zone as `%25zone`.
    public let host: String
    /// The port to connect to, whether written or not.
    public let port: Int
    /// Path and query as they stand in the request line. Characters that may not stand there are percent-encoded.
    public let target: String

    /// Scheme, host and port, the user info left out.
    public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// The URL without user info and fragment.
    public let text: String

    /// The path alone, percent-encoded.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query without its question mark; `nil` when there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// Whether the host is an address and not a name.
    public var hasAddressHost: Bool { host.hasPrefix("[") || HTTPHost.isIPv4(host) }

    /// - Throws: ``InvalidURL`` for anything but an absolute http or https URL that has one reading.
    public init(parsing text: String) throws(InvalidURL) {
        let parts = try Parts(text)
        guard let scheme = Scheme(rawValue: parts.scheme) else {
            throw InvalidURL(.unsupportedScheme(parts.scheme), in: text)
        }
        let authority = try Authority(parts.authority, in: text)
        self.init(
            scheme: scheme,
            user: authority.user,
            password: authority.password,
            host: authority.host,
            port: authority.port ?? scheme.defaultPort,
            target: Self.target(parts.target)
        )
    }

    /// A URL without user info, fragment and characters that one might encode: `nil` for any other text.
    ///
    /// Foundation's URL of such a text is the text itself.
    package init?(plain text: String) {
        guard text.utf8.allSatisfy(Self.isPlain), let url = try? HTTPURL(parsing: text), url.text == text else {
            return nil
        }
        self = url
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || (byte >= UInt8(ascii: "-") && byte <= UInt8(ascii: ":"))
            || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    init(scheme: Scheme, user: String?, password: String?, host: String, port: Int, target: String) {
        self.scheme = scheme
        self.user = user
        self.password = password
        self.host = host
        self.port = port
        self.target = target
        text = Origin(scheme: scheme, host: host, port: port).followed(by: target)
    }

    private static func target(_ text: Substring) -> String {
        let bytes = text.utf8
        guard let first = bytes.first else { return "/" }
        let needsSlash = first == UInt8(ascii: "?")
        guard needsSlash || bytes.contains(where: { mustBeEncoded($0, inQuery: false) }) else { return String(text) }
        var target = needsSlash ? "/" : ""
        var isInQuery = false
        for byte in bytes {
            if byte == UInt8(ascii: "?") { isInQuery = true }
            if mustBeEncoded(byte, inQuery: isInQuery) {
                target += percentEncoded(byte)
            } else {
                target.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return target
    }

    private static func mustBeEncoded(_ byte: UInt8, inQuery: Bool) -> Bool {
        switch byte {
        case ...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        case UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
            UInt8(ascii: "}"):
            !inQuery
        default: false
        }
    }

    static func percentEncoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 0x10 ? "%0\(digits)" : "%\(digits)"
    }
}

extension HTTPURL: CustomStringConvertible {
    /// ``text``: user info never shows.
    public var description: String { text }
}

/// Why a text is no URL that a request can go to.
public struct InvalidURL: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with a text.
    public enum Reason: Hashable, Sendable {
        /// There is no `scheme://` in front.
        case missingScheme
        /// The scheme is neither http nor https.
        case unsupportedScheme(String)
        /// A control character, a space or a backslash where none may stand.
        case illegalCharacter
        case emptyHost
        /// Not a name, not an address, or one that programs read in different ways.
        case invalidHost(String)
        case invalidPort(String)
        /// User info that holds an unencoded `@`, or percent signs that encode nothing.
        case invalidUserInfo
    }

    /// What is wrong with ``url``.
    public let reason: Reason
    /// The text without its user info.
    public let url: String

    init(_ reason: Reason, in text: String) {
        self.reason = reason
        self.url = text.withoutUserInfo
    }

    /// A clause without full stop; user info is not in it.
    public var description: String {
        switch reason {
        case .missingScheme: "'\(url)' has no scheme such as http://"
        case .unsupportedScheme(let scheme): "the scheme '\(scheme)' is not supported: only http and https are"
        case .illegalCharacter: "'\(url)' holds a character that no URL may hold"
        case .emptyHost: "'\(url)' names no host"
        case .invalidHost(let host): "'\(host)' is not a host name or address"
        case .invalidPort(let port): "'\(port)' is not a port: 1 to 65535"
        case .invalidUserInfo: "the user info of '\(url)' is not percent-encoded"
        }
    }
}

extension String {
    /// The text of a URL without what stands in front of its host, user and password, to be shown.
    ///
    /// The text need not be a URL that can be asked for; a reference without host stays as it is.
    public var withoutUserInfo: String {
        var start = startIndex
        if let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) {
            start = utf8.index(colon, offsetBy: 3)
        }
        let end = utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? endIndex
        guard let at = utf8[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return self }
        return String(self[..<start]) + String(self[utf8.index(after: at)...])
    }
}
