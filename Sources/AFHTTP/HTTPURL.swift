/// An http or https URL, parsed once.
///
/// Code that decides where credentials are sent reads the parts, and libcurl gets ``text``, which is built from the
/// same parts. The host contains only characters that all parsers read alike, so the two agree.
public struct HTTPURL: Hashable, Sendable {
    /// The scheme of the URL.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http, https

        /// The port of a URL that names none: 80 or 443 (RFC 9110 §4.2).
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// One reference: a request copies its URL some thirty times, and each copy would retain six strings.
    private let storage: Storage

    /// The scheme; parsed in either case.
    public var scheme: Scheme { storage.components.scheme }
    /// The user, percent-decoded; `nil` if the URL has none.
    public var user: String? { storage.components.user }
    /// The password, percent-decoded; `nil` if the URL has none.
    public var password: String? { storage.components.password }
    /// The host in ASCII and lower case; IPv6 addresses are in brackets and in their shortest form, a zone is `%25zone`.
    public var host: String { storage.components.host }
    /// The port to connect to: the explicit or the default one.
    public var port: Int { storage.components.port }
    /// The path and query of the request line, with forbidden characters percent-encoded.
    public var target: String { storage.components.target }

    /// The scheme, host and port.
    public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// The URL without user info and fragment.
    public var text: String { storage.text }

    /// The path, percent-encoded.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query without its question mark; `nil` if the URL has none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// Returns a host as ``host`` spells it; `nil` if it is invalid. IPv6 addresses are in brackets.
    package static func canonicalHost(_ text: some StringProtocol) -> String? { HTTPHost.canonical(Substring(text)) }

    /// Whether the host is an IP address.
    public var hasAddressHost: Bool { host.hasPrefix("[") || HTTPHost.isIPv4(host) }

    /// Parses an absolute URL.
    ///
    /// - Throws: ``InvalidURL`` unless the text is an absolute http or https URL with one interpretation.
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
            target: Self.target(parts.target),
            parsedText: text
        )
    }

    /// Creates a URL from a text that is its own canonical form, without characters that may need encoding; `nil` for any
    /// other text.
    ///
    /// Foundation's URL for such a text is the text itself. Creating one costs 55,000 instructions more, and a small request
    /// costs 200,000 in all.
    package init?(plain text: String) {
        guard text.hasOnlyBytes(where: Self.isPlain), let url = try? HTTPURL(parsing: text), url.text == text else {
            return nil
        }
        self = url
    }

    /// - Parameter parsedText: Becomes the URL's ``text`` if it is the same, which saves an allocation.
    init(
        scheme: Scheme, user: String?, password: String?, host: String, port: Int, target: String,
        parsedText: String? = nil
    ) {
        let components = Components(
            scheme: scheme, user: user, password: password, host: host, port: port, target: target)
        let origin = Origin(scheme: scheme, host: host, port: port)
        if let parsedText, origin.isFollowed(by: target, in: parsedText) {
            storage = Storage(components, text: parsedText)
        } else {
            storage = Storage(components, text: origin.followed(by: target))
        }
    }

    /// Whether both have the same components.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool {
        left.storage === right.storage || left.storage.components == right.storage.components
    }

    /// Hashes the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.components) }

    private static func target(_ text: Substring) -> String {
        guard let first = text.utf8.first else { return "/" }
        let needsSlash = first == UInt8(ascii: "?")
        let isEncoded = text.hasOnlyBytes { !mustBeEncoded($0, inQuery: false) }
        guard needsSlash || !isEncoded else { return String(text) }
        var isInQuery = false
        let target = Array(text.utf8).percentEncoded { byte, _ in
            if byte == UInt8(ascii: "?") { isInQuery = true }
            return mustBeEncoded(byte, inQuery: isInQuery)
        }
        return needsSlash ? "/" + target : target
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || (byte >= UInt8(ascii: "-") && byte <= UInt8(ascii: ":"))
            || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
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
}

extension HTTPURL {
    private struct Components: Hashable, Sendable {
        let scheme: Scheme
        let user: String?
        let password: String?
        let host: String
        let port: Int
        let target: String
    }

    private final class Storage: Sendable {
        let components: Components
        let text: String

        init(_ components: Components, text: String) {
            self.components = components
            self.text = text
        }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The ``text``, which has no user info.
    public var description: String { text }
}

/// The reason why a text cannot be the URL of a request.
public struct InvalidURL: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Reason: Hashable, Sendable {
        /// There is no `scheme://` prefix.
        case missingScheme
        /// The scheme is neither http nor https.
        case unsupportedScheme(String)
        /// There is a control character, a space or a backslash.
        case illegalCharacter
        case emptyHost
        /// The host is neither a name nor an address, or programs read it in different ways.
        case invalidHost(String)
        case invalidPort(String)
        /// The user info contains an unencoded `@` or malformed percent-encoding.
        case invalidUserInfo
    }

    /// The problem with ``url``.
    public let reason: Reason
    /// The text without its user info.
    public let url: String

    init(_ reason: Reason, in text: String) {
        self.reason = reason
        self.url = text.withoutUserInfo
    }

    /// A clause without a full stop and without user info.
    public var description: String {
        switch reason {
        case .missingScheme: "'\(url)' has no scheme such as http://"
        case .unsupportedScheme(let scheme): "the scheme '\(scheme)' is not supported: only http and https are"
        case .illegalCharacter: "'\(url)' contains a character that is not allowed in URLs"
        case .emptyHost: "'\(url)' has no host"
        case .invalidHost(let host): "'\(host)' is not a host name or address"
        case .invalidPort(let port): "invalid port '\(port)': expected 1 to 65535"
        case .invalidUserInfo: "the user info of '\(url)' is not percent-encoded"
        }
    }
}

extension String {
    /// The text of a URL without user and password, for display.
    ///
    /// The text need not be a valid URL; a relative reference stays unchanged.
    public var withoutUserInfo: String {
        let start = authorityStart
        let end = utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? endIndex
        guard let at = utf8[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return self }
        return String(self[..<start]) + String(self[utf8.index(after: at)...])
    }

    /// Where the authority of a URL starts: after the scheme, the slashes of `//host`, or at the start.
    package var authorityStart: Index {
        if utf8.starts(with: "//".utf8) { return utf8.index(startIndex, offsetBy: 2) }
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
            return startIndex
        }
        return utf8.index(colon, offsetBy: 3)
    }
}
