package import FoundationEssentials

extension HTTPCookie {
    /// The largest name and value together, and the largest value of an attribute, in bytes (RFC 6265bis §5.6).
    private static let (longestPair, longestAttribute) = (4096, 1024)

    /// Parses a `Set-Cookie` field (RFC 6265 §5.2) and applies the rules of its host (§5.3).
    ///
    /// - Parameters:
    ///   - url: The URL of the response.
    ///   - host: The host that cookies of the URL are for.
    ///   - isPublicSuffix: Whether a domain is a public suffix, such as `co.uk`.
    /// - Returns: `nil` if the cookie must not be stored. An expired cookie deletes the stored one.
    package init?(
        setCookie field: String,
        from url: HTTPURL,
        host: String,
        now: Date = .now,
        isPublicSuffix: (String) -> Bool
    ) {
        let octets = field.octets
        guard octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        let parts = octets.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let (name, value) = parts[0].pair, !name.isEmpty, name.count + value.count <= Self.longestPair,
            !name.contains(0x09), !value.contains(0x09)
        else { return nil }
        self.init(name: String(octets: name), value: String(octets: value), domain: host, path: "")
        isFromResponse = true
        var (domain, lifetime): (String, Double?) = ("", nil)
        for part in parts.dropFirst() {
            // The name decides: `Secure=true` is a common mistake.
            let (name, value) = part.pair ?? (part.trimmed, [])
            guard value.count <= Self.longestAttribute else { continue }
            switch String(decoding: name, as: UTF8.self).lowercased() {
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "domain" where !value.isEmpty:
                domain = String(octets: value.first == UInt8(ascii: ".") ? value.dropFirst() : value).lowercased()
            case "path": path = String(octets: value.withoutQuotes)
            case "max-age": lifetime = value.withoutQuotes.lifetime ?? lifetime
            case "expires": expiresDate = HTTPDate(ofCookie: value)?.date ?? expiresDate
            default: break
            }
        }
        if let lifetime { expiresDate = lifetime > 0 ? now.addingTimeInterval(lifetime) : .distantPast }
        let hasPath = path.utf8.first == UInt8(ascii: "/") && !path.utf8.contains(0x09)
        if !hasPath { (path, hasDefaultPath) = (url.path.defaultCookiePath, true) }
        guard accept(domain, of: host, isPublicSuffix), !isSecure || url.isTrustedWithCookies else { return nil }
        if hasSecureName, !isSecure { return nil }
        if hasPrefix("__host-"), coversSubdomains || !hasPath || path != "/" { return nil }
    }

    /// Applies the value of `Domain`: a host sets cookies for itself and its parent domains below a public suffix.
    private mutating func accept(_ domain: String, of host: String, _ isPublicSuffix: (String) -> Bool) -> Bool {
        guard !domain.isEmpty else { return true }
        // A host with a dot at its end has no parent domains.
        guard domain == host || host.isSubdomain(of: domain), domain.utf8.last != UInt8(ascii: ".") else {
            return false
        }
        guard !host.isHostAddress, !Safety.refuses("03-public-suffix", isPublicSuffix(domain)) else {
            return domain == host
        }
        self.domain = ".\(domain)"
        return true
    }
}

extension ArraySlice<UInt8> {
    /// The text without the double quotes of older servers (RFC 2109 §10.1).
    fileprivate var withoutQuotes: ArraySlice<UInt8> {
        count > 1 && first == UInt8(ascii: "\"") && last == UInt8(ascii: "\"") ? dropFirst().dropLast() : self
    }

    /// The seconds of `Max-Age` (RFC 6265 §5.2.2), at most those of a century.
    fileprivate var lifetime: Double? {
        let digits = first == UInt8(ascii: "-") ? dropFirst() : self
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return Double(String(decoding: self, as: UTF8.self)).map { Swift.min($0, 100 * 365.25 * 86400) }
    }
}

extension String {
    /// The default path of cookies: the path up to its last slash (RFC 6265 §5.1.4).
    fileprivate var defaultCookiePath: String {
        let end = utf8.lastIndex(of: UInt8(ascii: "/")) ?? startIndex
        return end == startIndex ? "/" : String(self[..<end])
    }
}

extension HTTPDate {
    /// Parses the date of a cookie in any of the forms that servers use (RFC 6265 §5.1.1).
    package init?(ofCookie text: some Sequence<UInt8>) {
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
        for token in Array(text).split(whereSeparator: \.separatesCookieDate) {
            if time == nil, let found = token.timeOfDay {
                time = found
            } else if day == nil, let found = token.number(digits: 1...2) {
                day = found
            } else if month == nil, let found = token.month {
                month = found
            } else if year == nil, let found = token.number(digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time[0] < 24, time[1] < 60, time[2] < 60,
            let seconds = Self.seconds(
                year: year, month: month, day: day, time: time[0] * 3600 + time[1] * 60 + time[2])
        else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

extension UInt8 {
    fileprivate var separatesCookieDate: Bool {
        switch self {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// The number that the token starts with; `nil` unless it has as many digits.
    fileprivate func number(digits: ClosedRange<Int>) -> Int? {
        let text = prefix(while: \.isASCIIDigit)
        return digits.contains(text.count) ? text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
    }

    /// Hours, minutes and seconds.
    fileprivate var timeOfDay: [Int]? {
        let fields = split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[..<2].allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        let numbers = fields.compactMap { $0.number(digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    /// The number of the month, 0 for January.
    fileprivate var month: Int? {
        let name = prefix(3).map(\.asciiLowercased)
        return HTTPDate.months.firstIndex { $0.lowercased().utf8.elementsEqual(name) }
    }
}
