/// The state of a multipart upload that a record contains.
package struct MultipartState: Codable, Hashable, Sendable {
    /// The size of each part but the last one.
    package var partSize: Int64
    /// Whether the ETags of parts are no MD5 digests, as the server encrypts the object with other keys than its own.
    package var hasOpaqueTags = false
    /// The checksum of each part that the server verifies; `nil` for none besides the ETag.
    package var checksum: PartChecksum?
    /// The ETag of the object if the server was asked to complete the upload, empty if it is not known in advance.
    package var completion: String?

    private static let smallestPart: Int64 = 8 << 20
    private static let largestPart: Int64 = 5 << 30
    private static let maximumCount: Int64 = 10_000

    /// Creates the state of a new upload with at most 10,000 parts.
    init(length: Int64, checksum: PartChecksum? = nil) {
        self.checksum = checksum
        let unit: Int64 = 1 << 20
        let needed = (length + Self.maximumCount - 1) / Self.maximumCount
        partSize = max(Self.smallestPart, (needed + unit - 1) / unit * unit)
    }

    /// Whether the service accepts an upload of this length.
    func isPossible(_ length: Int64) -> Bool {
        1...Self.largestPart ~= partSize && length <= partSize * Self.maximumCount
    }
}
