extension [UInt8] {
    /// The bytes as lowercase hexadecimal digits.
    package var hexadecimal: String {
        let digits = flatMap {
            [($0 >> 4).hexadecimalDigit(uppercase: false), ($0 & 0xF).hexadecimalDigit(uppercase: false)]
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt8 {
    /// Returns the digit of a number below 16.
    @usableFromInline
    package func hexadecimalDigit(uppercase: Bool) -> UInt8 {
        self < 10 ? self + UInt8(ascii: "0") : self - 10 + UInt8(ascii: uppercase ? "A" : "a")
    }

    /// The value of a hexadecimal digit, in either case; `nil` for other bytes.
    @inlinable package var hexadecimalValue: UInt8? {
        let digit = self &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
