internal import AFHTTP

/// Looks for names of secrets in text of no known grammar: `password: x`, `<token>x</token>`, `{'key': 'x'}`.
enum SecretText {
    /// Whether anything in the text looks like the name of a secret, with a value behind it.
    static func isLikely(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // Where it is broken its names cannot be told from its values.
        if let first = bytes.first(where: { !$0.isBlank }), "{[".utf8.contains(first) { return hasNames(text) }
        let names = SecretNames()
        var isInTag = false
        var position = 0
        while position < bytes.count {
            let start = position
            while position < bytes.count, bytes[position].isOfName { position += 1 }
            guard position > start else {
                if bytes[position] == UInt8(ascii: "<") { isInTag = true }
                if bytes[position] == UInt8(ascii: ">") || bytes[position].isBlank { isInTag = false }
                position += 1
                continue
            }
            let isNamed = isInTag || bytes[position...].first(where: { !$0.isBetween }).map(":=>".utf8.contains) == true
            if isNamed, names.contains(String(decoding: bytes[start..<position], as: UTF8.self)) { return true }
        }
        return false
    }

    /// Whether there is any sign that stands between names and values, or around them.
    static func hasNames(_ text: String) -> Bool { text.utf8.contains(where: "\"':=<".utf8.contains) }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    fileprivate var isOfName: Bool {
        self >= 0x80 || isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }

    /// What may stand between a name and the sign behind it: quotes, which may be escaped, and blanks.
    fileprivate var isBetween: Bool { isBlank || "\"'\\".utf8.contains(self) }
}
