internal import AFHTTP

extension JSONEscape {
    /// Returns the characters of a valid string without its quotes, as bytes that sort like the characters.
    ///
    /// - Parameter keepsHalves: Whether an unpaired surrogate, which has no UTF-8, becomes the three bytes of its code
    ///   point; otherwise U+FFFD.
    static func unescaped(_ text: ArraySlice<UInt8>, keepsHalves: Bool = true) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                result.append(byte)
                continue
            }
            switch letter {
            case UInt8(ascii: "u"): result += encoded(takeCodePoint(&rest), keepsHalves: keepsHalves)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            default: result.append(letter)
            }
        }
        return result
    }

    /// Consumes four digits, and the escape of the low surrogate after a high one (RFC 8259 §7).
    private static func takeCodePoint(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        let high = codeUnit(rest)
        rest = rest.dropFirst(4)
        guard 0xD800...0xDBFF ~= high, rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return high }
        let low = codeUnit(rest.dropFirst(2))
        guard 0xDC00...0xDFFF ~= low else { return high }
        rest = rest.dropFirst(6)
        return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }

    private static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt32 {
        digits.prefix(4).reduce(0) { $0 << 4 | UInt32($1.hexadecimalValue ?? 0) }
    }

    private static func encoded(_ codePoint: UInt32, keepsHalves: Bool) -> [UInt8] {
        let scalar = Unicode.Scalar(codePoint) ?? (keepsHalves ? nil : "\u{FFFD}")
        if let scalar { return Array(String(scalar).utf8) }
        return [0xE0 | UInt8(codePoint >> 12), 0x80 | UInt8(codePoint >> 6 & 0x3F), 0x80 | UInt8(codePoint & 0x3F)]
    }
}
