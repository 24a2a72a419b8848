/// A value that supplies its own form to ``JSONEncoding`` and ``URLEncoding``.
///
/// ```swift
/// extension Money: ParameterConvertible {
///     var parameterValue: Any { ["amount": amount, "currency": currency.code] }
/// }
/// ```
///
/// AFFoundation adds the conformances of Foundation's `NSNumber`, `NSNull`, `NSString`, `NSArray` and `NSDictionary`.
public protocol ParameterConvertible {
    /// A `Bool`, a number, a `String`, a ``JSONNull``, an array, or a dictionary with `String` keys.
    ///
    /// Elements may be convertible themselves. A value of another type has no JSON form: ``JSONEncoding`` throws
    /// `invalidJSONObject`, ``URLEncoding`` writes its description.
    var parameterValue: Any { get }
}
