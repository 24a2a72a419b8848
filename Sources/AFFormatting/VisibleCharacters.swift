/// The results of ``Unicode/Scalar/isPlainlyVisible`` for recent characters of less common scripts, whose properties take
/// longer to read than their escapes: text of Thai is formatted seven times as fast.
///
/// One kilobyte from the first such character on, as each match of a filter has a formatter of its own.
struct VisibleCharacters {
    /// For each low byte, the latest character with it: its value, and in the lowest bit whether it is visible.
    private var recent: [UInt32] = []

    @inline(__always)
    mutating func contains(_ character: Unicode.Scalar) -> Bool {
        if character.isOfCommonScript { return true }
        let index = Int(character.value & 0xFF)
        guard index < recent.count, recent[index] >> 1 == character.value else { return examine(character) }
        return recent[index] & 1 == 1
    }

    @inline(never)
    private mutating func examine(_ character: Unicode.Scalar) -> Bool {
        if recent.isEmpty { recent = Array(repeating: 0, count: 0x100) }
        let isVisible = character.isPlainlyVisible
        recent[Int(character.value & 0xFF)] = character.value << 1 | (isVisible ? 1 : 0)
        return isVisible
    }
}
