internal import CZlib

/// A compressor for deflate, in zlib's format or in gzip's.
final class ZlibCompressor: Compressor {
    /// Allocated, as zlib requires a stable address.
    private let stream: UnsafeMutablePointer<z_stream>

    init(level: Int32, isGzip: Bool) throws {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard af_deflate_init(stream, level, MAX_WBITS + (isGzip ? 16 : 0)) == Z_OK else {
            stream.deallocate()
            throw UnavailableCoding(coding: isGzip ? .gzip : .deflate)
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func compress(
        _ input: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) -> CompressionStep {
        // zlib counts in 32 bits.
        let count = min(input.count, 1 << 30)
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(output.count)
        let result = deflate(stream, isLast && count == input.count ? Z_FINISH : Z_NO_FLUSH)
        return CompressionStep(
            taken: count - Int(stream.pointee.avail_in),
            made: output.count - Int(stream.pointee.avail_out),
            isDone: result == Z_STREAM_END
        )
    }

    func reset() { deflateReset(stream) }
}
