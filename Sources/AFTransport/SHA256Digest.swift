internal import CCurl

/// SHA-256 of some bytes (FIPS 180-4), by OpenSSL.
package struct SHA256Digest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

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

    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
