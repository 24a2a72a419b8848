/// The JSON body that items build, one key after the other.
struct JSONDocument: Equatable, Sendable {
    /// `nil` until the first value; the first key decides whether it is an object or an array.
    private(set) var root: JSONText?

    /// Puts a value where a key points, making objects and arrays on the way.
    ///
    /// A key given again overwrites; `[]` always adds. Gaps before an index are filled with null, and a null on the way
    /// gives way to what the key needs.
    ///
    /// - Throws: ``UsageError`` that points at the part of the key that does not fit what is there already.
    mutating func set(_ key: String, to value: JSONText) throws(UsageError) {
        let key = try JSONKey(key)
        var document = root ?? .null
        // Emptied so that the value is changed in place instead of being copied.
        root = nil
        try document.set(key, at: 0, to: value)
        root = document
    }
}

extension JSONText {
    fileprivate mutating func set(_ key: JSONKey, at place: Int, to value: JSONText) throws(UsageError) {
        guard place < key.parts.count else {
            self = value
            return
        }
        let step = key.parts[place].step
        var container = self == .null ? step.emptyContainer : opened
        self = .null
        switch (step, container) {
        case (.member(let name), .object(var members)):
            container = .null
            let index = members.lastIndex { $0.name == name } ?? members.endIndex
            if index == members.endIndex {
                members.append(Member(name: name, spelling: JSONText.quoted(name), value: .null))
            }
            try members[index].value.set(key, at: place + 1, to: value)
            self = .object(members)
        case (.index(let index), .array(var elements)):
            container = .null
            if index >= elements.count {
                elements += Array(repeating: .null, count: index + 1 - elements.count)
            }
            try elements[index].set(key, at: place + 1, to: value)
            self = .array(elements)
        case (.append, .array(var elements)):
            container = .null
            elements.append(.null)
            try elements[elements.count - 1].set(key, at: place + 1, to: value)
            self = .array(elements)
        default:
            throw UsageError(mismatch: container, key, at: place)
        }
    }
}

extension JSONKey.Step {
    fileprivate var emptyContainer: JSONText {
        switch self {
        case .member: .object([])
        case .index, .append: .array([])
        }
    }

    /// How messages call the access, and what it needs.
    fileprivate var access: (name: String, container: String) {
        switch self {
        case .member: ("key", "object")
        case .index: ("index", "array")
        case .append: ("append", "array")
        }
    }
}

extension UsageError {
    fileprivate init(mismatch found: JSONText, _ key: JSONKey, at place: Int) {
        let (name, container) = key.parts[place].step.access
        let path = place == 0 ? "the top level" : "'\(key.prefix(before: place))'"
        self.init(
            keyError: "type",
            "\(known: path) is of type \(known: found.typeName), but '\(known: name)' access needs an \(known: container)",
            key.source,
            key.parts[place].range
        )
    }
}
