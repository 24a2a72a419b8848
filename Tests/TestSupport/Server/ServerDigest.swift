internal import COpenSSL

/// The digests with which servers verify uploads.
enum ServerDigest {
    /// Returns a digest.
    ///
    /// - Parameter algorithm: OpenSSL's name of the algorithm.
    static func bytes(_ algorithm: String, of bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        EVP_Q_digest(nil, algorithm, nil, bytes, bytes.count, &result, &count)
        return Array(result.prefix(count))
    }

    /// Returns a digest in base64.
    static func base64(_ algorithm: String, of bytes: [UInt8]) -> String {
        let digest = Self.bytes(algorithm, of: bytes)
        var text = [UInt8](repeating: 0, count: (digest.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, digest, Int32(digest.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}
