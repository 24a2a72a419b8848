/// Takes one coding off a stream of bytes, piece by piece.
protocol Decompressor: AnyObject {
    /// Whether the stream may end here: nothing has come yet, or what came is whole.
    var isComplete: Bool { get }

    /// Takes what it can from `input` and puts what that makes into `output`.
    ///
    /// There is more to come without further input only where the output was filled.
    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingDefect) -> (taken: Int, made: Int)
}

/// Why a stream does not decode.
enum CodingDefect: Error {
    /// What came is not in this coding.
    case damage
    /// The stream is whole, and something else follows.
    case excess
}
