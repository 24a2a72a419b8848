internal import AFHTTP
package import AFHurl
package import AFJSON

/// A value of a query, of a variable or of a predicate.
package indirect enum HurlValue: Sendable {
    case null
    case boolean(Bool)
    case number(HurlNumber)
    case string(String)
    case date(HurlDate)
    case bytes([UInt8])
    case list([HurlValue])
    /// Members in order.
    case object([(name: String, value: HurlValue)])
    /// The number of nodes of an XML document.
    case nodeSet(Int)
    case regex(String)
    /// A response that redirects, with its absolute target.
    case redirect(location: String)
    /// A flag that is present.
    case present

    /// The type, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number(.float): "float"
        case .number: "integer"
        case .string: "string"
        case .date: "date"
        case .bytes: "bytes"
        case .list: "list"
        case .object: "object"
        case .nodeSet: "nodeset"
        case .regex: "regex"
        case .redirect: "response"
        case .present: "unit"
        }
    }

    /// The value for messages, without its type.
    package var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let value): value.text
        case .string(let value), .regex(let value): value
        case .date(let value): value.description
        case .bytes(let value): value.hexadecimal
        case .list(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object: jsonText?.compactText ?? "{...}"
        case .nodeSet(let count): "Nodeset(size=\(count))"
        case .redirect(let location): "Response(location=\(location))"
        case .present: "Unit"
        }
    }

    /// The value with its type, for messages.
    package var description: String {
        if case .null = self { "null" } else { "\(kind) <\(text)>" }
    }

    /// The text that a template contains; `nil` if the value cannot be in a text.
    package var rendered: String? {
        switch self {
        case .null, .boolean, .number, .string: text
        case .date(let date): date.rfc3339
        case .bytes, .list, .object, .nodeSet, .regex, .redirect, .present: nil
        }
    }

    /// The number of elements, members, bytes or characters; `nil` for other types.
    package var count: Int? {
        switch self {
        case .list(let values): values.count
        case .object(let members): members.count
        case .bytes(let bytes): bytes.count
        case .nodeSet(let count): count
        case .string(let string): string.utf8.count
        case .null, .boolean, .number, .date, .regex, .redirect, .present: nil
        }
    }
}

/// Equality by type and value: 1 equals 1.0, and members have the same order.
extension HurlValue: Equatable {
    /// Whether the values are equal.
    package static func == (first: HurlValue, second: HurlValue) -> Bool {
        switch (first, second) {
        case (.null, .null), (.present, .present): true
        case (.boolean(let first), .boolean(let second)): first == second
        case (.number(let first), .number(let second)):
            if let first = first.json, let second = second.json {
                first == second
            } else {
                first.double == second.double
            }
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.date(let first), .date(let second)): first == second
        case (.bytes(let first), .bytes(let second)): first == second
        case (.list(let first), .list(let second)): first == second
        case (.object(let first), .object(let second)):
            first.count == second.count
                && zip(first, second).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
        case (.nodeSet(let first), .nodeSet(let second)): first == second
        case (.regex(let first), .regex(let second)), (.redirect(let first), .redirect(let second)): first == second
        default: false
        }
    }

    /// Whether the first value is smaller; `nil` if the types have no common order.
    package static func isLess(_ first: HurlValue, _ second: HurlValue) -> Bool? {
        switch (first, second) {
        case (.number(let first), .number(let second)):
            if let first = first.json, let second = second.json { first < second } else { first.isLess(than: second) }
        case (.string(let first), .string(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
        case (.date(let first), .date(let second)): first < second
        default: nil
        }
    }
}

extension HurlNumber {
    /// The number as text: without exponent, and with a point if it is a float.
    package var text: String {
        switch self {
        case .integer(let value): "\(value)"
        case .bigInteger(let digits): digits
        case .float(let value): value.decimalText
        }
    }

    /// The number of any size and precision; `nil` if it is not finite.
    package var json: JSONNumber? {
        if case .float(let value) = self, !value.isFinite { return nil }
        return JSONNumber(Array(text.utf8)[...])
    }

    /// The nearest number of limited precision.
    fileprivate var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .bigInteger(let digits): Double(digits) ?? .nan
        case .float(let value): value
        }
    }

    /// Compares numbers one of which is not finite; `nil` if one is not a number.
    fileprivate func isLess(than other: HurlNumber) -> Bool? {
        double.isNaN || other.double.isNaN ? nil : double < other.double
    }
}

extension Double {
    /// The shortest digits that identify the number, without exponent and with at least one after the point.
    package var decimalText: String {
        guard isFinite else { return isNaN ? "NaN" : self < 0 ? "-inf" : "inf" }
        let text = "\(self)"
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text
        }
        let mantissa = text[..<mark].drop { $0 == "-" }
        let digits = mantissa.filter { $0 != "." }
        let sign = self < 0 ? "-" : ""
        // A description with an exponent has one digit before the point.
        let point = exponent + 1
        if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits.trimmingZeros)" }
        if point >= digits.count {
            return "\(sign)\(digits)\(String(repeating: "0", count: point - digits.count)).0"
        }
        return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point).trimmingZeros)"
    }
}

extension StringProtocol {
    /// The digits of a fraction without zeros at their end, except for the first one.
    fileprivate var trimmingZeros: String {
        var digits = String(self)
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return digits
    }
}
