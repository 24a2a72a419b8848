/// A value on its way to become pairs: what its `encode(to:)` has said so far.
final class FormNode {
    enum Content {
        case nothing
        case text(String)
        case elements([FormNode])
        case members([(key: String, value: FormNode)])
    }

    private(set) var content = Content.nothing
    /// Where members of the content stand.
    private var places: [String: Int] = [:]

    func become(_ text: String) { content = .text(text) }

    func becomeArray() {
        if case .elements = content { return }
        content = .elements([])
    }

    func becomeObject() {
        if case .members = content { return }
        (content, places) = (.members([]), [:])
    }

    var elementCount: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

    /// A new element of the array that this has become.
    func appendElement() -> FormNode {
        let element = FormNode()
        guard case .elements(var elements) = content else { return element }
        // Held once, it grows in place.
        content = .nothing
        elements.append(element)
        content = .elements(elements)
        return element
    }

    /// Returns the member of this name to be added to, a new one if there is none.
    func openMember(_ key: String) -> FormNode {
        if case .members(let members) = content, let place = places[key] { return members[place].value }
        return appendMember(key)
    }

    /// A new member of the object that this has become; it replaces one of its name.
    func appendMember(_ key: String) -> FormNode {
        let member = FormNode()
        guard case .members(var members) = content else { return member }
        content = .nothing
        if let place = places[key] {
            members[place].value = member
        } else {
            places[key] = members.count
            members.append((key, member))
        }
        content = .members(members)
        return member
    }
}
