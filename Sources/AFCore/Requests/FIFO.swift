/// First in, first out. What has been taken out is let go of at once.
struct FIFO<Element> {
    private var slots: [Element?] = []
    private var head = 0

    var count: Int { slots.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) { slots.append(element) }

    mutating func popFirst() -> Element? {
        guard head < slots.count else { return nil }
        defer { compact() }
        head += 1
        return slots[head - 1].take()
    }

    /// Closes the gap in front once it is as long as the rest, so that taking stays cheap however much waits.
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
    func makeIterator() -> some IteratorProtocol<Element> { slots[head...].lazy.compactMap(\.self).makeIterator() }
}

extension FIFO: Sendable where Element: Sendable {}
