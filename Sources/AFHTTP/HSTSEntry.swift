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
