/// Where the bytes of a request body come from.
///
/// It is a description: nothing is opened before the transfer starts, and everything but a stream that cannot
/// rewind can be sent again.
public indirect enum BodySource: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A regular file, or the part of it that `range` (in bytes) names.
    case file(path: String, range: Range<Int64>? = nil)
    /// One source after the other, as in a multipart body.
    case parts([BodySource])
    /// Bytes that are made or arrive while they are sent; `length` in bytes where it is known. A stream that is shorter or
    /// longer fails the transfer.
    case stream(any BodyStream, length: Int64? = nil)
}

/// What a ``BodyStream`` has to give at the moment.
public enum BodyRead: Hashable, Sendable {
    /// So many bytes were put into the buffer; never zero.
    case bytes(Int)
    /// Nothing yet. The stream calls `whenReady` once there is.
    case notYet
    /// The body is complete.
    case end
}

/// A body that is pulled piece by piece, on the transport's thread: reading must not block.
public protocol BodyStream: AnyObject, Sendable {
    /// Puts the next bytes into the buffer.
    ///
    /// - Parameter whenReady: Kept after ``BodyRead/notYet`` and called once, from any thread, when reading is worth
    ///   another try.
    /// - Throws: Whatever makes the body impossible to complete; the transfer fails with it.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead

    /// Goes back to the first byte. `false` when that is impossible: then the body can be sent only once.
    func rewind() -> Bool
}
