public import FoundationEssentials

/// The body of a streamed response as an asynchronous sequence of chunks for one reader.
///
/// A slow reader applies back-pressure: the transfer is paused while ``DataStreamRequest/chunks(bufferSize:)``'s limit
/// of bytes is unread. Leaving the loop or canceling its task cancels the request.
///
/// If the request has validators, they run before the first chunk: the body of a response that they do not accept is
/// discarded, and the sequence throws their error.
public struct BodyChunks: AsyncSequence, Sendable {
    /// The error of the sequence.
    public typealias Failure = AFError
    /// The iterator over the chunks of the body.
    public typealias AsyncIterator = Iterator

    private let source: ByteStreamBuffer
    private let presence: OnDeinit

    init(_ source: ByteStreamBuffer) {
        self.source = source
        presence = OnDeinit { source.close() }
    }

    /// Returns an iterator; all iterators of a sequence share its chunks.
    public func makeAsyncIterator() -> Iterator { Iterator(source, presence) }

    /// An iterator over the chunks, in order.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: ByteStreamBuffer
        private let sequence: OnDeinit
        private let presence: OnDeinit

        fileprivate init(_ source: ByteStreamBuffer, _ sequence: OnDeinit) {
            self.source = source
            self.sequence = sequence
            presence = OnDeinit { source.close() }
        }

        /// Returns the next chunk; `nil` at the end of the body.
        ///
        /// - Throws: The request's error, after the chunks that arrived before it; `explicitlyCancelled` if the task is
        ///   canceled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(AFError) -> Data? {
            while true {
                if Task.isCancelled { source.close() }
                switch try source.nextChunk() {
                case .chunk(let chunk): return chunk
                case .end: return nil
                case .notYet: await source.waitUntilReady()
                }
            }
        }

        /// Cancels the request.
        func close() { source.close() }
    }
}

extension ByteStreamBuffer {
    /// Waits until reading can continue; canceling the task closes the buffer.
    fileprivate func waitUntilReady() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in notify { continuation.resume() } }
        } onCancel: {
            close()
        }
    }
}

extension DataStreamRequest {
    /// Returns the body as chunks of bytes, and starts the request.
    ///
    /// - Parameter bufferSize: The maximum number of unread bytes. The last chunk from the network may exceed it by up
    ///   to 128 KiB.
    public func chunks(bufferSize: Int = 256 << 10) -> BodyChunks {
        // A canceled task would not read the chunks, so no request is sent.
        if Task.isCancelled { cancel() }
        let source = ByteStreamBuffer(CancellationToken(request: self), isValidating: true)
        attach(source, limit: bufferSize)
        resume()
        return BodyChunks(source)
    }

    /// Returns the body as single bytes, and starts the request; see ``chunks(bufferSize:)``.
    public func bytes(bufferSize: Int = 256 << 10) -> BodyBytes { BodyBytes(chunks(bufferSize: bufferSize)) }

    /// Returns the body as lines of UTF-8 text, and starts the request; see ``chunks(bufferSize:)``.
    ///
    /// - Parameter maximumLength: The maximum length of a line in bytes.
    public func lines(maximumLength: Int = 1 << 20, bufferSize: Int = 256 << 10) -> BodyLines {
        BodyLines(chunks(bufferSize: bufferSize), maximumLength: maximumLength)
    }
}
