/// A first-in, first-out queue, which releases removed elements immediately.
package struct FIFO<Element> {
    private var slots: [Element?] = []
    private var head = 0

    package var count: Int { slots.count - head }
    package var isEmpty: Bool { count == 0 }

    package init() {}

    package mutating func append(_ element: Element) { slots.append(element) }

    package mutating func popFirst() -> Element? {
        guard head < slots.count else { return nil }
        defer { compact() }
        head += 1
        return slots[head - 1].take()
    }

    /// Removes the gap at the start when it is as long as the rest, so that removal takes amortized constant time.
    private mutating func compact() {
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
    package func makeIterator() -> some IteratorProtocol<Element> {
        slots[head...].lazy.compactMap(\.self).makeIterator()
    }
}

extension FIFO: Sendable where Element: Sendable {}
