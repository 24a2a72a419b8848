/// A step of a path, from a value into its elements or members.
package enum JSONStep: Hashable, Sendable {
    /// The member with this name, in UTF-8.
    case member([UInt8])
    /// The elements at these indices.
    case elements(Range<Int>)
    /// The element at this place from the end of an array; 1 is the last element.
    case fromEnd(Int)
    /// Every element and every member.
    case all
    /// The members with this name at any depth.
    case descendants([UInt8])
    /// Every element and every member that meets a condition.
    case matching(JSONCondition)

    /// Whether the step selects at most one value.
    package var isSingle: Bool {
        switch self {
        case .member, .fromEnd: true
        case .elements(let range): range.count == 1
        case .all, .descendants, .matching: false
        }
    }
}
