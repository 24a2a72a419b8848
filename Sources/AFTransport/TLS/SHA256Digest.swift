internal import COpenSSL

/// SHA-256 of some bytes (FIPS 180-4), by OpenSSL.
package struct SHA256Digest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    package init(of message: UnsafeRawBufferPointer) {
        bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            // OpenSSL wants no null pointer, not even for nothing.
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

    /// The keyed digest (HMAC, RFC 2104).
    package init(of message: [UInt8], key: [UInt8]) {
        bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            // An empty key is null otherwise, which means the key of the call before.
            let key = key.isEmpty ? [0] : key
            HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, digest.baseAddress, nil)
            count = Self.byteCount
        }
    }

    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension SHA256Digest {
    /// The digest of bytes that come piece by piece.
    package struct Hasher: ~Copyable {
        private let digest: RunningDigest

        package init() {
            // No OpenSSL is without it.
            guard let digest = RunningDigest("SHA2-256") else { preconditionFailure("OpenSSL without SHA-256") }
            self.digest = digest
        }

        package func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

        /// To be called once, after the last piece.
        package consuming func finish() -> SHA256Digest { SHA256Digest(bytes: digest.finish()) }
    }
}
