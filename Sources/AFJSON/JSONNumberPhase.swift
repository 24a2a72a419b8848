/// The parse state of a JSON number (RFC 8259 §6).
///
/// Inlinable, as receivers in other modules ask for each byte.
@usableFromInline package enum JSONNumberPhase: Sendable {
    case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

    /// Returns the state after the first byte; `nil` if a number cannot start with it.
    @inlinable package init?(first byte: UInt8) {
        switch byte {
        case UInt8(ascii: "-"): self = .minus
        case UInt8(ascii: "0"): self = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): self = .integer
        default: return nil
        }
    }

    /// Whether the number may end here.
    @inlinable package var isComplete: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .minus, .point, .exponent, .exponentSign: false
        }
    }

    /// Whether further digits do not change the state.
    @inlinable @inline(__always) package var takesDigits: Bool {
        self == .integer || self == .fraction || self == .exponentDigits
    }

    /// Returns the state after a byte; `nil` if it does not belong to the number.
    @inlinable package func next(_ byte: UInt8) -> JSONNumberPhase? {
        switch (self, byte) {
        case (.minus, UInt8(ascii: "0")): .zero
        case (.minus, UInt8(ascii: "1")...UInt8(ascii: "9")): .integer
        case (.integer, UInt8(ascii: "0")...UInt8(ascii: "9")): .integer
        case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): .point
        case (.point, UInt8(ascii: "0")...UInt8(ascii: "9")): .fraction
        case (.fraction, UInt8(ascii: "0")...UInt8(ascii: "9")): .fraction
        case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): .exponentSign
        case (.exponent, UInt8(ascii: "0")...UInt8(ascii: "9")): .exponentDigits
        case (.exponentSign, UInt8(ascii: "0")...UInt8(ascii: "9")): .exponentDigits
        case (.exponentDigits, UInt8(ascii: "0")...UInt8(ascii: "9")): .exponentDigits
        case (.zero, UInt8(ascii: "e")), (.integer, UInt8(ascii: "e")), (.fraction, UInt8(ascii: "e")): .exponent
        case (.zero, UInt8(ascii: "E")), (.integer, UInt8(ascii: "E")), (.fraction, UInt8(ascii: "E")): .exponent
        default: nil
        }
    }
}
