extension StringProtocol {
    /// What stands before and after the first occurrence of an ASCII character.
    ///
    /// Compares bytes: a combining mark after a separator is a part of the text, and does not hide the separator.
    func halves(around separator: UnicodeScalar) -> (before: SubSequence, after: SubSequence)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }
}
