/// A type that has a value for a response without a body.
public protocol EmptyResponse: Sendable {
    /// Returns the value for a response without a body.
    static func emptyValue() -> Self
}

/// A value for responses without a body.
public struct Empty: EmptyResponse, Codable, Hashable {
    /// The only value.
    public static let value = Empty()

    /// The only ``value``.
    public static func emptyValue() -> Empty { value }
}
