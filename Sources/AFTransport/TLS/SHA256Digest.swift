internal import AFHTTP
internal import COpenSSL

/// A SHA-256 digest (FIPS 180-4), computed by OpenSSL.
package struct SHA256Digest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    package init(of message: UnsafeRawBufferPointer) {
        bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            // OpenSSL requires a non-null pointer, even for zero bytes.
            var nothing: UInt8 = 0
            if let start = message.baseAddress {
                SHA256(start, message.count, digest.baseAddress)
            } else {
                SHA256(&nothing, 0, digest.baseAddress)
            }
            count = Self.byteCount
        }
    }

    package init(of message: [UInt8]) {
        self = message.withUnsafeBytes { SHA256Digest(of: $0) }
    }

    /// Computes the keyed digest of a message (HMAC, RFC 2104).
    package init(of message: [UInt8], key: [UInt8]) {
        bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            // An empty key would be a null pointer, which means the key of the previous call.
            let key = key.isEmpty ? [0] : key
            HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, digest.baseAddress, nil)
            count = Self.byteCount
        }
    }

    /// The digest as lowercase hexadecimal digits.
    package var hexadecimal: String { bytes.hexadecimal }
}

extension SHA256Digest {
    /// An incremental digest.
    package struct Hasher: ~Copyable {
        private let digest: RunningDigest

        package init() {
            // Every OpenSSL has SHA-256.
            guard let digest = RunningDigest("SHA2-256") else { preconditionFailure("OpenSSL without SHA-256") }
            self.digest = digest
        }

        package func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

        /// Returns the digest. Must be called once, after the last chunk.
        package consuming func finish() -> SHA256Digest { SHA256Digest(bytes: digest.finish()) }
    }
}
