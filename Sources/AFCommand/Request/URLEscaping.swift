internal import AFHTTP
internal import Glibc

/// The encoding of paths and queries (RFC 3986).
enum URLEscaping {
    /// Encodes characters that are not allowed in a path or query: spaces, control characters, non-ASCII, and
    /// `"<>\^`{|}`.
    ///
    /// - Parameter keepsPercent: Whether malformed escapes are kept instead of encoding the percent sign as `%25`; then
    ///   only characters that would break the request line are encoded.
    static func encoded(_ text: some StringProtocol, keepsPercent: Bool) -> String {
        let bytes = Array(text.utf8)
        return bytes.percentEncoded { byte, index in
            switch byte {
            case ...0x20, 0x7F...: true
            case UInt8(ascii: "%"): !keepsPercent && !bytes.isPercentEscape(at: index)
            default: !keepsPercent && "\"<>\\^`{|}".utf8.contains(byte)
            }
        }
    }

    /// Encodes all characters but unreserved ones.
    static func encodedSegment(_ text: String) -> String {
        Array(text.utf8).percentEncoded { byte, _ in !byte.isUnreserved }
    }
}

extension StringProtocol {
    /// Whether the text is an IPv6 address without brackets, optionally with a zone.
    var isIPv6Address: Bool {
        var address = in6_addr()
        return contains(":") && inet_pton(AF_INET6, String(prefix { $0 != "%" }), &address) == 1
    }
}
