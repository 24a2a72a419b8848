internal import FoundationEssentials

/// A parameter's value in the form that query strings and JSON share.
enum ParameterTree {
    /// An `Optional` that is `nil`.
    case missing
    case null
    case bool(Bool)
    /// A number as written in JSON and query strings; floating-point integers have no fraction.
    case number(String)
    /// A floating-point number that is infinite or NaN.
    case nonFiniteNumber(String)
    case string(String)
    case array([Any])
    case object([String: Any])
    /// Any other value, with its description.
    case other(String)

    init(_ value: Any) {
        let value = (value as? any ParameterConvertible)?.parameterValue ?? value
        if let optional = value as? any OptionalValue {
            self = optional.anyWrapped.map { ParameterTree($0) } ?? .missing
        } else {
            self.init(plain: value)
        }
    }

    /// Creates a tree.
    ///
    /// - Parameter value: A value that is neither optional nor convertible.
    private init(plain value: Any) {
        self =
            switch value {
            case is JSONNull: .null
            // Not by a cast alone: with Foundation linked, `NSNumber(1)` casts to `true`.
            case let bool as Bool where type(of: value) == Bool.self: .bool(bool)
            case let text as any StringProtocol: .string(String(text))
            case let number as any BinaryInteger: .number(String(describing: number))
            case let number as any BinaryFloatingPoint: Self.floatingPoint(number)
            case let decimal as Decimal: decimal.isNaN ? .nonFiniteNumber("NaN") : .number(decimal.description)
            case let dictionary as [String: Any]: .object(dictionary)
            case let array as [Any]: .array(array)
            default: .other("\(value)")
            }
    }

    private static func floatingPoint(_ number: some BinaryFloatingPoint) -> ParameterTree {
        guard number.isFinite else { return .nonFiniteNumber("\(number)") }
        // Below 2^53 every integral Double is an exact Int64, written without `.0`. Larger ones may overflow Int64.
        guard number == number.rounded(), number.magnitude < 9_007_199_254_740_992 else { return .number("\(number)") }
        return .number(String(Int64(number)))
    }
}

/// An `Optional` of any type, inside an `Any`.
private protocol OptionalValue {
    var anyWrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var anyWrapped: Any? { map { $0 as Any } }
}

/// An explicit `null`: `["name": JSONNull()]` is `{"name":null}` in JSON and `name=null` in a query.
public struct JSONNull: Hashable, Sendable {
    /// Creates the only value.
    public init() {}
}

/// A type that provides its own form for ``JSONEncoding`` and ``URLEncoding``.
///
/// ```swift
/// extension Money: ParameterConvertible {
///     var parameterValue: Any { ["amount": amount, "currency": currency.code] }
/// }
/// ```
///
/// AFFoundation adds the conformances of Foundation's `NSNumber`, `NSNull`, `NSString`, `NSArray` and `NSDictionary`.
public protocol ParameterConvertible {
    /// The value as a `Bool`, a number, a `String`, a ``JSONNull``, an array, or a dictionary with `String` keys.
    ///
    /// Elements may be convertible themselves. A value of another type has no JSON form: ``JSONEncoding`` throws
    /// `invalidJSONObject`, ``URLEncoding`` writes its description.
    var parameterValue: Any { get }
}
