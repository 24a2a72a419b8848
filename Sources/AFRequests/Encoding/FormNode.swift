/// An intermediate value between `encode(to:)` and pairs.
final class FormNode {
    enum Content {
        case nothing
        case text(String)
        case elements([FormNode])
        case members([(key: String, value: FormNode)])
    }

    private(set) var content = Content.nothing
    /// The indices of members by name.
    private var indices: [String: Int] = [:]

    func become(_ text: String) { content = .text(text) }

    func becomeArray() {
        if case .elements = content { return }
        content = .elements([])
    }

    func becomeObject() {
        if case .members = content { return }
        (content, indices) = (.members([]), [:])
    }

    var elementCount: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

    /// Appends an element; the node becomes an array.
    func appendElement() -> FormNode {
        let element = FormNode()
        guard case .elements(var elements) = content else { return element }
        // Cleared, so that the array is uniquely referenced and grows in place.
        content = .nothing
        elements.append(element)
        content = .elements(elements)
        return element
    }

    /// Returns the member with this name, and adds it if it is missing.
    func member(named key: String) -> FormNode {
        if case .members(let members) = content, let index = indices[key] { return members[index].value }
        return appendMember(key)
    }

    /// Adds a member, replacing one of the same name; the node becomes an object.
    func appendMember(_ key: String) -> FormNode {
        let member = FormNode()
        guard case .members(var members) = content else { return member }
        content = .nothing
        if let index = indices[key] {
            members[index].value = member
        } else {
            indices[key] = members.count
            members.append((key, member))
        }
        content = .members(members)
        return member
    }
}
