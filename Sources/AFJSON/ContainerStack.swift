/// The open containers of a JSON text, one bit each.
@usableFromInline package struct ContainerStack: Sendable {
    /// The maximum depth of all texts: only attacks exceed 128 KiB of bits.
    @inlinable package static var maximumDepth: Int { 1 << 20 }

    @usableFromInline var words: [UInt64] = [0]
    @usableFromInline package var depth = 0
    /// Whether the innermost open container is an object; `false` if none is open.
    @usableFromInline package var isInObject = false

    @usableFromInline let limit: Int

    package init(limit: Int = Self.maximumDepth) { self.limit = limit }

    @inlinable package var isFull: Bool { depth == limit }

    @inlinable package mutating func push(isObject: Bool) {
        if depth >> 6 == words.count { words.append(0) }
        let bit: UInt64 = 1 << UInt64(depth & 63)
        if isObject { words[depth >> 6] |= bit } else { words[depth >> 6] &= ~bit }
        depth += 1
        isInObject = isObject
    }

    @inlinable package mutating func pop() {
        depth -= 1
        isInObject = depth > 0 && words[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1
    }
}
