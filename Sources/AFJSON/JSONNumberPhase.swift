/// The parse state of a JSON number (RFC 8259 §6).
///
/// Inlinable, as receivers in other modules ask for each byte.
@usableFromInline package enum JSONNumberPhase: Sendable {
    case start, minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

    /// Whether the number may end here.
    @inlinable package var isComplete: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .start, .minus, .point, .exponent, .exponentSign: false
        }
    }

    /// Whether further digits do not change the state.
    @inlinable @inline(__always) package var takesDigits: Bool {
        self == .integer || self == .fraction || self == .exponentDigits
    }

    /// Returns the state after a byte; `nil` if it does not belong to the number.
    @inlinable @inline(__always)
    package func next(_ byte: UInt8) -> JSONNumberPhase? {
        switch self {
        case .start where byte == UInt8(ascii: "-"): .minus
        case .start where byte == UInt8(ascii: "0"), .minus where byte == UInt8(ascii: "0"): .zero
        case .zero where byte == UInt8(ascii: "."), .integer where byte == UInt8(ascii: "."): .point
        case .zero where byte | 0x20 == UInt8(ascii: "e"), .integer where byte | 0x20 == UInt8(ascii: "e"),
            .fraction where byte | 0x20 == UInt8(ascii: "e"):
            .exponent
        case .exponent where byte == UInt8(ascii: "+"), .exponent where byte == UInt8(ascii: "-"): .exponentSign
        case _ where byte &- UInt8(ascii: "0") >= 10: nil
        case .start, .minus, .integer: .integer
        case .point, .fraction: .fraction
        case .exponent, .exponentSign, .exponentDigits: .exponentDigits
        case .zero: nil
        }
    }
}
