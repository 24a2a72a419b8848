internal import AFHTTP
internal import Glibc

/// The encoding of paths and queries (RFC 3986).
enum URLText {
    /// Encodes characters that are not allowed in a path or query: spaces, control characters, non-ASCII, and
    /// `"<>\^`{|}`.
    ///
    /// - Parameter keepsPercent: Whether malformed escapes are kept instead of encoding the percent sign as `%25`; then
    ///   only characters that would break the request line are encoded.
    static func encoded(_ text: some StringProtocol, keepsPercent: Bool) -> String {
        let bytes = Array(text.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isLegal =
                switch byte {
                case ...0x20, 0x7F...: false
                case UInt8(ascii: "%"): keepsPercent || bytes.isEscape(at: index)
                default: keepsPercent || !"\"<>\\^`{|}".utf8.contains(byte)
                }
            if isLegal { encoded.append(byte) } else { encoded.appendPercentEncoded(byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Encodes all characters but unreserved ones.
    static func encodedSegment(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved { encoded.append(byte) } else { encoded.appendPercentEncoded(byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Whether a percent sign and two hexadecimal digits are at the index.
    fileprivate func isEscape(at index: Int) -> Bool {
        index + 2 < count && self[index + 1].hexadecimalValue != nil && self[index + 2].hexadecimalValue != nil
    }
}

extension StringProtocol {
    /// Whether the text is an IPv6 address without brackets, optionally with a zone.
    var isIPv6Address: Bool {
        var address = in6_addr()
        return contains(":") && inet_pton(AF_INET6, String(prefix { $0 != "%" }), &address) == 1
    }
}
