/// A streaming decompressor for one coding.
protocol Decompressor: AnyObject {
    /// Whether the stream may end here: it is empty or complete.
    var isComplete: Bool { get }

    /// Decompresses bytes of `input` into `output`.
    ///
    /// More output is possible without further input only if `output` was filled.
    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingDefect) -> (taken: Int, made: Int)
}

/// The reasons why a stream cannot be decoded.
enum CodingDefect: Error {
    /// The bytes are not in this coding.
    case damage
    /// The stream is complete, and other bytes follow.
    case excess
}
