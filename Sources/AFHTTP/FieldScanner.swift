/// Reads the value of a header field from left to right: words and quoted strings (RFC 9110 §5.6), between separators.
struct FieldScanner {
    private var rest: Substring.UTF8View

    init(_ value: String) { rest = value.utf8[...] }

    /// The next byte; `nil` at the end of the value.
    var next: UInt8? { rest.first }

    mutating func skip(while matches: (UInt8) -> Bool) { rest = rest.drop(while: matches) }

    mutating func skipBlanks() { skip(while: \.isBlank) }

    /// Skips a byte if it is the next one; returns whether it was.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips a byte; returns `false` at the end of the value.
    mutating func skipByte() -> Bool { rest.popFirst() != nil }

    mutating func take(while matches: (UInt8) -> Bool) -> String {
        let text = rest.prefix(while: matches)
        rest = rest[text.endIndex...]
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text up to a byte, which is skipped, too; `nil` if the value does not contain the byte.
    mutating func take(upTo end: UInt8) -> String? {
        guard let index = rest.firstIndex(of: end) else { return nil }
        defer { rest = rest[rest.index(after: index)...] }
        return String(Substring(rest[..<index]))
    }

    /// Returns the name of a parameter, up to a blank, a separator or an equals sign; empty if there is none.
    mutating func takeName() -> String {
        take { !$0.isBlank && !$0.isFieldSeparator && $0 != UInt8(ascii: "=") }
    }

    /// Returns the value of a parameter: a quoted string, or the text up to a blank or a separator.
    mutating func takeValue() -> String {
        next == UInt8(ascii: "\"") ? takeQuoted() : take { !$0.isBlank && !$0.isFieldSeparator }
    }

    /// Returns the text of a quoted string, which must be next, without escapes. It may lack the quote at its end.
    mutating func takeQuoted() -> String {
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether the byte separates elements of a list or parameters.
    var isFieldSeparator: Bool { self == UInt8(ascii: ",") || self == UInt8(ascii: ";") }
}
