/// A condition for a value, such as `?a > 1`: equal if typed alike.
package struct JSONCondition: Sendable {
    private let typed: String
    /// Whether it compares with a secret.
    package let holdsSecret: Bool
    private let test: @Sendable (JSONCursor) -> Bool

    /// Creates a condition.
    ///
    /// - Parameter test: Returns whether the value at a cursor, without space before it, meets the condition.
    package init(typed: String, holdsSecret: Bool, test: @escaping @Sendable (JSONCursor) -> Bool) {
        (self.typed, self.holdsSecret, self.test) = (typed, holdsSecret, test)
    }

    /// Whether the value at a position meets the condition.
    package func isMet(at cursor: JSONCursor) -> Bool { test(cursor) }
}

extension JSONCondition: Hashable {
    package static func == (first: JSONCondition, second: JSONCondition) -> Bool { first.typed == second.typed }

    package func hash(into hasher: inout Hasher) { hasher.combine(typed) }
}
