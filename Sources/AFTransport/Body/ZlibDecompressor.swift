internal import CZlib

/// A decompressor for gzip, with one or more members (RFC 1952 §2.2), and deflate, with or without zlib's header and
/// checksum.
final class ZlibDecompressor: Decompressor {
    private enum Position { case start, inside, end }

    private let isGzip: Bool
    /// Allocated, as zlib requires a stable address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var position = Position.start

    /// Returns `nil` if memory is exhausted.
    init?(isGzip: Bool) {
        self.isGzip = isGzip
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard af_inflate_init(stream, MAX_WBITS + (isGzip ? 16 : 0)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var isComplete: Bool { position != .inside }

    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodingDefect) -> (taken: Int, made: Int) {
        if position != .inside, let first = input.first { try begin(with: first) }
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(output.count)
        switch inflate(stream, Z_NO_FLUSH) {
        // Z_BUF_ERROR means that no progress was possible.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: position = .end
        default: throw .damage
        }
        return (input.count - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out))
    }

    private func begin(with first: UInt8) throws(CodingDefect) {
        if isGzip {
            guard first == 0x1F else { throw position == .end ? .excess : .damage }
            inflateReset(stream)
        } else {
            guard position == .start else { throw .excess }
            // A zlib header has 8 in its low four bits. In a raw stream the highest of these bits is padding, which
            // compressors do not set.
            let hasHeader = first & 0x0F == 8 && first >> 4 <= 7
            if !hasHeader { inflateReset2(stream, -MAX_WBITS) }
        }
        position = .inside
    }
}
