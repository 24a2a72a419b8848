internal import FoundationEssentials

/// The body of a streamed response as an asynchronous sequence of bytes; see ``BodyChunks``.
public struct BodyBytes: AsyncSequence, Sendable {
    /// The error of the sequence.
    public typealias Failure = AFError
    /// The iterator over the bytes of the body.
    public typealias AsyncIterator = Iterator

    private let chunks: BodyChunks

    init(_ chunks: BodyChunks) { self.chunks = chunks }

    /// Returns an iterator; all iterators of a sequence share its chunks.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator()) }

    /// An iterator over the bytes, in order.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: BodyChunks.Iterator
        private var chunk: [UInt8] = []
        private var position = 0

        fileprivate init(_ chunks: BodyChunks.Iterator) { self.chunks = chunks }

        /// Returns the next byte; `nil` at the end of the body.
        ///
        /// - Throws: The request's error, after the bytes that arrived before it; `explicitlyCancelled` if the task is
        ///   canceled while it waits.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(AFError) -> UInt8? {
            while position == chunk.count {
                guard let next = try await chunks.next(isolation: actor) else { return nil }
                (chunk, position) = (Array(next), 0)
            }
            defer { position += 1 }
            return chunk[position]
        }
    }
}
