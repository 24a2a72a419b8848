/// The structure of JSON texts as an index of their bytes, for sorting members.
///
/// Nodes contain offsets, not copies: 24 bytes each. Only memory limits the depth.
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
    private var nodes: [Node] = []

    /// Creates a tree.
    ///
    /// - Parameters:
    ///   - bytes: Valid JSON from `start` on, of less than 2 GiB. Separators are not checked.
    ///   - start: The offset of the first document, white space excluded.
    /// - Throws: ``JSONScanner/Problem`` with the first byte that is no part of a JSON text.
    package init(_ bytes: [UInt8], from start: Int) throws(JSONScanner.Problem) {
        self.bytes = bytes
        try build(from: start)
    }

    private mutating func build(from start: Int) throws(JSONScanner.Problem) {
        // The root is the sequence of documents.
        nodes.append(Node(value: 0..<0))
        var open: [Int32] = [0]
        var lastChildren: [Int32] = [-1]
        var key: Range<Int32> = 0..<0
        var scanner = JSONScanner(bytes: bytes)
        scanner.move(to: start)
        while let byte = scanner.next {
            let position = scanner.position
            switch byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open.count > 1 else { throw scanner.problem("a JSON value") }
                open.removeLast()
                lastChildren.removeLast()
                scanner.move(to: position + 1)
            case UInt8(ascii: ","), UInt8(ascii: ":"): scanner.move(to: position + 1)
            case _ where byte.isJSONSpace: scanner.skipBlanks()
            default:
                let container = scanner.container
                let token = container == nil ? try scanner.skipScalar() : position..<position + 1
                scanner.move(to: token.upperBound)
                let range = Int32(token.lowerBound)..<Int32(token.upperBound)
                if byte == UInt8(ascii: "\""), key.isEmpty, isInObject(open) {
                    key = range
                    continue
                }
                let node = Int32(nodes.count)
                nodes.append(Node(key: key, value: range))
                link(node, to: open[open.count - 1], after: &lastChildren[lastChildren.count - 1])
                key = 0..<0
                if container != nil {
                    open.append(node)
                    lastChildren.append(-1)
                }
            }
        }
    }

    private func isInObject(_ open: [Int32]) -> Bool {
        guard let container = open.last, container > 0 else { return false }
        return firstByte(of: nodes[Int(container)]) == UInt8(ascii: "{")
    }

    private mutating func link(_ node: Int32, to container: Int32, after last: inout Int32) {
        if last < 0 { nodes[Int(container)].firstChild = node } else { nodes[Int(last)].nextSibling = node }
        last = node
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
