public import AFHTTP
internal import Glibc

extension ProxyOptions {
    /// Whether ``bypass`` matches the URL.
    ///
    /// libcurl never evaluates the list: 7.88 misreads ranges of IPv6 addresses and `0.0.0.0/0`.
    public func isBypassed(for url: HTTPURL) -> Bool {
        let host = String(url.host.withoutBrackets.prefix { $0 != "%" }).withoutDots
        let address = AddressRange(host)
        return bypass.utf8.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.contains { entry in
            let entry = String(Substring(entry)).lowercased()
            if entry == "*" { return true }
            if let range = AddressRange(entry) { return address.map(range.contains) ?? false }
            let (name, port) = entry.nameAndPort
            guard port == nil || port == "\(url.port)", !name.isEmpty else { return false }
            if let range = AddressRange(name) { return address.map(range.contains) ?? false }
            return address == nil && (host == name || host.hasSuffix(".\(name)"))
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
        guard let bytes = Self.bytes(String(parts[0]).withoutBrackets) else { return nil }
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
    /// The address without the brackets of `[::1]`.
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }

    /// The name without dots at its start, and without one at its end.
    fileprivate var withoutDots: String {
        let name = drop { $0 == "." }
        return String(name.last == "." ? name.dropLast() : name)
    }

    /// The name, and the port behind it.
    fileprivate var nameAndPort: (name: String, port: String?) {
        guard let colon = lastIndex(of: ":"), !hasSuffix("]") else { return (withoutDots, nil) }
        return (String(self[..<colon]).withoutDots, String(self[index(after: colon)...]))
    }
}
