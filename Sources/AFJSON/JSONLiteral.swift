/// A value without further notations.
@usableFromInline package enum JSONLiteral: Sendable {
    case `true`, `false`, null

    /// Returns the literal with this first byte.
    @inlinable @inline(__always)
    package init(first byte: UInt8) {
        self = byte == UInt8(ascii: "t") ? .true : byte == UInt8(ascii: "f") ? .false : .null
    }

    package var text: StaticString {
        switch self {
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }

    @inlinable @inline(__always)
    package var length: Int { self == .false ? 5 : 4 }

    /// Whether four bytes start with the literal without its first byte.
    @inlinable @inline(__always)
    package func isContinued(at position: UnsafePointer<UInt8>) -> Bool {
        let bytes = UInt32(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
        return switch self {
        case .true: bytes & 0xFF_FFFF == 0x65_7572
        case .false: bytes == 0x6573_6C61
        case .null: bytes & 0xFF_FFFF == 0x6C_6C75
        }
    }
}
