/// The JSON body that items build, one key after the other.
///
/// Nodes refer to their children by index, and objects have a table of their names: the time to set a key does not
/// depend on the size of the document.
struct JSONDocument: Sendable {
    fileprivate struct Node {
        enum Kind {
            case leaf(JSONText)
            case object
            case array
        }

        var kind: Kind
        /// Indexes of nodes, or ``JSONDocument/gap``.
        var children: [Int] = []
        /// The names of an object's members, quotes included.
        var spellings: [String] = []
        /// The last child of each name. Names are bytes here, because `String` equates what Unicode calls equivalent.
        var positions: [[UInt8]: Int] = [:]

        static let null = Node(kind: .leaf(.null))
    }

    /// A null before an index that was typed.
    private static let gap = -1

    /// The root is the first one. A node that was overwritten stays here, without a parent.
    private var nodes: [Node] = []

    /// The compact text of the document in HTTPie's spacing; `nil` until the first key is set.
    var text: String? {
        guard !nodes.isEmpty else { return nil }
        var text = ""
        write(0, to: &text)
        return text
    }

    /// Sets the value at a key, and creates the objects and arrays that lead to it.
    ///
    /// A key given again overwrites; `[]` always adds. Gaps before an index are filled with null, and a null that has
    /// to hold a member or an element becomes an object or an array. The first key decides which of them the root is.
    ///
    /// - Throws: ``UsageError`` that points at the part of the key that does not fit the document.
    mutating func set(_ key: String, to value: JSONText) throws(UsageError) {
        let key = try JSONKey(key)
        if nodes.isEmpty { nodes.append(.null) }
        var node = 0
        for (place, part) in key.parts.enumerated() {
            open(node, for: part.step)
            switch (part.step, nodes[node].kind) {
            case (.member(let name), .object): node = member(name, of: node)
            case (.index(let index), .array): node = element(index, of: node)
            case (.append, .array): node = append(.null, to: node)
            default: throw UsageError(mismatch: nodes[node].kind.typeName, key, at: place)
            }
        }
        nodes[node] = Node(kind: .leaf(value))
    }

    /// Makes a container of a leaf: an empty one of null, and of JSON as typed the one that it spells.
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
            for member in members { addMember(member.name, spelled: member.spelling, member.value, to: node) }
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

    /// Recursive: the depth of keys is limited.
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
    /// The empty container that a step needs.
    fileprivate init(for step: JSONKey.Step) {
        switch step {
        case .member: self = .object
        case .index, .append: self = .array
        }
    }

    fileprivate var typeName: String {
        switch self {
        case .leaf(let value): value.typeName
        case .object: "object"
        case .array: "array"
        }
    }
}

extension UsageError {
    fileprivate init(mismatch found: String, _ key: JSONKey, at place: Int) {
        let (name, container) =
            switch key.parts[place].step {
            case .member: ("key", "object")
            case .index: ("index", "array")
            case .append: ("append", "array")
            }
        let path = place == 0 ? "the top level" : "'\(key.prefix(before: place))'"
        self.init(
            keyError: "type",
            "\(known: path) is of type \(known: found), but '\(known: name)' access needs an \(known: container)",
            key.source,
            key.parts[place].range
        )
    }
}
