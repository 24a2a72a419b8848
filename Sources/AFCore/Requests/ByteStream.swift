public import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The body of a response, pulled by whoever reads it: the server is held back while nobody does.
///
/// Reading either waits (``read(into:)``) or does not (``read(into:whenReady:)``, which also makes the stream the body of
/// another request). Once nobody holds the stream, or after ``close()``, the request is cancelled. Another attempt of the
/// request after the first byte has been read would give bytes twice: then the stream fails.
public final class ByteStream: BodyStream {
    private let source: ByteSource

    init(_ source: ByteSource) { self.source = source }

    deinit { source.close() }

    /// Whether a read would not wait: there are bytes, or there is the end.
    public var hasBytesAvailable: Bool { source.isReady }

    /// Puts the next bytes into the buffer, and waits for them. Not to be called on the session's queues, nor inside a task.
    ///
    /// - Returns: How many bytes; zero at the end of the body.
    /// - Throws: The `AFError` that the request ended with.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        let readiness = DispatchSemaphore(value: 0)
        while true {
            switch try read(into: buffer, whenReady: { readiness.signal() }) {
            case .bytes(let count): return count
            case .end: return 0
            case .notYet: readiness.wait()
            }
        }
    }

    /// Puts the next bytes into the buffer, if there are any.
    ///
    /// - Parameter whenReady: Kept after `BodyRead.notYet` and called once, from any thread.
    /// - Throws: The `AFError` that the request ended with.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        try source.read(into: buffer, whenReady: whenReady)
    }

    /// Never possible: what has been read is gone.
    public func rewind() -> Bool { false }

    /// Wants no more: cancels the request, unless that is over, and ends every read that waits.
    public func close() { source.close() }
}

extension DataStreamRequest {
    /// Gives the body to be pulled, and resumes the request.
    ///
    /// It stands where Alamofire has `asInputStream`.
    ///
    /// - Parameter bufferSize: Bytes that may wait to be read. The last piece from the network may go beyond that, by
    ///   128 KiB at most.
    public func asByteStream(bufferSize: Int = 1024) -> ByteStream {
        let source = ByteSource(CancellationToken(request: self))
        attach(source, limit: bufferSize)
        resume()
        return ByteStream(source)
    }
}
