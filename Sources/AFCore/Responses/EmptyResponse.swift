/// A type that has a value for a response without a body.
public protocol EmptyResponse: Sendable {
    static func emptyValue() -> Self
}

/// The value of a response that is not expected to have a body.
public struct Empty: EmptyResponse, Codable, Hashable {
    public static let value = Empty()

    public static func emptyValue() -> Empty { value }
}
