/// The structure of JSON texts as an index of their bytes, for sorting members.
///
/// Nodes contain offsets, not copies: 24 bytes each.
package struct JSONTree {
    private struct Node {
        /// The name with its quotes; empty for elements and documents.
        var key: Range<Int32> = 0..<0
        /// The range of a scalar; of a container, only its first byte is significant.
        var value: Range<Int32>
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
    }

    private let bytes: [UInt8]
    /// The first one is the sequence of documents.
    private let nodes: [Node]

    /// Creates a tree.
    ///
    /// - Parameters:
    ///   - bytes: JSON texts from `start` on, of less than 2 GiB.
    ///   - start: The offset of the first document.
    /// - Throws: ``JSONSyntaxError``
    package init(_ bytes: [UInt8], from start: Int) throws(JSONSyntaxError) {
        self.bytes = bytes
        nodes = try bytes.withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in
            var builder = Builder(origin: Int(bitPattern: bytes.baseAddress), count: bytes.count)
            try builder.read(UnsafeBufferPointer(rebasing: bytes[start...]))
            return builder.nodes
        }
    }

    /// Creates a node for each value.
    private struct Builder: JSONTokenReceiver {
        typealias Output = Void
        typealias Failure = Never

        var tokenizer = JSONTokenizer()
        /// The address of the first byte, and the number of bytes.
        let origin: Int
        let count: Int
        var nodes = [Node(value: 0..<0)]
        /// The open containers with the last child of each.
        private var open: [(container: Int, lastChild: Int32)] = [(0, -1)]
        /// The name of the next member.
        private var key: Range<Int32> = 0..<0

        init(origin: Int, count: Int) { (self.origin, self.count) = (origin, count) }

        private func offset(_ position: Position) -> Int32 { Int32(Int(bitPattern: position) - origin) }

        mutating func beginValue(at position: Position, into output: inout Void) {
            let (start, node) = (offset(position), Int32(nodes.count))
            nodes.append(Node(key: key, value: start..<start + 1))
            key = 0..<0
            let (container, lastChild) = open[open.count - 1]
            if lastChild < 0 { nodes[container].firstChild = node } else { nodes[Int(lastChild)].nextSibling = node }
            open[open.count - 1].lastChild = node
        }

        mutating func open(at position: Position, into output: inout Void) { open.append((nodes.count - 1, -1)) }

        mutating func close(at position: Position, into output: inout Void) { open.removeLast() }

        mutating func beginString(at position: Position, into output: inout Void) {
            if tokenizer.isKey { key = offset(position)..<offset(position) }
        }

        mutating func endString(at position: Position, into output: inout Void) {
            if tokenizer.isKey { key = key.lowerBound..<offset(position) + 1 }
        }

        mutating func endScalar(at end: Position?, into output: inout Void) {
            let node = nodes.count - 1
            nodes[node].value = nodes[node].value.lowerBound..<(end.map(offset) ?? Int32(count))
        }
    }

    private func firstByte(of node: Node) -> UInt8 { bytes[Int(node.value.lowerBound)] }
}

extension JSONTree {
    /// A container that is being written.
    private struct Frame {
        var children: ArraySlice<Int32>
        let separator: UInt8
        let closer: UInt8?
    }

    /// Writes the texts in chunks without white space and with members sorted by name.
    ///
    /// Documents are separated by line feeds; members with the same name keep their order.
    package func writeSorted<Failure>(_ take: (ArraySlice<UInt8>) throws(Failure) -> Void) throws(Failure) {
        var stack = [Frame(children: children(of: 0, isSorted: false), separator: UInt8(ascii: "\n"), closer: nil)]
        var isFirst = true
        while let frame = stack.last {
            guard let child = frame.children.first else {
                if let closer = frame.closer { try take([closer]) }
                stack.removeLast()
                isFirst = false
                continue
            }
            if !isFirst { try take([frame.separator]) }
            stack[stack.count - 1].children = frame.children.dropFirst()
            let node = nodes[Int(child)]
            if !node.key.isEmpty { try take(bytes[node.key] + [UInt8(ascii: ":")]) }
            try take(bytes[node.value])
            isFirst = false
            let first = firstByte(of: node)
            guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { continue }
            let isObject = first == UInt8(ascii: "{")
            let closer = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let children = children(of: child, isSorted: isObject)
            stack.append(Frame(children: children, separator: UInt8(ascii: ","), closer: closer))
            isFirst = true
        }
    }

    private func children(of node: Int32, isSorted: Bool) -> ArraySlice<Int32> {
        var children: [Int32] = []
        var child = nodes[Int(node)].firstChild
        while child >= 0 {
            children.append(child)
            child = nodes[Int(child)].nextSibling
        }
        guard isSorted, children.count > 1 else { return children[...] }
        let keyed = children.map { (name: name(of: nodes[Int($0)].key), child: $0) }
        // The standard library's sort is stable.
        return keyed.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.child)[...]
    }

    /// Returns the unescaped name, in bytes that sort like its characters.
    private func name(of key: Range<Int32>) -> ArraySlice<UInt8> {
        let string = bytes[key]
        guard string.contains(UInt8(ascii: "\\")) else { return string.dropFirst().dropLast() }
        return JSONEscape.unescaped(string)[...]
    }
}

extension [UInt8] {
    fileprivate subscript(range: Range<Int32>) -> ArraySlice<UInt8> {
        self[Int(range.lowerBound)..<Int(range.upperBound)]
    }
}
