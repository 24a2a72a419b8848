internal import CZstd

/// A compressor for Zstandard at the library's default level.
final class ZstdCompressor: Compressor {
    private let context: OpaquePointer

    init() throws {
        guard let context = ZSTD_createCCtx() else { throw UnavailableCoding(coding: .zstd) }
        self.context = context
    }

    deinit { ZSTD_freeCCtx(context) }

    func compress(
        _ input: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws -> CompressionStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = ZSTD_compressStream2(context, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        guard ZSTD_isError(left) == 0 else { throw UnavailableCoding(coding: .zstd) }
        return CompressionStep(taken: source.pos, made: target.pos, isDone: isLast && left == 0)
    }

    func reset() { ZSTD_CCtx_reset(context, ZSTD_reset_session_only) }
}
