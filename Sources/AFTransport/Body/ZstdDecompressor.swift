internal import CZstd

/// A decompressor for Zstandard, with one or more frames (RFC 8878 §3).
final class ZstdDecompressor: Decompressor {
    private let stream: OpaquePointer
    private(set) var isComplete = true
    private var hasFrame = false

    /// Returns `nil` if memory is exhausted.
    init?() {
        guard let stream = ZSTD_createDStream() else { return nil }
        self.stream = stream
    }

    deinit { ZSTD_freeDStream(stream) }

    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingDefect) -> (taken: Int, made: Int) {
        if isComplete {
            guard let first = input.first else { return (0, 0) }
            guard Self.mayBegin(with: first) else { throw hasFrame ? .excess : .damage }
        }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = ZSTD_decompressStream(stream, &target, &source)
        guard ZSTD_isError(left) == 0 else { throw .damage }
        isComplete = left == 0
        hasFrame = hasFrame || isComplete
        return (source.pos, target.pos)
    }

    /// Whether the byte can start a frame or a skippable frame (RFC 8878 §3.1.1 and §3.1.2).
    private static func mayBegin(with byte: UInt8) -> Bool { byte == 0x28 || byte & 0xF0 == 0x50 }
}
