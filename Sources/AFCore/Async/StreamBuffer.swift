internal import Synchronization

/// What has happened and has not been read: between whoever tells events and the one who awaits them.
final class StreamBuffer<Element: Sendable>: Sendable {
    typealias Release = @Sendable () -> Void

    private struct Contents {
        var items = FIFO<(element: Element, release: Release)>()
        var waiters = FIFO<CheckedContinuation<Element?, Never>>()
        /// Whether no more comes, or nobody reads it.
        var isOver = false
    }

    private let policy: StreamOf<Element>.BufferingPolicy
    private let onLeave: @Sendable () -> Void
    private let contents = Mutex(Contents())

    /// - Parameter onLeave: Called when the reader goes before the end.
    init(_ policy: StreamOf<Element>.BufferingPolicy, onLeave: @escaping @Sendable () -> Void = {}) {
        self.policy = policy
        self.onLeave = onLeave
    }

    /// - Parameter release: Called once the event holds no memory any more: it was read, dropped, or nobody is there.
    func yield(_ element: Element, release: @escaping Release = {}) {
        let (waiter, released) = contents.withLock { contents in
            if contents.isOver { return (nil as CheckedContinuation<Element?, Never>?, [release]) }
            if let waiter = contents.waiters.popFirst() { return (waiter, [release]) }
            return (nil, policy.add((element, release), to: &contents.items))
        }
        waiter?.resume(returning: element)
        for release in released { release() }
    }

    /// No more comes. What is there can still be read.
    func finish() { end(keepsItems: true) }

    /// Nobody reads any more.
    func leave() { if end(keepsItems: false) { onLeave() } }

    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (element, release) = contents.withLock { contents -> (Element??, Release?) in
                    if let item = contents.items.popFirst() { return (item.element, item.release) }
                    if contents.isOver { return (.some(nil), nil) }
                    contents.waiters.append(waiter)
                    return (nil, nil)
                }
                if let element { waiter.resume(returning: element) }
                release?()
            }
        } onCancel: {
            leave()
        }
    }

    /// - Returns: Whether this is the end.
    @discardableResult
    private func end(keepsItems: Bool) -> Bool {
        let (isFirst, waiters, items) = contents.withLock { contents in
            let isFirst = !contents.isOver
            contents.isOver = true
            defer {
                contents.waiters = FIFO()
                if !keepsItems { contents.items = FIFO() }
            }
            return (isFirst, contents.waiters, keepsItems ? FIFO() : contents.items)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
        for item in items { item.release() }
        return isFirst
    }
}

extension AsyncStream.Continuation.BufferingPolicy {
    /// Adds an event; gives the means to release those that have no place.
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

/// The telling end of a stream: it is over when nobody can tell anything any more.
final class StreamSource<Element: Sendable>: Sendable {
    let buffer: StreamBuffer<Element>

    init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

    deinit { buffer.finish() }
}
