internal import AFHTTP
internal import AFTransport

/// The bytes of an upload.
protocol UploadContent: AnyObject, Sendable {
    /// The path or the name, for messages.
    var path: String { get }
    /// The identity when the upload began.
    var identity: SourceFile.Identity { get }
    /// Whether the bytes are still the same.
    var isUnchanged: Bool { get }

    /// Permits other uploads of the bytes.
    func unlock()
    /// Reads a range in blocks; blocks the calling thread.
    ///
    /// - Parameter isNeeded: Whether to read the next block.
    /// - Returns: Whether all of it could be read.
    func read(_ range: Range<Int64>, while isNeeded: () -> Bool, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool
    /// Returns the digest of the first and the last block of the bytes before an offset; `nil` if they cannot be read, or their
    /// version identifies them. It may be called with a lock held.
    func digest(before offset: Int64) -> String?
    /// Returns the body of a request that sends a range.
    func body(of range: Range<Int64>) throws -> BodySource
}

extension UploadContent {
    /// Returns the digest of a range; `nil` if it cannot be read, is no longer needed, or without that algorithm.
    ///
    /// - Parameter algorithm: OpenSSL's name of the algorithm, or `CRC32` or `CRC32C`.
    func digest(_ algorithm: String, of range: Range<Int64>, while isNeeded: () -> Bool) -> [UInt8]? {
        if var check = CyclicRedundancyCheck(algorithm) {
            return read(range, while: isNeeded) { check.update($0) } ? check.finish() : nil
        }
        guard let digest = RunningDigest(algorithm) else { return nil }
        return read(range, while: isNeeded) { digest.update($0) } ? digest.finish() : nil
    }
}
