/// Events of a request as an asynchronous sequence for one reader.
///
/// Events are buffered from the creation of the sequence. The sequence ends with the first loop over it, or when it is
/// deallocated unread.
public struct StreamOf<Element: Sendable>: AsyncSequence, Sendable {
    /// The iterator over the events of the request.
    public typealias AsyncIterator = Iterator
    /// The policy for events that have not been read.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let buffer: StreamBuffer<Element>
    private let presence: OnDeinit

    package init(_ buffer: StreamBuffer<Element>) {
        self.buffer = buffer
        presence = OnDeinit { buffer.removeReader() }
    }

    /// Returns an iterator; events since the creation of the sequence come first.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer, presence) }

    /// An iterator over the events, in order.
    public struct Iterator: AsyncIteratorProtocol {
        private let buffer: StreamBuffer<Element>
        private let sequence: OnDeinit
        private let presence: OnDeinit

        fileprivate init(_ buffer: StreamBuffer<Element>, _ sequence: OnDeinit) {
            self.buffer = buffer
            self.sequence = sequence
            presence = OnDeinit { buffer.removeReader() }
        }

        /// Returns the next event; `nil` after the last one or if the task is canceled.
        public mutating func next() async -> Element? { await buffer.next() }
    }
}
