/// Events of a request as an asynchronous sequence for one reader.
///
/// Events are buffered from the creation of the sequence. The sequence ends with the first loop over it, or when it is
/// deallocated unread.
public struct StreamOf<Element: Sendable>: AsyncSequence, Sendable {
    /// The iterator of the sequence.
    public typealias AsyncIterator = Iterator
    /// The policy for events that have not been read.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let buffer: StreamBuffer<Element>
    private let presence: StreamPresence<Element>

    package init(_ buffer: StreamBuffer<Element>) {
        self.buffer = buffer
        presence = StreamPresence(buffer)
    }

    /// Returns an iterator; events since the creation of the sequence come first.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer, presence) }

    /// An iterator over the events, in order.
    public struct Iterator: AsyncIteratorProtocol {
        private let buffer: StreamBuffer<Element>
        private let sequence: StreamPresence<Element>
        private let presence: StreamPresence<Element>

        fileprivate init(_ buffer: StreamBuffer<Element>, _ sequence: StreamPresence<Element>) {
            self.buffer = buffer
            self.sequence = sequence
            presence = StreamPresence(buffer)
        }

        /// Returns the next event; `nil` after the last one or if the task is canceled.
        public mutating func next() async -> Element? { await buffer.next() }
    }
}

/// Ends a stream when its reader is deallocated.
private final class StreamPresence<Element: Sendable>: Sendable {
    private let buffer: StreamBuffer<Element>

    init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

    deinit { buffer.removeReader() }
}
