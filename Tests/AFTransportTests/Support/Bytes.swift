/// Returns bytes whose neighboring kilobytes differ: a lost, repeated or swapped chunk is detected.
func pattern(_ count: Int) -> [UInt8] {
    // Eight bytes at a time, as tests run without optimization.
    var words = [UInt64](repeating: 0, count: (count + 7) / 8)
    var seed: UInt64 = 0x2545_F491_4F6C_DD1D
    var place = 0
    while place < words.count {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words[place] = seed
        place += 1
    }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}
