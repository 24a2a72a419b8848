internal import CBrotli

/// A decompressor for Brotli (RFC 7932).
final class BrotliDecompressor: Decompressor {
    private let state: OpaquePointer
    private(set) var isComplete = true
    private var hasEnded = false

    /// Returns `nil` if memory is exhausted.
    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingDefect) -> (taken: Int, made: Int) {
        guard !hasEnded else {
            guard input.isEmpty else { throw .excess }
            return (0, 0)
        }
        var (inputIgnored, outputLeft) = (input.count, output.count)
        var nextInput = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var nextOutput = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(state, &inputIgnored, &nextInput, &outputLeft, &nextOutput, nil)
        guard result != BROTLI_DECODER_RESULT_ERROR else { throw .damage }
        hasEnded = result == BROTLI_DECODER_RESULT_SUCCESS
        isComplete = hasEnded
        return (input.count - inputIgnored, output.count - outputLeft)
    }
}
