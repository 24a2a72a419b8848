extension Collection<UInt8> {
    /// The number of a field such as `Content-Length` (RFC 9110 §8.6): the value of decimal digits; `nil` if the text is
    /// empty or has other characters, or if the number is too large.
    @inlinable package var decimalValue: Int64? {
        var value: Int64 = 0
        for byte in self {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isSumTooLarge) = shifted.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if isTooLarge || isSumTooLarge { return nil }
            value = sum
        }
        return isEmpty ? nil : value
    }
}

extension BinaryInteger {
    /// Returns the digits of a number that is not negative, with leading zeros up to a width.
    package func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
