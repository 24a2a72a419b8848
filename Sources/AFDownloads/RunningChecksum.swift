internal import AFTransport

/// A checksum of bytes that arrive in chunks.
final class RunningChecksum {
    private var digest: RunningDigest?
    let algorithm: Checksum.Algorithm

    init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm
        digest = RunningDigest(algorithm.systemName)
    }

    func update(_ bytes: UnsafeRawBufferPointer) { digest?.update(bytes) }

    /// Returns `nil` if the system does not support the algorithm, and after the first call.
    func finish() -> Checksum? {
        guard let digest = digest.take() else { return nil }
        return Checksum(algorithm, bytes: digest.finish())
    }
}
