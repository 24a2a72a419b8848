public import FoundationEssentials

/// A host that must be reached over TLS only (RFC 6797).
public struct HSTSEntry: Hashable, Sendable {
    /// The name in ASCII and lower case, without a trailing dot.
    public var host: String
    /// Whether the entry also covers the subdomains of ``host`` (`includeSubDomains`, RFC 6797 §6.1.2).
    public var includesSubdomains: Bool
    /// The date at which the entry expires.
    public var expiresDate: Date

    /// Creates an entry; the host is lowercased and loses a trailing dot.
    public init(host: String, includesSubdomains: Bool = false, expiresDate: Date) {
        self.host = host.lowercased().withoutEndingDot
        self.includesSubdomains = includesSubdomains
        self.expiresDate = expiresDate
    }

    /// Creates an entry from the `Strict-Transport-Security` value of a response; `nil` if the value is invalid.
    ///
    /// A `max-age` of zero, by which a host withdraws its policy, gives an entry that has expired.
    public init?(header value: String, of host: String, now: Date = .now) {
        var lifetime: Double?
        var includesSubdomains = false
        var names: Set<String> = []
        for directive in value.elements(separatedBy: UInt8(ascii: ";")) {
            let pair = directive.pair
            let name = String(decoding: pair?.name ?? directive, as: UTF8.self).lowercased()
            guard !name.isEmpty else { continue }
            // A repeated directive makes the complete field invalid (§6.1).
            guard names.insert(name).inserted else { return nil }
            switch name {
            case "max-age":
                guard let seconds = pair?.value.unquoted.seconds else { return nil }
                lifetime = seconds
            case "includesubdomains": includesSubdomains = true
            default: break
            }
        }
        guard let lifetime else { return nil }
        self.init(
            host: host,
            includesSubdomains: includesSubdomains,
            expiresDate: now.addingTimeInterval(lifetime == 0 ? -1 : lifetime)
        )
    }

    /// Whether the entry covers a host: its own or a subdomain of it.
    public func covers(_ host: String) -> Bool {
        let name = host.lowercased().withoutEndingDot
        return name == self.host || (includesSubdomains && name.hasSuffix("." + self.host))
    }
}

extension HSTSEntry {
    /// Creates an entry from a line of curl's HSTS file: `.example.org "20301231 23:59:59"`; the dot includes
    /// subdomains.
    public init?(curlLine line: some StringProtocol) {
        let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
        guard words.count == 2, !line.hasPrefix("#") else { return nil }
        let date = String(words[1].filter { $0 != "\"" })
        let host = words[0].drop { $0 == "." }
        guard !host.isEmpty, let expires = date == "unlimited" ? .distantFuture : Self.date(date) else { return nil }
        self.init(
            host: String(host),
            includesSubdomains: words[0].hasPrefix("."),
            expiresDate: expires
        )
    }

    /// The entry as a line of curl's HSTS file.
    public var curlLine: String {
        "\(includesSubdomains ? "." : "")\(host) \"\(expiresDate == .distantFuture ? "unlimited" : dateText)\""
    }

    private var dateText: String {
        let parts = HTTPDate(expiresDate).parts
        return "\(parts.year)\(parts.month)\(parts.day) \(parts.hour):\(parts.minute):\(parts.second)"
    }

    private static func date(_ text: some StringProtocol) -> Date? {
        let digits = text.utf8.filter { $0.isASCIIDigit }.map { Int($0 - UInt8(ascii: "0")) }
        guard digits.count == 14, text.utf8.count == 17 else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let time = number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
        return HTTPDate.seconds(year: number(0..<4), month: number(4..<6) - 1, day: number(6..<8), time: time)
            .map { Date(timeIntervalSince1970: Double($0)) }
    }
}

extension HTTPURL {
    /// The URL with the scheme https: port 80 becomes 443, any other port stays (RFC 6797 §8.3).
    public var secured: HTTPURL {
        HTTPURL(
            scheme: .https,
            user: user,
            password: password,
            host: host,
            port: scheme == .http && port == 80 ? 443 : port,
            target: target
        )
    }
}

extension String {
    /// The number of seconds; `nil` unless the text is digits.
    fileprivate var seconds: Double? {
        guard !isEmpty, utf8.allSatisfy(\.isASCIIDigit), let seconds = Double(self) else { return nil }
        // `Date` cannot represent every number: the limit is one hundred years.
        return Swift.min(seconds, 100 * 365 * 86400)
    }

    fileprivate var withoutEndingDot: String { hasSuffix(".") ? String(dropLast()) : self }
}
