internal import AFHTTP
internal import Synchronization

/// A buffer of unread events, between a producer and one reader.
///
/// The reader's continuations are unchecked, as checking costs each event an allocation: under the lock each one is either
/// stored or resumed, and the end resumes the stored ones.
package final class StreamBuffer<Element: Sendable>: Sendable {
    package typealias Release = @Sendable () -> Void

    private struct State {
        var items = FIFO<(element: Element, release: Release)>()
        var waiters = FIFO<UnsafeContinuation<Element?, Never>>()
        /// Whether the producer has finished or the reader was removed.
        var isOver = false
    }

    private let policy: StreamOf<Element>.BufferingPolicy
    private let onReaderRemoved: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a buffer.
    ///
    /// - Parameter onReaderRemoved: Called when the reader is removed before the end.
    package init(_ policy: StreamOf<Element>.BufferingPolicy, onReaderRemoved: @escaping @Sendable () -> Void = {}) {
        self.policy = policy
        self.onReaderRemoved = onReaderRemoved
    }

    /// Adds an event.
    ///
    /// - Parameter release: Called when the event no longer uses memory: it was read or dropped, or there is no reader.
    package func yield(_ element: Element, release: @escaping Release = {}) {
        let (waiter, released) = state.withLock { state in
            if state.isOver { return (nil as UnsafeContinuation<Element?, Never>?, [release]) }
            if let waiter = state.waiters.popFirst() { return (waiter, [release]) }
            return (nil, policy.add((element, release), to: &state.items))
        }
        waiter?.resume(returning: element)
        for release in released { release() }
    }

    /// Ends the stream. Buffered events can still be read.
    package func finish() { end(keepsItems: true) }

    func removeReader() { if end(keepsItems: false) { onReaderRemoved() } }

    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                let (element, release) = state.withLock { state -> (Element??, Release?) in
                    if let item = state.items.popFirst() { return (item.element, item.release) }
                    if state.isOver { return (.some(nil), nil) }
                    state.waiters.append(waiter)
                    return (nil, nil)
                }
                if let element { waiter.resume(returning: element) }
                release?()
            }
        } onCancel: {
            removeReader()
        }
    }

    /// Ends the buffer.
    ///
    /// - Returns: Whether this call ended it.
    @discardableResult
    private func end(keepsItems: Bool) -> Bool {
        let (isFirst, waiters, items) = state.withLock { state in
            let isFirst = !state.isOver
            state.isOver = true
            defer {
                state.waiters = FIFO()
                if !keepsItems { state.items = FIFO() }
            }
            return (isFirst, state.waiters, keepsItems ? FIFO() : state.items)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
        for item in items { item.release() }
        return isFirst
    }
}

extension AsyncStream.Continuation.BufferingPolicy {
    /// Adds an event; returns the release closures of events that were dropped.
    fileprivate func add(
        _ item: (element: Element, release: @Sendable () -> Void),
        to items: inout FIFO<(element: Element, release: @Sendable () -> Void)>
    ) -> [@Sendable () -> Void] {
        switch self {
        case .bufferingOldest(let limit) where items.count >= limit: return [item.release]
        case .bufferingNewest(let limit) where limit <= 0: return [item.release]
        case .bufferingNewest(let limit):
            var dropped: [@Sendable () -> Void] = []
            while items.count >= limit, let oldest = items.popFirst() { dropped.append(oldest.release) }
            items.append(item)
            return dropped
        default:
            items.append(item)
            return []
        }
    }
}
