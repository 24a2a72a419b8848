extension StringProtocol {
    /// Whether the text consists of ASCII digits, at least one.
    var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    /// Whether the text is a TCP port number.
    var isPort: Bool { isDecimal && UInt16(self) != nil }
}

/// Searches for ASCII characters by bytes: a combining mark after a separator does not hide the separator.
extension StringProtocol {
    /// Returns the text before and after the first occurrence of an ASCII character.
    func halves(around separator: UnicodeScalar) -> (before: SubSequence, after: SubSequence)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }

    /// Returns the index of the first of these ASCII characters.
    func firstIndex(ofAny characters: String) -> Index? { utf8.firstIndex { characters.utf8.contains($0) } }

    /// Returns the index of the last of these ASCII characters.
    func lastIndex(ofAny characters: String) -> Index? {
        unicodeScalars.lastIndex { characters.unicodeScalars.contains($0) }
    }
}

extension Substring {
    /// The text without blanks around it.
    var trimmingBlanks: Substring {
        let start = utf8.firstIndex { !$0.isBlankOrReturn } ?? endIndex
        let end = utf8.lastIndex { !$0.isBlankOrReturn }.map(utf8.index(after:)) ?? start
        return self[start..<end]
    }
}

extension UInt8 {
    /// Whether the byte is a space, a tab or the carriage return of a CRLF.
    var isBlankOrReturn: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
