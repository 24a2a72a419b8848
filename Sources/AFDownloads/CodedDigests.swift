internal import AFTransport

/// The digests of an encoded body: they are of the bytes before decoding (RFC 9530 §2, RFC 3230 §4.3.2, RFC 2616 §14.15).
struct CodedDigests: ~Copyable {
    private let expected: [Checksum]
    private let running: [RunningChecksum]
    /// Whether bytes were received. There are none for a stored response, whose body is decoded.
    private var hasBytes = false

    init(_ expected: [Checksum]) {
        self.expected = expected
        running = Set(expected.map(\.algorithm)).map(RunningChecksum.init)
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        hasBytes = true
        for digest in running { digest.update(bytes) }
    }

    /// Compares the digests, once, after the last byte.
    ///
    /// - Throws: ``DownloadFailure/Reason/wrongChecksum(expected:found:source:)``.
    mutating func check(_ path: String) throws(DownloadFailure) {
        let found = hasBytes ? running.compactMap { $0.finish() } : []
        for checksum in expected {
            guard let actual = found.first(where: { $0.algorithm == checksum.algorithm }), actual != checksum else {
                continue
            }
            throw DownloadFailure(.wrongChecksum(expected: checksum, found: actual, source: .server), path: path)
        }
    }
}
