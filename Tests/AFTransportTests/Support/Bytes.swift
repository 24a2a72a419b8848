/// So many bytes that no two neighbouring kilobytes are alike: a lost, doubled or swapped piece shows.
func pattern(_ count: Int) -> [UInt8] {
    var seed: UInt32 = 0x2545_F491
    return (0..<count).map { _ in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: seed >> 24)
    }
}
