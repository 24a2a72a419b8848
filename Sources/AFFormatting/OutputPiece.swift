/// A short text that two stores append, independent of its length.
struct OutputPiece: Sendable {
    static let maximumCount = 32

    let bytes: SIMD4<UInt64>
    let count: Int

    /// Creates a piece.
    ///
    /// - Precondition: The text has at most ``maximumCount`` bytes.
    init(_ text: String) {
        precondition(text.utf8.count <= Self.maximumCount)
        var padded = Array(text.utf8)
        count = padded.count
        padded += [UInt8](repeating: 0, count: Self.maximumCount - count)
        bytes = padded.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }
}
