internal import COpenSSL

/// An incremental digest, implemented by OpenSSL.
///
/// Not copyable: a copy would share the state.
package struct RunningDigest: ~Copyable {
    private let context: OpaquePointer

    /// Creates a digest.
    ///
    /// - Parameter name: OpenSSL's name of the algorithm, for example `SHA2-256`.
    /// - Returns: `nil` if OpenSSL does not have the algorithm or does not allow it.
    package init?(_ name: String) {
        guard let algorithm = EVP_MD_fetch(nil, name, nil), let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_free(algorithm) }
        guard EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        if !bytes.isEmpty { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }
    }

    /// Returns the digest. Must be called once, after the last chunk.
    package consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { digest, count in
            var length: UInt32 = 0
            EVP_DigestFinal_ex(context, digest.baseAddress, &length)
            count = Int(length)
        }
    }
}
