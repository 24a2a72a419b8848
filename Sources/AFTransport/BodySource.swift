/// The source of a request body.
///
/// It is a description: nothing is opened before the transfer starts, and everything but a stream that cannot rewind
/// can be sent again.
public indirect enum BodySource: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A regular file, or the part of it in `range` (bytes).
    case file(path: String, range: Range<Int64>? = nil)
    /// Sources in sequence, as in a multipart body.
    case parts([BodySource])
    /// Bytes that are produced while they are sent; `length` in bytes if it is known. A stream that is shorter or
    /// longer fails the transfer.
    case stream(any BodyStream, length: Int64? = nil)
}

/// The result of reading from a ``BodyStream``.
public enum BodyRead: Hashable, Sendable {
    /// The number of bytes written to the buffer; never zero.
    case bytes(Int)
    /// No bytes are available yet. The stream calls `whenReady` when they are.
    case notYet
    /// The body is complete.
    case end
}

/// A body that is read chunk by chunk on the transport's thread: reading must not block.
public protocol BodyStream: AnyObject, Sendable {
    /// Writes the next bytes into the buffer.
    ///
    /// - Parameter whenReady: Stored after ``BodyRead/notYet`` and called once, from any thread, when reading can
    ///   continue.
    /// - Throws: An error if the body cannot be completed; the transfer fails with it.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead

    /// Rewinds to the first byte; returns `false` if that is impossible and the body can be sent only once.
    func rewind() -> Bool
}
