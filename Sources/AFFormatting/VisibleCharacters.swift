/// The characters below U+10000 that replace their escapes in JSON, each examined at its first use.
struct VisibleCharacters {
    private enum Class: UInt8 {
        case unknown, visible, other
    }

    /// The classes of all characters; empty before the first use.
    private var classes: [Class] = []

    /// - Precondition: The character is below U+10000.
    @inline(__always)
    mutating func contains(_ character: Unicode.Scalar) -> Bool {
        let index = Int(character.value)
        guard index < classes.count, classes[index] != .unknown else { return examine(character) }
        return classes[index] == .visible
    }

    @inline(never)
    private mutating func examine(_ character: Unicode.Scalar) -> Bool {
        if classes.isEmpty { classes = Array(repeating: .unknown, count: 0x10000) }
        let isVisible = character.isPlainlyVisible
        classes[Int(character.value)] = isVisible ? .visible : .other
        return isVisible
    }
}
