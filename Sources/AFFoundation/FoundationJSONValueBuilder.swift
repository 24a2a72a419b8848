public import AFCore
internal import Foundation

/// Creates Foundation's JSON values and errors, as `JSONSerialization` does: `NSNumber`, `NSNull` and `CocoaError`.
///
/// They can be cast in the same ways: `1` to `Int`, `Double`, `Bool` and `NSNumber`, `true` to `Int` as well, `null` to
/// `NSNull`.
public struct FoundationJSONValueBuilder: JSONValueBuilder {
    /// Creates a builder; all are equal.
    public init() {}

    /// An `NSNull`.
    public var null: any Sendable { NSNull() }
    /// Returns an `NSNumber` that is a Boolean.
    public func boolean(_ value: Bool) -> any Sendable { NSNumber(value: value) }
    /// Returns an `NSNumber`.
    public func integer(_ value: Int) -> any Sendable { NSNumber(value: value) }
    /// Returns an `NSNumber`.
    public func unsignedInteger(_ value: UInt64) -> any Sendable { NSNumber(value: value) }
    /// Returns an `NSNumber`.
    public func floatingPoint(_ value: Double) -> any Sendable { NSNumber(value: value) }
    /// Returns `CocoaError.propertyListReadCorrupt` (3840) with the parser's error in `userInfo`.
    public func error(for syntaxError: any Error) -> any Error {
        let text = (syntaxError as? any LocalizedError)?.errorDescription ?? "\(syntaxError)"
        return CocoaError(
            .propertyListReadCorrupt,
            userInfo: [
                NSUnderlyingErrorKey: syntaxError, NSLocalizedDescriptionKey: text, NSDebugDescriptionErrorKey: text,
            ]
        )
    }
}
