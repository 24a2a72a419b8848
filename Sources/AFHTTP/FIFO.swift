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

    /// Removes and returns the first element; `nil` if the queue is empty.
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
    /// The elements that an iterator has not returned.
    package struct Iterator: IteratorProtocol {
        @usableFromInline let slots: [Element?]
        @usableFromInline var position: Int

        @inlinable init(_ queue: FIFO) {
            slots = queue.slots
            position = queue.head
        }

        /// Returns the next element; `nil` after the last.
        @inlinable package mutating func next() -> Element? {
            guard position < slots.count else { return nil }
            defer { position += 1 }
            return slots[position]
        }
    }

    /// Returns an iterator over the elements, in order.
    @inlinable package func makeIterator() -> Iterator { Iterator(self) }
}

extension FIFO: Sendable where Element: Sendable {}
