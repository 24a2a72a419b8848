internal import AFHTTP

extension JSONEscape {
    /// What the bytes between the quotes of a valid string stand for, in bytes whose order is that of the characters.
    ///
    /// Surrogates without a partner have no UTF-8; they get the three bytes that a character of their number would have.
    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text
        while let first = rest.first {
            guard first == UInt8(ascii: "\\"), rest.count > 1 else {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            switch rest.withUnsafeBufferPointer({ JSONEscape($0) }) {
            case .shown(let scalar, let length):
                result += UTF8.encode(scalar).map(Array.init) ?? []
                rest = rest.dropFirst(length)
            case .kept(2):
                result.append(meaning(ofLetter: rest[rest.startIndex + 1]))
                rest = rest.dropFirst(2)
            case .kept, .incomplete, .illegal:
                result += encoded(rest.dropFirst(2).prefix(4))
                rest = rest.dropFirst(6)
            }
        }
        return result
    }

    private static func meaning(ofLetter letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    private static func encoded(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        let value = digits.reduce(0) { $0 << 4 | UInt32($1.hexadecimalValue ?? 0) }
        if let scalar = Unicode.Scalar(value) { return UTF8.encode(scalar).map(Array.init) ?? [] }
        return [0xE0 | UInt8(value >> 12), 0x80 | UInt8(value >> 6 & 0x3F), 0x80 | UInt8(value & 0x3F)]
    }
}
