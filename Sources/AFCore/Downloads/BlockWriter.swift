internal import Synchronization

/// Writes a body in large blocks, as long as it comes fast.
///
/// The network's pieces are small and begin somewhere behind a head. The system prepares a file in folios as large as what
/// is written at once and as its place allows, so that small pieces cost it more than the bytes do. Hence a piece waits
/// for the rest of its block; but only while more is there already: what comes slowly can be read at once.
final class BlockWriter: Sendable {
    private let held = Mutex<[UInt8]>([])
    /// Bytes.
    private static let blockSize = 256 << 10
    /// Bytes of a piece behind which there is more: `CURL_MAX_WRITE_SIZE`, the most that libcurl hands over at once.
    private static let fullPiece = 16 << 10

    /// - Parameters:
    ///   - offset: Where the bytes belong: behind those that wait.
    ///   - mayWait: Whether they need not all be in the file at once.
    /// - Returns: How many wait now.
    func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int64,
        mayWait: Bool,
        to file: PartialFile
    ) throws(DownloadFailure) -> Int {
        try held.withLock { held throws(DownloadFailure) in
            let behindBlock = Int((offset + Int64(bytes.count)) % Int64(Self.blockSize))
            let count = mayWait && bytes.count >= Self.fullPiece ? min(bytes.count, behindBlock) : 0
            let ready = UnsafeRawBufferPointer(rebasing: bytes.dropLast(count))
            if !ready.isEmpty || count == 0 {
                try held.span.bytes.withUnsafeBytes { first throws(DownloadFailure) in
                    try file.write(first, ready, at: offset - Int64(first.count))
                }
                held.removeAll(keepingCapacity: true)
            }
            if count > 0 { held.reserveCapacity(Self.blockSize) }
            held.append(contentsOf: bytes.suffix(count))
            return held.count
        }
    }

    /// Writes what waits.
    ///
    /// - Parameter end: Of all that has come.
    func flush(upTo end: Int64, to file: PartialFile) throws(DownloadFailure) {
        _ = try write(UnsafeRawBufferPointer(start: nil, count: 0), at: end, mayWait: false, to: file)
    }
}
