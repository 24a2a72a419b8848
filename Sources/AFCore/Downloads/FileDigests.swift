internal import AFTransport
internal import Glibc

/// The digests of a file that grows: made of what is read back, which for fresh bytes costs no disk.
///
/// Thus a file that is continued, or filled from several places, is judged by all of its bytes as they are on the disk,
/// and nobody who waits for the network waits for arithmetic. To be used by one thread at a time.
struct FileDigests: ~Copyable {
    private final class Running {
        private var digest: RunningDigest?
        let algorithm: Checksum.Algorithm

        init(_ algorithm: Checksum.Algorithm) {
            self.algorithm = algorithm
            digest = RunningDigest(algorithm.systemName)
        }

        func update(_ bytes: UnsafeRawBufferPointer) { digest?.update(bytes) }

        func finish() -> Checksum? {
            guard let digest = digest.take() else { return nil }
            return Checksum(algorithm, bytes: digest.finish())
        }
    }

    private let running: [Running]
    /// Up to where the file was read.
    private(set) var offset: Int64 = 0
    private static let pieceSize = 1 << 20

    init(_ algorithms: Set<Checksum.Algorithm>) { running = algorithms.map(Running.init) }

    /// Reads on, to an offset that is written already.
    mutating func advance(to end: Int64, in file: PartialFile) throws(DownloadFailure) {
        guard offset < end else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        while offset < end {
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(end - offset))])
            let count = try file.read(into: wanted, at: offset)
            // Somebody has cut it short.
            guard count > 0 else { throw DownloadFailure(.system(EIO), path: file.path) }
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            for digest in running { digest.update(piece) }
            offset += Int64(count)
        }
    }

    /// Those of everything that was read; algorithms that this system does not have are missing.
    func finish() -> [Checksum] { running.compactMap { $0.finish() } }
}
