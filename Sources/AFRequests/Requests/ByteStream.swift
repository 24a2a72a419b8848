public import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The body of a response as a stream that is read on demand, with back-pressure to the server.
///
/// A read either blocks (``read(into:)``) or does not (``read(into:whenReady:)``, which also makes the stream a body
/// for another request). ``close()`` or deinitialization cancels the request. A retry after the first byte was read
/// would repeat bytes: then the stream fails.
public final class ByteStream: BodyStream {
    private let source: ByteStreamBuffer

    init(_ source: ByteStreamBuffer) { self.source = source }

    deinit { source.close() }

    /// Whether a read would not block: there are bytes, or the end was reached.
    public var hasBytesAvailable: Bool { source.isReady }

    /// Reads bytes, blocking until there are some. Must not be called on the session's queues or inside a task.
    ///
    /// - Returns: The number of bytes; zero at the end of the body.
    /// - Throws: The request's `AFError`.
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

    /// Reads bytes without blocking.
    ///
    /// - Parameter whenReady: Stored after `BodyRead.notYet` and called once, from any thread.
    /// - Throws: The request's `AFError`.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        try source.read(into: buffer, whenReady: whenReady)
    }

    /// Returns `false`: bytes that were read are not stored.
    public func rewind() -> Bool { false }

    /// Cancels the request, unless it has ended, and ends all waiting reads.
    public func close() { source.close() }
}

extension DataStreamRequest {
    /// Returns a stream of the body, and resumes the request.
    ///
    /// Replaces Alamofire's `asInputStream`.
    ///
    /// - Parameter bufferSize: The maximum number of unread bytes. The last chunk from the network may exceed it by up
    ///   to 128 KiB.
    public func asByteStream(bufferSize: Int = 1024) -> ByteStream {
        let source = ByteStreamBuffer(CancellationToken(request: self))
        attach(source, limit: bufferSize)
        resume()
        return ByteStream(source)
    }
}
