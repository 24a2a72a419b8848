/// A type that has a value for a response without a body.
public protocol EmptyResponse: Sendable {
    /// The value for such a response.
    static func emptyValue() -> Self
}

/// The value of a response that is not expected to have a body.
public struct Empty: EmptyResponse, Codable, Hashable {
    /// The only value.
    public static let value = Empty()

    /// The only ``value``.
    public static func emptyValue() -> Empty { value }
}
