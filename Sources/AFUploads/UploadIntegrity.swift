internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// A digest that the file of an upload must have.
public struct UploadDigest: Hashable, Sendable {
    /// OpenSSL's name of the algorithm, such as `SHA2-256`.
    public let algorithm: String
    /// The digest.
    public let bytes: [UInt8]

    /// Creates a digest.
    ///
    /// - Parameter algorithm: OpenSSL's name of the algorithm.
    public init(algorithm: String, bytes: [UInt8]) {
        (self.algorithm, self.bytes) = (algorithm, bytes)
    }

    /// The member of a digest field (RFC 9530); `nil` for other algorithms than those of the standard.
    var member: String? {
        let names = ["SHA2-256": "sha-256", "SHA2-512": "sha-512"]
        return names[algorithm].map { "\($0)=:\(bytes.base64):" }
    }
}

/// The digests with which the server verifies an upload.
struct UploadIntegrity: Hashable, Sendable {
    /// The digest of the file.
    let file: UploadDigest
    /// The digested bytes of the next exchange; `nil` for none.
    private var range: Range<Int64>?
    private var digest: UploadDigest?

    init(file: UploadDigest) { self.file = file }

    /// Whether the digest of a range is known, or cannot be computed.
    func hasDigest(of range: Range<Int64>) -> Bool { self.range == range }

    /// Returns the digest of a range; `nil` if it is not known.
    func digest(of range: Range<Int64>) -> UploadDigest? { self.range == range ? digest : nil }

    mutating func record(_ digest: UploadDigest?, of range: Range<Int64>) {
        (self.range, self.digest) = (range, digest)
    }
}

extension UploadContent {
    /// Compares the file with digests.
    ///
    /// - Parameter isNeeded: Whether to read the next block; otherwise, it fails with any error.
    /// - Returns: A digest of the file that a digest field can have; `nil` if there is nothing to compare.
    func verify(_ digests: [UploadDigest], while isNeeded: () -> Bool) throws(UploadFailure) -> UploadDigest? {
        for expected in digests {
            let found = try digest(of: expected.algorithm, while: isNeeded)
            guard Safety.requires("35-checksum", found == expected) else {
                throw UploadFailure(
                    .wrongChecksum(expected: expected.bytes.hexadecimal, found: found.bytes.hexadecimal), path: path)
            }
        }
        guard !digests.isEmpty else { return nil }
        if let standard = digests.first(where: { $0.member != nil }) { return standard }
        return try digest(of: "SHA2-256", while: isNeeded)
    }

    private func digest(
        of algorithm: String,
        while isNeeded: () -> Bool
    ) throws(UploadFailure) -> UploadDigest {
        guard RunningDigest(algorithm) != nil else { throw UploadFailure(.unsupportedChecksum(algorithm), path: path) }
        guard let bytes = digest(algorithm, of: 0..<identity.size, while: isNeeded) else {
            throw UploadFailure(.changedFile, path: path)
        }
        return UploadDigest(algorithm: algorithm, bytes: bytes)
    }
}

extension [UInt8] {
    var base64: String { Data(self).base64EncodedString() }
}
