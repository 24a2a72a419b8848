internal import AFJSON

/// The JSON body that items form, built key by key.
///
/// Nodes refer to their children by index, and objects have a table of names: the time to set a key does not depend on
/// the size of the document.
struct JSONDocument: Sendable {
    fileprivate struct Node {
        enum Kind {
            case leaf(JSONText)
            case object
            case array
        }

        var kind: Kind
        /// The indices of nodes, or ``JSONDocument/gap``.
        var children: [Int] = []
        /// The names of an object's members, including quotes.
        var spellings: [String] = []
        /// The index of the last child by name. Names are bytes, as `String` treats canonically equivalent names as
        /// equal.
        var positions: [[UInt8]: Int] = [:]

        static let null = Node(kind: .leaf(.null))
    }

    /// A null before a typed index.
    private static let gap = -1

    /// The nodes; the root is the first one. An overwritten node stays without a parent.
    private var nodes: [Node] = []

    /// Creates an empty document.
    init() {}

    /// Creates a document whose values the items change.
    init(base: JSONText) { nodes = [Node(kind: .leaf(base))] }

    /// The compact text of the document in HTTPie's spacing; `nil` before the first key is set.
    var text: String? {
        guard !nodes.isEmpty else { return nil }
        var text = ""
        write(0, to: &text)
        return text
    }

    /// Sets the value of a key, and creates the objects and arrays on its path.
    ///
    /// A repeated key overwrites; `[]` always appends. Gaps before an index are filled with null, and a null becomes an
    /// object or array if necessary. The first key determines the type of the root.
    ///
    /// - Throws: ``UsageError`` that points at the part of the key that does not fit the document.
    mutating func set(_ key: String, to value: JSONText) throws(UsageError) {
        let key = try JSONKey(key)
        if nodes.isEmpty { nodes.append(.null) }
        var node = 0
        for (position, part) in key.parts.enumerated() {
            open(node, for: part.step)
            switch (part.step, nodes[node].kind) {
            case (.member(let name), .object): node = member(name, of: node)
            case (.index(let index), .array): node = element(index, of: node)
            case (.append, .array): node = append(.null, to: node)
            default: throw UsageError(mismatch: nodes[node].kind.type, key, at: position)
            }
        }
        nodes[node] = Node(kind: .leaf(value))
    }

    /// Converts a leaf to a container: null to an empty one, and a raw value by parsing it.
    private mutating func open(_ node: Int, for step: JSONKey.Step) {
        guard case .leaf(let value) = nodes[node].kind else { return }
        guard value != .null else {
            nodes[node].kind = Node.Kind(for: step)
            return
        }
        switch value.opened {
        case .raw: break
        case .object(let members):
            nodes[node].kind = .object
            for member in members { addMember(member.name, spelled: member.rawName, member.value, to: node) }
        case .array(let elements):
            nodes[node].kind = .array
            for element in elements { append(element, to: node) }
        }
    }

    private mutating func member(_ name: String, of node: Int) -> Int {
        if let position = nodes[node].positions[Array(name.utf8)] { return nodes[node].children[position] }
        return addMember(name, spelled: JSONText.quoted(name), .null, to: node)
    }

    @discardableResult
    private mutating func addMember(_ name: String, spelled spelling: String, _ value: JSONText, to node: Int) -> Int {
        nodes[node].positions[Array(name.utf8)] = nodes[node].children.count
        nodes[node].spellings.append(spelling)
        return append(value, to: node)
    }

    private mutating func element(_ index: Int, of node: Int) -> Int {
        let missing = index + 1 - nodes[node].children.count
        if missing > 0 { nodes[node].children += repeatElement(Self.gap, count: missing) }
        if nodes[node].children[index] == Self.gap {
            nodes[node].children[index] = nodes.count
            nodes.append(.null)
        }
        return nodes[node].children[index]
    }

    @discardableResult
    private mutating func append(_ value: JSONText, to node: Int) -> Int {
        nodes[node].children.append(nodes.count)
        nodes.append(Node(kind: .leaf(value)))
        return nodes.count - 1
    }

    /// Recursive, as the depth of keys is limited.
    private func write(_ node: Int, to text: inout String) {
        guard node != Self.gap else {
            text += "null"
            return
        }
        switch nodes[node].kind {
        case .leaf(let value): text += value.text
        case .object:
            text += "{"
            for (position, child) in nodes[node].children.enumerated() {
                text += "\(position > 0 ? ", " : "")\(nodes[node].spellings[position]): "
                write(child, to: &text)
            }
            text += "}"
        case .array:
            text += "["
            for (position, child) in nodes[node].children.enumerated() {
                if position > 0 { text += ", " }
                write(child, to: &text)
            }
            text += "]"
        }
    }
}

extension JSONDocument.Node.Kind {
    /// Creates the empty container for a step.
    fileprivate init(for step: JSONKey.Step) {
        switch step {
        case .member: self = .object
        case .index, .append: self = .array
        }
    }

    fileprivate var type: JSONText.Kind {
        switch self {
        case .leaf(let value): value.kind
        case .object: .object
        case .array: .array
        }
    }
}

extension UsageError {
    fileprivate init(mismatch found: JSONText.Kind, _ key: JSONKey, at position: Int) {
        let (name, container) =
            switch key.parts[position].step {
            case .member: ("key", "object")
            case .index: ("index", "array")
            case .append: ("append", "array")
            }
        let path = position == 0 ? "the top level" : "'\(key.prefix(before: position))'"
        self.init(
            keyError: "type",
            "\(known: path) is of type \(known: found.rawValue), but \(known: name) access requires an \(known: container)",
            key.source,
            key.parts[position].range
        )
    }
}
