internal import AFHTTP

/// A typed URL, completed to the URL of the request.
struct Address: Equatable, Sendable {
    /// The URL to send, without user info and fragment.
    private(set) var url: HTTPURL
    /// The host and port as typed, for prompts and messages: without the `xn--` of international names.
    let host: String
    /// The user info, percent-decoded; a missing password is empty.
    private(set) var credential: URLCredential?
    /// Whether the user info has a password.
    private(set) var hasPassword: Bool
    /// Whether the scheme is ws or wss, which ``url`` has http or https for (RFC 6455 §3).
    let isWebSocket: Bool
    /// The typed scheme; `nil` if it is the default.
    private let scheme: HTTPURL.Scheme?
    /// The path, the query and the fragment as typed.
    private let rest: String
    /// The options of ``url``.
    private var options: Options

    /// The options for parsing.
    struct Options: Equatable, Sendable {
        var defaultScheme = HTTPURL.Scheme.http
        /// Whether dot segments and malformed escapes are kept.
        var keepsPath = false
        /// The file name to append to a path that ends in a slash.
        var fileName: String?
        /// The encoded query to append to the URL's own.
        var query = ""
    }

    /// Parses a URL.
    ///
    /// - Throws: ``UsageError`` for control characters, an unsupported scheme, an invalid host or an invalid port.
    init(_ typed: String, _ options: Options = Options()) throws(UsageError) {
        if let plain = Address(plain: typed, options) {
            self = plain
            return
        }
        isWebSocket = Self.isWebSocket(typed)
        do throws(UsageError) {
            guard Safety.requires("15-url", typed.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }) else {
                throw UsageError("a URL must not contain control characters")
            }
            let (scheme, rest) = try Address.scheme(of: typed)
            let end = rest.firstIndex(ofAny: "/?#") ?? rest.endIndex
            let authority = rest[..<end]
            // Some programs end the authority at a backslash, so that they would see another host.
            guard Safety.requires("16-backslash", authority.firstIndex(ofAny: "\\") == nil) else {
                throw UsageError("a backslash is not allowed before the path")
            }
            let at = authority.lastIndex(ofAny: "@")
            hasPassword = at.map { authority[..<$0].firstIndex(ofAny: ":") != nil } ?? false
            credential = try at.map { (at) throws(UsageError) in try Address.credential(authority[..<at]) } ?? nil
            guard authority.firstIndex(ofAny: "@") == at else {
                throw UsageError(
                    "the URL has two @ before the path", hint: "write %40 for an @ in the user or the password")
            }
            host = try Address.host(at.map { authority[authority.utf8.index(after: $0)...] } ?? authority)
            (self.scheme, self.rest) = (scheme, String(rest[end...]))
        } catch {
            let named = error.naming(Self.withoutUserInfo(typed))
            guard error.hint == nil, Self.mayEndInPassword(typed) else { throw named }
            throw named.hinting("write %2F for a / in the password, or use --auth USER")
        }
        url = try Self.url(scheme, host, self.rest[...], options)
        self.options = options
    }

    /// Creates an address from a text that is already the URL to send; `nil` for any other text.
    ///
    /// Lists have many of them: the rules for other texts take ten times as many instructions.
    private init?(plain typed: String, _ options: Options) {
        guard options.fileName == nil, options.query.isEmpty, let url = HTTPURL(plain: typed),
            options.keepsPath || !url.target.hasDotSegments
        else { return nil }
        let authority = typed.utf8.dropFirst(url.scheme.rawValue.utf8.count + 3).dropLast(url.target.utf8.count)
        (self.url, host, scheme, rest) = (url, String(Substring(authority)), url.scheme, url.target)
        (credential, hasPassword, isWebSocket, self.options) = (nil, false, false, options)
    }

    /// Returns the address with other options, which the configuration may set after its host is known.
    func completed(_ options: Options) throws(UsageError) -> Address {
        if options == self.options { return self }
        var address = self
        address.url = try Self.url(scheme, host, rest[...], options)
        address.options = options
        return address
    }

    /// The address without user info.
    var withoutCredential: Address {
        var address = self
        (address.credential, address.hasPassword) = (nil, false)
        return address
    }

    private static func url(
        _ scheme: HTTPURL.Scheme?,
        _ host: String,
        _ rest: Substring,
        _ options: Options
    ) throws(UsageError) -> HTTPURL {
        let scheme = scheme ?? options.defaultScheme
        do throws(InvalidURL) {
            return try HTTPURL(parsing: "\(scheme.rawValue)://\(host)\(target(rest, options))")
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// Whether the first slash may be part of a password: `user:p/w@host`.
    private static func mayEndInPassword(_ typed: String) -> Bool {
        guard let (_, rest) = try? scheme(of: typed), let end = rest.firstIndex(ofAny: "/") else { return false }
        return rest[..<end].firstIndex(ofAny: ":") != nil && rest[..<end].firstIndex(ofAny: "@") == nil
            && rest[end...].firstIndex(ofAny: "@") != nil
    }

    /// Whether a typed URL has the scheme ws or wss.
    static func isWebSocket(_ typed: String) -> Bool {
        let start = typed.prefix(6).lowercased()
        return start.hasPrefix("ws://") || start == "wss://"
    }

    /// Returns the scheme, which is `nil` if it is the default, and the text after it.
    private static func scheme(of typed: String) throws(UsageError) -> (HTTPURL.Scheme?, Substring) {
        let text = typed.dropFirst(typed.hasPrefix("://") ? 3 : typed.hasPrefix("//") ? 2 : 0)
        if text.hasPrefix(":"), !text.hasPrefix("::") {
            let rest = text.dropFirst()
            let hasPort = rest.first.map { !"/?#".contains($0) } ?? false
            return (nil, "localhost\(hasPort ? ":" : "")\(rest)")
        }
        let scheme = schemePrefix(of: text)
        guard scheme.first?.isLetter == true, text[scheme.endIndex...].hasPrefix("://") else {
            try checkForScheme(in: text)
            return (nil, text)
        }
        let names = ["ws": HTTPURL.Scheme.http, "wss": .https]
        guard let known = names[scheme.lowercased()] ?? HTTPURL.Scheme(rawValue: scheme.lowercased()) else {
            let nearest = ["https", "http"].first { editDistance($0, scheme.lowercased()) == 1 }
            throw UsageError(
                "the scheme is neither http nor https: '\(scheme)'", hint: nearest.map { "did you mean \($0)://?" })
        }
        return (known, text[scheme.endIndex...].dropFirst(3))
    }

    /// The start of a URL that can be a scheme.
    private static func schemePrefix(of text: Substring) -> Substring {
        text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Checks a URL without `://`, in which a scheme would be read as a host, and the rest as a port or a path.
    static func checkForScheme(in text: Substring) throws(UsageError) {
        let word = schemePrefix(of: text)
        let rest = text[word.endIndex...]
        let scheme = word.lowercased()
        guard rest.first == ":", let next = rest.dropFirst().first, !next.isNumber else { return }
        if HTTPURL.Scheme(rawValue: scheme) != nil || ["ws", "wss"].contains(scheme), next == "/" {
            throw UsageError("a scheme is followed by two slashes", hint: "write \(scheme)://")
        }
        let authority = rest[..<(rest.firstIndex(ofAny: "/?#") ?? rest.endIndex)]
        let hasUserInfo = authority.firstIndex(ofAny: "@") != nil && scheme != "mailto"
        guard foreignSchemes.contains(scheme), !hasUserInfo else { return }
        throw UsageError("the scheme is neither http nor https: '\(word)'")
    }

    /// Schemes that are likely to be pasted.
    private static let foreignSchemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "javascript", "mailto", "news", "sftp", "ssh", "tel", "urn", "ws",
        "wss",
    ]

    private static func credential(_ userInfo: Substring) throws(UsageError) -> URLCredential? {
        guard !userInfo.isEmpty else { return nil }
        let (typedUser, typedPassword) = userInfo.halves(around: ":") ?? (userInfo, "")
        guard let user = typedUser.percentDecoded, let password = typedPassword.percentDecoded,
            !(user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw UsageError("the user info is not percent-encoded UTF-8 text", hint: "a percent sign itself is %25")
        }
        return URLCredential(user: user, password: password)
    }

    /// Returns host and port; adds brackets to an IPv6 address.
    private static func host(_ typed: Substring) throws(UsageError) -> String {
        if typed.isIPv6Address { return bracketed(typed) }
        guard typed.first != "[" || typed.firstIndex(ofAny: "]") != nil else {
            throw UsageError("the IPv6 address has no closing bracket")
        }
        let afterBrackets = typed.lastIndex(ofAny: "]").map { typed.utf8.index(after: $0) } ?? typed.startIndex
        guard afterBrackets == typed.startIndex || "\(typed[afterBrackets...].first ?? ":")" == ":" else {
            throw UsageError(
                "invalid host '\(typed)'", hint: "a port follows the bracket: \(typed[..<afterBrackets]):80")
        }
        let colon = typed[afterBrackets...].firstIndex(ofAny: ":")
        let name = typed[..<(colon ?? typed.endIndex)]
        guard !name.isEmpty else { throw UsageError("the URL has no host") }
        guard name.firstIndex(ofAny: " \"<>^`{|}=") == nil else {
            throw UsageError("invalid host '\(name)'")
        }
        let host = name.hasPrefix("[") && name.hasSuffix("]") ? bracketed(name.dropFirst().dropLast()) : String(name)
        guard let colon else { return host }
        let port = typed[typed.utf8.index(after: colon)...]
        if port.isEmpty { return host }
        guard port.isPort, UInt16(port) != 0 else {
            let error = UsageError("invalid port '\(port)': expected 1 to 65535")
            // For curl, port 0 is one to which no connection is possible.
            throw port.isPort ? error.numbered(7) : error
        }
        return "\(host):\(port)"
    }

    /// Returns an IPv6 address as a host; the percent sign before its zone is encoded (RFC 6874 §2).
    private static func bracketed(_ address: Substring) -> String {
        guard let (digits, zone) = address.halves(around: "%") else { return "[\(address)]" }
        return "[\(digits)%25\(zone.hasPrefix("25") ? zone.dropFirst(2) : zone)]"
    }

    /// Returns path and query as sent.
    private static func target(_ typed: Substring, _ options: Options) -> String {
        let withoutFragment = typed[..<(typed.firstIndex(ofAny: "#") ?? typed.endIndex)]
        let (ownPath, ownQuery) = withoutFragment.halves(around: "?") ?? (withoutFragment, "")
        var path = URLEscaping.encoded(ownPath.isEmpty ? "/" : ownPath, keepsPercent: options.keepsPath)
        if !options.keepsPath { path = path.removingDotSegments }
        if let fileName = options.fileName, path.hasSuffix("/") { path += URLEscaping.encodedSegment(fileName) }
        let query = URLEscaping.encoded(ownQuery, keepsPercent: false)
        let hasQuery = ownPath.endIndex < withoutFragment.endIndex || !options.query.isEmpty
        let separator = query.isEmpty || options.query.isEmpty ? "" : "&"
        return path + (hasQuery ? "?" : "") + query + separator + options.query
    }

    private static func withoutUserInfo(_ typed: String) -> String {
        let start = typed.authorityStart
        let authority = typed[start..<(typed[start...].firstIndex(ofAny: "/?#") ?? typed.endIndex)]
        // A password with a slash ends the authority too early.
        let isCut = authority.halves(around: ":").map { !$0.after.isDecimal && !authority.hasPrefix("[") } ?? false
        guard let at = authority.lastIndex(ofAny: "@") ?? (isCut ? typed[start...].lastIndex(ofAny: "@") : nil) else {
            return typed
        }
        return "\(typed[..<start])...\(typed[at...])"
    }
}

extension String {
    /// Whether a path may have segments that start with a dot.
    fileprivate var hasDotSegments: Bool {
        var isAfterSlash = false
        for byte in utf8 {
            if isAfterSlash, byte == UInt8(ascii: ".") { return true }
            isAfterSlash = byte == UInt8(ascii: "/")
        }
        return false
    }
}
