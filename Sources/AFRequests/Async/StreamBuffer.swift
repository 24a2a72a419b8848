internal import AFHTTP
internal import Synchronization

/// A buffer of unread events, between a producer and one reader.
///
/// The reader's continuations are unchecked, as checking costs each event an allocation: under the lock each one is either
/// stored or resumed, and the end resumes the stored ones.
package final class StreamBuffer<Element: Sendable>: Sendable {
    package typealias Release = @Sendable () -> Void

    fileprivate typealias Item = (element: Element, release: Release)

    private struct State {
        var items = FIFO<Item>()
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
        let (waiter, isKept, dropped) = state.withLock {
            state -> (UnsafeContinuation<Element?, Never>?, Bool, [Item]) in
            if state.isOver { return (nil, false, []) }
            if let waiter = state.waiters.popFirst() { return (waiter, false, []) }
            let (isKept, dropped) = policy.add((element, release), to: &state.items)
            return (nil, isKept, dropped)
        }
        waiter?.resume(returning: element)
        if !isKept { release() }
        for item in dropped { item.release() }
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
    /// Adds an event.
    ///
    /// - Returns: Whether it was added, and the earlier events that were dropped for it.
    fileprivate func add<Item>(_ item: Item, to items: inout FIFO<Item>) -> (isKept: Bool, dropped: [Item]) {
        var dropped: [Item] = []
        switch self {
        case .bufferingOldest(let limit) where items.count >= limit: return (false, [])
        case .bufferingNewest(let limit) where limit <= 0: return (false, [])
        case .bufferingNewest(let limit):
            while items.count >= limit, let oldest = items.popFirst() { dropped.append(oldest) }
        default: break
        }
        items.append(item)
        return (true, dropped)
    }
}
