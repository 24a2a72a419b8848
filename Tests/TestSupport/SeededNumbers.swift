/// Reproducible pseudorandom numbers (SplitMix64).
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Returns pseudorandom bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for start in stride(from: 0, to: count, by: 8) {
                withUnsafeBytes(of: next()) { word in
                    bytes[start..<min(start + 8, count)].copyBytes(from: word[..<min(8, count - start)])
                }
            }
            filled = count
        }
    }
}
