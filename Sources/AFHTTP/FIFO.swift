/// A first-in, first-out queue, which releases removed elements immediately.
package struct FIFO<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0

    /// Creates an empty queue.
    @inlinable package init() {}

    /// The number of elements.
    @inlinable package var count: Int { slots.count - head }
    /// Whether there is no element.
    @inlinable package var isEmpty: Bool { count == 0 }

    /// Adds an element at the end.
    @inlinable package mutating func append(_ element: Element) { slots.append(element) }

    /// Removes and returns the first element; `nil` if there is none.
    @inlinable package mutating func popFirst() -> Element? {
        guard head < slots.count else { return nil }
        defer { compact() }
        head += 1
        return slots[head - 1].take()
    }

    /// Removes the gap at the start when it is as long as the rest, so that removal takes amortized constant time.
    @inlinable mutating func compact() {
        if head == slots.count {
            slots.removeAll(keepingCapacity: true)
        } else if head >= 32, head * 2 >= slots.count {
            slots.removeFirst(head)
        } else {
            return
        }
        head = 0
    }
}

extension FIFO: Sequence {
    /// Returns an iterator over the elements, in order.
    @inlinable package func makeIterator() -> some IteratorProtocol<Element> {
        slots[head...].lazy.compactMap(\.self).makeIterator()
    }
}

extension FIFO: Sendable where Element: Sendable {}
