/// The open containers of a JSON text, one bit each.
struct ContainerStack {
    /// The maximum depth of formatted texts: only attacks exceed 128 KiB of bits.
    static let maximumDepth = 1 << 20

    private var words: [UInt64] = [0]
    private(set) var depth = 0
    /// Whether the innermost open container is an object; `false` if none is open.
    private(set) var isInObject = false

    var isFull: Bool { depth == Self.maximumDepth }

    mutating func push(isObject: Bool) {
        if depth >> 6 == words.count { words.append(0) }
        let bit: UInt64 = 1 << UInt64(depth & 63)
        if isObject { words[depth >> 6] |= bit } else { words[depth >> 6] &= ~bit }
        depth += 1
        isInObject = isObject
    }

    mutating func pop() {
        depth -= 1
        isInObject = depth > 0 && words[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1
    }
}
