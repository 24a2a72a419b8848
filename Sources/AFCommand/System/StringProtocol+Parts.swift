extension StringProtocol {
    /// Whether this is one ASCII digit or more and nothing else.
    var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    /// Whether this is the number of a TCP port.
    var isPort: Bool { isDecimal && UInt16(self) != nil }
}

/// Places of ASCII characters in text, compared byte by byte: a combining mark after a separator is a part of the text,
/// and does not hide the separator.
extension StringProtocol {
    /// What stands before and after the first occurrence of an ASCII character.
    func halves(around separator: UnicodeScalar) -> (before: SubSequence, after: SubSequence)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }

    /// Where the first of these ASCII characters stands.
    func firstIndex(ofAny characters: String) -> Index? { utf8.firstIndex { characters.utf8.contains($0) } }

    /// Where the last of these ASCII characters stands.
    func lastIndex(ofAny characters: String) -> Index? {
        unicodeScalars.lastIndex { characters.unicodeScalars.contains($0) }
    }
}
