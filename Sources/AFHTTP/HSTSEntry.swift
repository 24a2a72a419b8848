public import FoundationEssentials
import Glibc

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
        for directive in value.split(separator: ";" as Character) {
            let halves = directive.split(separator: "=" as Character, maxSplits: 1, omittingEmptySubsequences: false)
            let name = halves[0].withoutBlanks.lowercased()
            guard !name.isEmpty else { continue }
            // A repeated directive makes the complete field invalid (§6.1).
            guard names.insert(name).inserted else { return nil }
            switch name {
            case "max-age":
                guard halves.count == 2, let seconds = halves[1].seconds else { return nil }
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
        var seconds = time_t(HTTPDate(expiresDate).secondsSince1970)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        let day = "\((fields.tm_year + 1900).padded(4))\((fields.tm_mon + 1).padded(2))\(fields.tm_mday.padded(2))"
        return "\(day) \(fields.tm_hour.padded(2)):\(fields.tm_min.padded(2)):\(fields.tm_sec.padded(2))"
    }

    private static func date(_ text: some StringProtocol) -> Date? {
        let digits = text.utf8.filter { $0.isASCIIDigit }.map { Int32($0 - UInt8(ascii: "0")) }
        guard digits.count == 14, text.utf8.count == 17 else { return nil }
        func number(_ range: Range<Int>) -> Int32 { digits[range].reduce(0) { $0 * 10 + $1 } }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (number(0..<4) - 1900, number(4..<6) - 1, number(6..<8))
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (number(8..<10), number(10..<12), number(12..<14))
        return Date(timeIntervalSince1970: Double(timegm(&fields)))
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

extension Substring {
    fileprivate var withoutBlanks: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// The number of seconds; `nil` unless the text is digits, in quotes or not.
    fileprivate var seconds: Double? {
        var text = withoutBlanks
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let seconds = Double(text) else { return nil }
        // `Date` cannot represent every number: the limit is one hundred years.
        return Swift.min(seconds, 100 * 365 * 86400)
    }
}

extension String {
    fileprivate var withoutEndingDot: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Int32 {
    fileprivate func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
