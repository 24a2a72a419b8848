public import AFCore
public import Foundation

// Foundation's containers and numbers as parameters: JSON that `JSONSerialization` parsed can be sent again.

extension NSNumber: ParameterConvertible {
    /// A `Bool` if the number was created from one, else a number of the same value.
    public var parameterValue: Any {
        if let decimal = self as? NSDecimalNumber { return decimal.decimalValue }
        // Only Booleans have the type "c": Foundation stores an `Int8` as a wider integer.
        switch String(cString: objCType) {
        case "c": return boolValue
        case "f": return floatValue
        case "d": return doubleValue
        case "Q": return uint64Value
        default: return int64Value
        }
    }
}

extension NSNull: ParameterConvertible {
    /// A ``AFCore/JSONNull``.
    public var parameterValue: Any { JSONNull() }
}

extension NSString: ParameterConvertible {
    /// A `String`.
    public var parameterValue: Any { description }
}

extension NSArray: ParameterConvertible {
    /// An array of the elements.
    public var parameterValue: Any { Array(self) }
}

extension NSDictionary: ParameterConvertible {
    /// A dictionary of the members; the object itself, which has no JSON form, if a key is not a string.
    public var parameterValue: Any {
        var members: [String: Any] = [:]
        for (key, value) in self {
            guard let name = key as? String else { return self }
            members[name] = value
        }
        return members
    }
}
