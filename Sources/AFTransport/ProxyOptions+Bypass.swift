public import AFHTTP
internal import Glibc

extension ProxyOptions {
    /// Whether ``bypass`` matches the URL.
    ///
    /// libcurl never evaluates the list: 7.88 misreads ranges of IPv6 addresses and `0.0.0.0/0`.
    public func isBypassed(for url: HTTPURL) -> Bool {
        let host = String(url.host.withoutBrackets.prefix { $0 != "%" }).withoutDots
        let address = AddressRange(host)
        return bypass.bypassEntries.contains { text in
            switch BypassEntry(String(text)) {
            case nil: false
            case .all: true
            case .addresses(let range, let port):
                (port == nil || port == url.port) && address.map(range.contains) ?? false
            case .name(let name, let port):
                (port == nil || port == url.port) && address == nil && (host == name || host.hasSuffix(".\(name)"))
            }
        }
    }

    /// Returns the entries of a ``bypass`` list, and whether each can match a URL: a pattern such as `*.example` or
    /// `127.*`, a URL and an invalid address never do.
    public static func bypassEntries(of list: String) -> [(text: String, canMatch: Bool)] {
        list.bypassEntries.map { (String($0), BypassEntry(String($0)) != nil) }
    }

    /// Returns the entries of a ``bypass`` list that curl knows: those with a port match no host there, nor does `*`
    /// beside others.
    package static func bypassEntriesOfCurl(of list: String) -> [String] {
        if list == "*" { return [list] }
        return list.bypassEntries.map(String.init).filter { $0 != "*" && BypassEntry($0)?.hasPort == false }
    }
}

/// An entry of a bypass list.
private enum BypassEntry {
    case all
    case addresses(AddressRange, port: Int?)
    case name(String, port: Int?)

    var hasPort: Bool {
        switch self {
        case .all: false
        case .addresses(_, let port), .name(_, let port): port != nil
        }
    }

    /// Parses an entry; `nil` if it matches no URL.
    init?(_ text: String) {
        if text == "*" {
            self = .all
            return
        }
        if let range = AddressRange(text) {
            self = .addresses(range, port: nil)
            return
        }
        let (host, digits) = text.hostAndPort
        let port = digits.flatMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? UInt16($0) : nil }.map(Int.init)
        guard digits == nil || port != nil else { return nil }
        let name = HTTPURL.canonicalHost(host.withoutDots)
        if let range = AddressRange(name ?? host.withoutDots) {
            self = .addresses(range, port: port)
        } else if let name, !name.hasPrefix("[") {
            self = .name(name, port: port)
        } else {
            return nil
        }
    }
}

/// An address, or all addresses that start with the same bits.
private struct AddressRange {
    private let bytes: [UInt8]
    private let bits: Int

    /// Parses `ADDRESS` or `ADDRESS/BITS`; `nil` for another text.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/" as Character, maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(String(parts[0].withoutBrackets)) else { return nil }
        self.bytes = bytes
        guard parts.count == 2 else {
            bits = bytes.count * 8
            return
        }
        guard parts[1].utf8.allSatisfy({ $0.isASCIIDigit }), let bits = Int(parts[1]), bits <= bytes.count * 8
        else { return nil }
        self.bits = bits
    }

    func contains(_ other: AddressRange) -> Bool {
        bytes.count == other.bytes.count
            && (0..<bits).allSatisfy { (bytes[$0 / 8] ^ other.bytes[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

extension String {
    /// The name without dots at its start, and without one at its end.
    fileprivate var withoutDots: String {
        let name = drop { $0 == "." }
        return String(name.last == "." ? name.dropLast() : name)
    }

    /// The entries of a bypass list, which commas, blanks and line ends separate.
    fileprivate var bypassEntries: [Substring] {
        utf8.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.map { Substring($0) }
    }

    /// The host, and the text after the last colon.
    fileprivate var hostAndPort: (host: String, port: String?) {
        guard let colon = lastIndex(of: ":"), !hasSuffix("]") else { return (self, nil) }
        return (String(self[..<colon]), String(self[index(after: colon)...]))
    }
}
