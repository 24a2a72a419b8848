internal import AFTransport
internal import Glibc

/// The digests of a growing file, computed from bytes that are read back, usually from the page cache.
///
/// So a resumed or segmented file is checked by all of its bytes on disk, and the computation does not delay the
/// network. Must be used by one thread at a time.
struct FileDigests: ~Copyable {
    private let running: [RunningChecksum]
    /// The end of the bytes that were read.
    private(set) var offset: Int64 = 0
    private static let chunkSize = 1 << 20

    init(_ algorithms: Set<Checksum.Algorithm>) { running = algorithms.map(RunningChecksum.init) }

    /// Reads up to an offset that has been written.
    mutating func advance(to end: Int64, in file: PartialFile) throws(DownloadFailure) {
        guard offset < end else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        while offset < end {
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(end - offset))])
            let count = try file.read(into: target, at: offset)
            // Another program has truncated the file.
            guard count > 0 else { throw DownloadFailure(.system(EIO), path: file.path) }
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            for digest in running { digest.update(chunk) }
            offset += Int64(count)
        }
    }

    /// Returns the digests of the bytes read so far, without algorithms that the system does not support.
    func finish() -> [Checksum] { running.compactMap { $0.finish() } }
}
