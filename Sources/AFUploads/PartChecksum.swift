package import AFHTTP

/// The checksum of each part that S3 verifies and stores, if the request asks for it with `x-amz-checksum-algorithm`.
package enum PartChecksum: String, CaseIterable, Codable, Sendable {
    case crc32 = "CRC32"
    case crc32c = "CRC32C"
    case sha1 = "SHA1"
    case sha256 = "SHA256"

    /// The field with which a request asks for it.
    package static let field = "x-amz-checksum-algorithm"

    /// Returns the checksum that a request asks for; `nil` if it asks for no checksum.
    ///
    /// - Throws: ``UploadFailure`` for another algorithm.
    package init?(_ headers: HTTPHeaders) throws(UploadFailure) {
        guard let name = headers.value(for: Self.field) else { return nil }
        guard let checksum = Self(rawValue: name.uppercased()) else { throw UploadFailure(.unsupportedChecksum(name)) }
        self = checksum
    }

    /// The name of ``UploadContent/digest(_:of:)``.
    var algorithm: String { self == .sha256 ? "SHA2-256" : rawValue }
    /// The element of the document that completes an upload.
    var element: String { "Checksum\(rawValue)" }

    /// Returns the field of a part.
    func header(_ checksum: [UInt8]) -> HTTPHeader {
        HTTPHeader(name: "x-amz-checksum-\(rawValue.lowercased())", value: checksum.base64)
    }
}

/// A cyclic redundancy check of 32 bits with reflected bits: that of zlib (CRC-32), or Castagnoli's (CRC-32C).
struct CyclicRedundancyCheck {
    private let table: [UInt32]
    private var remainder = UInt32.max

    /// Creates a check; `nil` if the name is not `CRC32` or `CRC32C`.
    init?(_ name: String) {
        let polynomial: UInt32
        switch name {
        case "CRC32": polynomial = 0xEDB8_8320
        case "CRC32C": polynomial = 0x82F6_3B78
        default: return nil
        }
        table = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial }
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            remainder = table[Int((remainder ^ UInt32(byte)) & 0xFF)] ^ remainder >> 8
        }
    }

    /// Returns the four bytes, the most significant one first.
    func finish() -> [UInt8] { withUnsafeBytes(of: (~remainder).bigEndian, Array.init) }
}
