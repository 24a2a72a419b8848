internal import Synchronization

/// Writes a body in whole blocks, as long as it comes fast.
///
/// What is read from the network begins somewhere behind a head, so that each piece would begin and end within a block of
/// the file, which the system then prepares twice. Hence the end of a piece waits for the next one; but only while more is
/// there already: what comes slowly can be read at once.
final class BlockWriter: Sendable {
    private let held = Mutex<[UInt8]>([])
    /// Bytes: a page, in which Linux prepares files.
    private static let blockSize: Int64 = 4096
    /// Bytes of a piece behind which there is more: `CURL_MAX_WRITE_SIZE`, the most that libcurl hands over at once.
    private static let fullPiece = 16 << 10

    /// - Parameter offset: Where the bytes belong: behind those that wait.
    /// - Returns: How many wait now.
    func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int64,
        to file: PartialFile
    ) throws(DownloadFailure) -> Int {
        try held.withLock { held throws(DownloadFailure) in
            let count = bytes.count < Self.fullPiece ? 0 : Int((offset + Int64(bytes.count)) % Self.blockSize)
            let ready = UnsafeRawBufferPointer(rebasing: bytes.dropLast(count))
            try held.span.bytes.withUnsafeBytes { first throws(DownloadFailure) in
                try file.write(first, ready, at: offset - Int64(first.count))
            }
            held.removeAll(keepingCapacity: true)
            held.append(contentsOf: bytes.suffix(count))
            return count
        }
    }

    /// Writes what waits.
    ///
    /// - Parameter end: Of all that has come.
    func flush(upTo end: Int64, to file: PartialFile) throws(DownloadFailure) {
        _ = try write(UnsafeRawBufferPointer(start: nil, count: 0), at: end, to: file)
    }
}
