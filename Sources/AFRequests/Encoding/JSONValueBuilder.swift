/// Creates the values of JSON's numbers, Booleans and nulls, and the errors, for ``JSONResponseSerializer``.
///
/// Strings, arrays and objects are `String`, `[any Sendable]` and `[String: any Sendable]` with every builder.
/// ``SwiftJSONValueBuilder`` is the default; AFFoundation has one whose values can be cast like `JSONSerialization`'s.
public protocol JSONValueBuilder: Sendable {
    /// The value of JSON's `null`, also returned for a permitted empty body.
    var null: any Sendable { get }
    /// Returns the value of `true` or `false`.
    func boolean(_ value: Bool) -> any Sendable
    /// Returns the value of a number without fraction and exponent.
    func integer(_ value: Int) -> any Sendable
    /// Returns the value of a number without fraction and exponent that is too large for `Int`.
    func unsignedInteger(_ value: UInt64) -> any Sendable
    /// Returns the value of any other number.
    func floatingPoint(_ value: Double) -> any Sendable
    /// Returns the error for a body that is not JSON; by default the parser's error, which says where the body is wrong.
    func error(for syntaxError: any Error) -> any Error
}

extension JSONValueBuilder {
    /// Returns the same error.
    public func error(for syntaxError: any Error) -> any Error { syntaxError }
}

/// Creates Swift's values: ``JSONNull``, `Bool`, `Int`, `UInt64` and `Double`.
public struct SwiftJSONValueBuilder: JSONValueBuilder {
    /// Creates a builder; all are equal.
    public init() {}

    /// A ``JSONNull``.
    public var null: any Sendable { JSONNull() }
    /// Returns the `Bool`.
    public func boolean(_ value: Bool) -> any Sendable { value }
    /// Returns the `Int`.
    public func integer(_ value: Int) -> any Sendable { value }
    /// Returns the `UInt64`.
    public func unsignedInteger(_ value: UInt64) -> any Sendable { value }
    /// Returns the `Double`.
    public func floatingPoint(_ value: Double) -> any Sendable { value }
}
