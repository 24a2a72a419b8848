internal import AFHTTP

/// The display form of an escape in a JSON string (RFC 8259 §7).
enum JSONEscape: Equatable {
    /// More bytes are needed.
    case incomplete
    /// The byte at this index is invalid.
    case illegal(Int)
    /// A number of bytes that are shown unchanged.
    case kept(Int)
    /// A number of bytes that are shown as a character.
    case shown(Unicode.Scalar, Int)

    /// The length of the longest escape: a surrogate pair.
    static let maximumLength = 12

    /// Parses an escape.
    ///
    /// - Parameter bytes: Bytes that start with the backslash and may extend beyond the escape; not empty.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 1 else {
            self = .incomplete
            return
        }
        switch bytes[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            self = .kept(2)
        case UInt8(ascii: "/"): self = .shown("/", 2)
        case UInt8(ascii: "u"): self.init(unicode: bytes)
        default: self = .illegal(1)
        }
    }

    private init(unicode bytes: UnsafeBufferPointer<UInt8>) {
        switch Digits(bytes, from: 2) {
        case .missing: self = .incomplete
        case .illegal(let index): self = .illegal(index)
        case .value(let high) where 0xD800...0xDBFF ~= high: self.init(high: high, bytes)
        case .value(let value): self.init(Unicode.Scalar(value), length: 6)
        }
    }

    /// Parses the low surrogate after a high one; an unpaired one is unchanged.
    private init(high: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) {
        for (index, expected) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
            guard bytes.count > index else {
                self = .incomplete
                return
            }
            guard bytes[index] == expected else {
                self = .kept(6)
                return
            }
        }
        switch Digits(bytes, from: 8) {
        case .missing: self = .incomplete
        case .value(let low) where 0xDC00...0xDFFF ~= low:
            self.init(Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)), length: 12)
        case .value, .illegal: self = .kept(6)
        }
    }

    private init(_ scalar: Unicode.Scalar?, length: Int) {
        if let scalar, scalar.isPlainlyVisible, scalar != "\"", scalar != "\\" {
            self = .shown(scalar, length)
        } else {
            self = .kept(length)
        }
    }
}

/// Four hexadecimal digits.
private enum Digits {
    case missing
    case illegal(Int)
    case value(UInt32)

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        var value: UInt32 = 0
        for index in start..<start + 4 {
            guard index < bytes.count else {
                self = .missing
                return
            }
            guard let digit = bytes[index].hexadecimalValue else {
                self = .illegal(index)
                return
            }
            value = value << 4 | UInt32(digit)
        }
        self = .value(value)
    }
}

extension Unicode.Scalar {
    /// Whether the character is visible and does not affect others: not a control, format, separator, private or
    /// unassigned character, except for the joiners that emoji and several scripts need.
    var isPlainlyVisible: Bool {
        switch value {
        case 0x20...0x7E, 0xA1...0xAC, 0x200C, 0x200D: return true
        // Common scripts and emoji, without reading their properties.
        case 0xAE...0x377, 0x400...0x52F, 0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0x1F300...0x1F64F:
            return true
        default: return isOfVisibleCategory
        }
    }

    @inline(never)
    private var isOfVisibleCategory: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: true
        }
    }
}
