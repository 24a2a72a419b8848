internal import AFTransport

/// The start of a body that is received before its file is created.
struct BodyBuffer {
    /// The length of a body that may arrive in one chunk; `nil` for any other, and after a smaller chunk.
    ///
    /// The file is then created after its end: it needs neither a partial file nor a record, which take longer than the
    /// transfer.
    private(set) var chunkLength: Int?
    private(set) var bytes: [UInt8] = []
    /// Whether the transfer is paused, as there is no space.
    private(set) var isPaused = false

    /// The maximum length of a body that may arrive in one chunk: `CURL_MAX_WRITE_SIZE`.
    static let maximumChunk = 16 << 10
    /// The number of bytes that are buffered; a single chunk may be larger.
    private static let capacity = 256 << 10

    init(chunkLength: Int? = nil) { self.chunkLength = chunkLength }

    /// Buffers bytes.
    ///
    /// - Returns: `.pause` if there is no space.
    mutating func receive(_ chunk: UnsafeRawBufferPointer) -> Flow {
        guard bytes.isEmpty || bytes.count + chunk.count <= Self.capacity else {
            isPaused = true
            return .pause
        }
        bytes.append(contentsOf: chunk)
        if bytes.count != chunkLength || chunk.count != chunkLength { chunkLength = nil }
        return .proceed
    }

    /// Returns the buffered bytes, which are then removed.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
