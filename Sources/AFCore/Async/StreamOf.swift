/// Events of a request as an asynchronous sequence, for one reader.
///
/// Events are collected from the moment the sequence was made. The first loop over it that ends, by whatever means, ends the
/// sequence; so does letting go of it unread.
public struct StreamOf<Element: Sendable>: AsyncSequence, Sendable {
    /// What a loop reads with.
    public typealias AsyncIterator = Iterator
    /// What happens to events that nobody has taken yet.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let buffer: StreamBuffer<Element>
    private let presence: StreamPresence<Element>

    init(_ buffer: StreamBuffer<Element>) {
        self.buffer = buffer
        presence = StreamPresence(buffer)
    }

    /// Begins to read; what has happened since the sequence was made comes first.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer, presence) }

    /// Gives the events in order.
    public struct Iterator: AsyncIteratorProtocol {
        private let buffer: StreamBuffer<Element>
        private let sequence: StreamPresence<Element>
        private let presence: StreamPresence<Element>

        fileprivate init(_ buffer: StreamBuffer<Element>, _ sequence: StreamPresence<Element>) {
            self.buffer = buffer
            self.sequence = sequence
            presence = StreamPresence(buffer)
        }

        /// The next event; `nil` after the last one, and once the task is cancelled.
        public mutating func next() async -> Element? { await buffer.next() }
    }
}

/// Ends a stream when its reader is gone.
private final class StreamPresence<Element: Sendable>: Sendable {
    private let buffer: StreamBuffer<Element>

    init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

    deinit { buffer.leave() }
}
