internal import AFHTTP
public import CBytes

/// An escape in a JSON string (RFC 8259 §7).
@usableFromInline package enum JSONEscape: Equatable {
    /// More bytes are needed.
    case incomplete
    /// The byte at this index is invalid.
    case illegal(Int)
    /// A character, and the number of bytes of its escape.
    case character(Unicode.Scalar, length: Int)
    /// An unpaired surrogate, which is not a character; ``surrogateLength`` bytes.
    case surrogate(UInt32)

    /// The length of the longest escape: a surrogate pair.
    @inlinable package static var maximumLength: Int { 12 }
    /// The length of `\uXXXX`.
    @inlinable package static var surrogateLength: Int { 6 }

    /// Parses an escape.
    ///
    /// - Parameter bytes: Bytes that start with the backslash and may extend beyond the escape; not empty.
    package init(_ bytes: ArraySlice<UInt8>) {
        self = bytes.withUnsafeBufferPointer { JSONEscape($0) }
    }

    /// Parses an escape in a chunk. Two bytes and `\uXXXX`, except for surrogates, are parsed without a call.
    ///
    /// - Parameter position: The position of the backslash, before the end.
    @inlinable @inline(__always)
    package init(at position: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
        if end - position >= Self.surrogateLength, position[1] == UInt8(ascii: "u") {
            if let value = Self.value(at: position), let scalar = Unicode.Scalar(value) {
                self = .character(scalar, length: Self.surrogateLength)
                return
            }
        } else if end - position > 1, let character = position[1].escapedCharacter {
            self = .character(Unicode.Scalar(character), length: 2)
            return
        }
        self.init(UnsafeBufferPointer(start: position, count: min(end - position, Self.maximumLength)))
    }

    /// Returns the value of `\uXXXX`, which may be a surrogate; `nil` for another escape or illegal digits.
    ///
    /// - Parameter position: The position of the backslash, at least ``surrogateLength`` bytes before the end.
    @inlinable @inline(__always)
    package static func value(at position: UnsafePointer<UInt8>) -> UInt32? {
        guard position[1] == UInt8(ascii: "u") else { return nil }
        let value = af_four_digits(position + 2)
        return value < 0 ? nil : UInt32(truncatingIfNeeded: value)
    }

    /// The number of bytes of a complete escape.
    @inlinable @inline(__always)
    package var length: Int? {
        switch self {
        case .character(_, let length): length
        case .surrogate: Self.surrogateLength
        case .incomplete, .illegal: nil
        }
    }

    /// Parses an escape.
    ///
    /// - Parameter bytes: Bytes that start with the backslash and may extend beyond the escape; not empty.
    @usableFromInline package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 1 else {
            self = .incomplete
            return
        }
        if bytes[1] == UInt8(ascii: "u") {
            self.init(unicode: bytes)
        } else {
            self = bytes[1].escapedCharacter.map { .character(Unicode.Scalar($0), length: 2) } ?? .illegal(1)
        }
    }

    private init(unicode bytes: UnsafeBufferPointer<UInt8>) {
        switch Digits(bytes, from: 2) {
        case .missing: self = .incomplete
        case .illegal(let index): self = .illegal(index)
        case .value(let high) where 0xD800...0xDBFF ~= high: self.init(high: high, bytes)
        case .value(let value): self = Unicode.Scalar(value).map { .character($0, length: 6) } ?? .surrogate(value)
        }
    }

    /// Parses the low surrogate after a high one.
    private init(high: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) {
        self = .surrogate(high)
        for (index, expected) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
            guard bytes.count > index else {
                self = .incomplete
                return
            }
            guard bytes[index] == expected else { return }
        }
        switch Digits(bytes, from: 8) {
        case .missing: self = .incomplete
        case .value(let low) where 0xDC00...0xDFFF ~= low:
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            self = scalar.map { .character($0, length: 12) } ?? .surrogate(high)
        case .value, .illegal: return
        }
    }
}

extension JSONEscape {
    /// Returns the characters of a valid string, as bytes that sort like the characters.
    ///
    /// - Parameters:
    ///   - string: The string with its quotes.
    ///   - replacesSurrogates: Whether an unpaired surrogate, which has no UTF-8, becomes U+FFFD; otherwise the three
    ///     bytes of its code point.
    package static func unescaped(_ string: ArraySlice<UInt8>, replacesSurrogates: Bool = false) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        var rest = string.dropFirst()
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        while let index = rest.firstIndex(of: backslash) {
            result += rest[..<index]
            switch JSONEscape(rest[index...]) {
            case .character(let character, let length):
                result += String(character).utf8
                rest = rest[(index + length)...]
            case .surrogate(let value):
                result +=
                    replacesSurrogates
                    ? Array("\u{FFFD}".utf8)
                    : [0xE0 | UInt8(value >> 12), 0x80 | UInt8(value >> 6 & 0x3F), 0x80 | UInt8(value & 0x3F)]
                rest = rest[(index + surrogateLength)...]
            case .incomplete, .illegal: rest = rest[(index + 1)...]
            }
        }
        result += rest.dropLast()
        return result
    }
}

extension UInt8 {
    /// The character that the byte encodes after a backslash; `nil` if it does not alone.
    @inlinable @inline(__always)
    package var escapedCharacter: UInt8? {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
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
