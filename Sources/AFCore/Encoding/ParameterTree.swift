internal import FoundationEssentials

/// A parameter's value, sorted into what query strings and JSON tell apart.
enum ParameterTree {
    /// An `Optional` without a value.
    case missing
    case null
    case bool(Bool)
    /// As both JSON and query strings spell it; whole floating-point numbers without a fraction.
    case number(String)
    /// A floating-point number that is infinite or not a number.
    case unspeakableNumber(String)
    case string(String)
    case array([Any])
    case object([String: Any])
    /// Anything else, described in words.
    case other(String)

    init(_ value: Any) {
        self =
            switch value {
            case let optional as any OptionalValue where optional.isMissing: .missing
            case is JSONNull: .null
            case let bool as Bool: .bool(bool)
            case let text as any StringProtocol: .string(String(text))
            case let number as any BinaryInteger: .number(String(describing: number))
            case let number as any BinaryFloatingPoint: Self.floatingPoint(number)
            case let decimal as Decimal: decimal.isNaN ? .unspeakableNumber("NaN") : .number(decimal.description)
            case let dictionary as [String: Any]: .object(dictionary)
            case let array as [Any]: .array(array)
            case let optional as any OptionalValue: .other(optional.descriptionOfWrapped)
            default: .other("\(value)")
            }
    }

    private static func floatingPoint(_ number: some BinaryFloatingPoint) -> ParameterTree {
        guard number.isFinite else { return .unspeakableNumber("\(number)") }
        // Up to 2^53 every whole Double is an exact Int64; beyond, its own notation is shorter and exact.
        guard number == number.rounded(), number.magnitude < 9_007_199_254_740_992 else { return .number("\(number)") }
        return .number(String(Int64(number)))
    }
}

/// An `Optional` of any type, inside an `Any`.
private protocol OptionalValue {
    var isMissing: Bool { get }
    var descriptionOfWrapped: String { get }
}

extension Optional: OptionalValue {
    fileprivate var isMissing: Bool {
        guard let wrapped = self else { return true }
        return (wrapped as? any OptionalValue)?.isMissing ?? false
    }

    fileprivate var descriptionOfWrapped: String {
        guard let wrapped = self else { return "nil" }
        return (wrapped as? any OptionalValue)?.descriptionOfWrapped ?? "\(wrapped)"
    }
}
