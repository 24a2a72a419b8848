/// Writes a body in large blocks, as long as it is received fast.
///
/// The network's chunks are small and unaligned. The kernel allocates page cache in folios as large as a write and its
/// alignment allow, so that small writes cost more than the bytes do. So a chunk waits for the rest of its block, but
/// only while more bytes are available: a slow body can be read from the file immediately.
struct BlockWriter {
    private var buffer: [UInt8] = []
    /// The number of buffered bytes.
    var waiting: Int { buffer.count }
    /// The size of a block in bytes.
    private static let blockSize = 256 << 10
    /// The size of a chunk that others usually follow: `CURL_MAX_WRITE_SIZE`, libcurl's maximum.
    private static let fullChunk = 16 << 10

    /// Writes bytes or buffers them.
    ///
    /// - Parameters:
    ///   - offset: The position of the bytes: after the buffered ones.
    ///   - mayWait: Whether they may be buffered.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int64,
        mayWait: Bool,
        to file: PartialFile
    ) throws(DownloadFailure) {
        let behindBlock = Int((offset + Int64(bytes.count)) % Int64(Self.blockSize))
        let count = mayWait && bytes.count >= Self.fullChunk ? min(bytes.count, behindBlock) : 0
        let ready = UnsafeRawBufferPointer(rebasing: bytes.dropLast(count))
        if !ready.isEmpty || count == 0 {
            try buffer.span.bytes.withUnsafeBytes { first throws(DownloadFailure) in
                try file.write(first, ready, at: offset - Int64(first.count))
            }
            buffer.removeAll(keepingCapacity: true)
        }
        if count > 0 { buffer.reserveCapacity(Self.blockSize) }
        buffer.append(contentsOf: bytes.suffix(count))
    }

    /// Writes the buffered bytes.
    ///
    /// - Parameter end: The end of all received bytes.
    mutating func flush(upTo end: Int64, to file: PartialFile) throws(DownloadFailure) {
        try write(UnsafeRawBufferPointer(start: nil, count: 0), at: end, mayWait: false, to: file)
    }

    /// Discards the buffered bytes, which cannot be written.
    mutating func discard() { buffer = [] }
}
