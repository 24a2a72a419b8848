/// Eight bytes that are compared together.
///
/// Every test sets the top bit of each matching byte. A borrow can also mark bytes *after* a match, never before: the
/// first match is exact, and no match means none.
@usableFromInline package struct ByteWord: Sendable {
    @inlinable static var lowBits: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable static var topBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The bytes; the first one in memory is the least significant.
    @usableFromInline package let value: UInt64

    /// Loads eight bytes from any address.
    @inlinable @inline(__always)
    package init(at address: UnsafePointer<UInt8>) {
        value = UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self))
    }

    @inlinable @inline(__always)
    package func bytes(equalTo byte: UInt8) -> UInt64 {
        let difference = value ^ (Self.lowBits &* UInt64(byte))
        return (difference &- Self.lowBits) & ~difference & Self.topBits
    }

    /// Returns the bytes below a bound of at most 0x80.
    @inlinable @inline(__always)
    package func bytes(below bound: UInt8) -> UInt64 {
        (value &- Self.lowBits &* UInt64(bound)) & ~value & Self.topBits
    }

    /// Returns the bytes outside of ASCII.
    @inlinable @inline(__always)
    package var nonASCII: UInt64 { value & Self.topBits }

    /// Returns the bytes that are not ASCII digits.
    @inlinable @inline(__always)
    package var nonDigits: UInt64 {
        let digits = value ^ (Self.lowBits &* UInt64(UInt8(ascii: "0")))
        return (digits &+ Self.lowBits &* 0x76 | digits) & Self.topBits
    }

    /// The index of the first match; 8 if there is none.
    @inlinable @inline(__always)
    package static func firstIndex(in matches: UInt64) -> Int { matches.trailingZeroBitCount >> 3 }
}
