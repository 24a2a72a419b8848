internal import AFHTTP

/// Finds names of secrets in text of unknown syntax: `password: x`, `<token>x</token>`, `{'key': 'x'}`.
enum SecretText {
    /// Whether the text appears to contain the name of a secret, followed by a value.
    static func isLikely(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // In malformed JSON, names cannot be distinguished from values.
        if let first = bytes.first(where: { !$0.isSpacing }), "{[".utf8.contains(first), !isIPv6Address(bytes) {
            return hasNames(text)
        }
        let names = SecretNames()
        var isInTag = false
        var position = 0
        while position < bytes.count {
            let start = position
            while position < bytes.count, bytes[position].isOfName { position += 1 }
            guard position > start else {
                if bytes[position] == UInt8(ascii: "<") { isInTag = true }
                if bytes[position] == UInt8(ascii: ">") || bytes[position].isSpacing { isInTag = false }
                position += 1
                continue
            }
            let isNamed =
                isInTag || bytes[position...].first(where: { !$0.isSeparator }).map(":=>".utf8.contains) == true
            if isNamed, names.contains(String(decoding: bytes[start..<position], as: UTF8.self)) { return true }
        }
        return false
    }

    /// Whether the text starts like an IPv6 address in brackets, of which the second may be missing.
    private static func isIPv6Address(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.dropFirst().prefix { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        let next = bytes[digits.endIndex...].first
        return bytes.first == UInt8(ascii: "[") && digits.count { $0 == UInt8(ascii: ":") } >= 2
            && next.map("]/%".utf8.contains) ?? true
    }

    /// Whether the text contains a character that separates or encloses names and values.
    static func hasNames(_ text: String) -> Bool { text.utf8.contains(where: "\"':=<".utf8.contains) }
}

extension UInt8 {
    var isSpacing: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    fileprivate var isHexDigit: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(asciiLowercased)
    }

    var isOfName: Bool {
        self >= 0x80 || isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// Whether the byte may be between a name and its separator: quotes, possibly escaped, and blanks.
    fileprivate var isSeparator: Bool { isSpacing || "\"'\\".utf8.contains(self) }
}
