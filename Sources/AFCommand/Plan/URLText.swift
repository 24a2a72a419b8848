internal import AFHTTP
internal import Glibc

/// The spelling of paths and queries (RFC 3986).
enum URLText {
    /// Encodes what cannot stand in a path or query: spaces, control characters, non-ASCII, and `"<>\^`{|}`.
    ///
    /// - Parameter keepsPercent: Whether a percent sign that introduces no byte stays, instead of becoming `%25`; then
    ///   only what would break the request line is encoded.
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

    /// Encodes everything but unreserved characters.
    static func encodedSegment(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved { encoded.append(byte) } else { encoded.appendPercentEncoded(byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The path without `.` and `..` (RFC 3986 §5.2.4).
    static func withoutDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}

extension [UInt8] {
    /// Whether a percent sign and two hexadecimal digits stand here.
    fileprivate func isEscape(at index: Int) -> Bool {
        index + 2 < count && self[index + 1].hexadecimalValue != nil && self[index + 2].hexadecimalValue != nil
    }
}

extension StringProtocol {
    /// The text with `%XX` replaced by bytes; `nil` where they are not UTF-8 or hold control characters.
    var percentDecoded: String? {
        let bytes = Array(utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        guard !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Whether this is an IPv6 address without brackets; a zone may follow it.
    var isIPv6Address: Bool {
        var address = in6_addr()
        return contains(":") && inet_pton(AF_INET6, String(prefix { $0 != "%" }), &address) == 1
    }
}
