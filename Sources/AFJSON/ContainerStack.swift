/// The open containers of a JSON text, one bit each.
@usableFromInline package struct ContainerStack: Sendable {
    /// The maximum depth of all texts: only attacks exceed 128 KiB of bits.
    @inlinable package static var maximumDepth: Int { 1 << 20 }

    /// The innermost containers, at most 64; the innermost one is the least significant bit, which is set for an object.
    @usableFromInline var innermost: UInt64 = 0
    /// The containers at depths that are multiples of 64, as `innermost` was there.
    @usableFromInline var outer: [UInt64] = []
    @usableFromInline package var depth = 0

    @usableFromInline let limit: Int

    package init(limit: Int = Self.maximumDepth) { self.limit = limit }

    @inlinable package var isFull: Bool { depth == limit }

    /// Whether the innermost open container is an object; `false` if none is open.
    @inlinable package var isInObject: Bool { innermost & 1 == 1 }

    @inlinable @inline(__always)
    package mutating func push(isObject: Bool) {
        if depth & 63 == 0, depth > 0 { outer.append(innermost) }
        innermost = innermost << 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    @inlinable @inline(__always)
    package mutating func pop() {
        depth &-= 1
        innermost >>= 1
        if depth & 63 == 0, let restored = outer.popLast() { innermost = restored }
    }
}
