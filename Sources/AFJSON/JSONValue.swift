internal import AFHTTP

/// A JSON value, compared by meaning: `1` equals `1.0` and `10e-1`, `"\u0041"` equals `"A"`, and the order of members
/// is irrelevant. If a member is repeated, the last one counts.
package indirect enum JSONValue: Equatable, Sendable {
    case null
    case truth(Bool)
    case number(JSONNumber)
    /// As bytes: an unpaired surrogate cannot be a `String`.
    case string([UInt8])
    case array([JSONValue])
    case object([[UInt8]: JSONValue])

    /// The maximum depth, as values are traversed recursively.
    package static let maximumDepth = 500

    /// Returns `nil` if the text is not JSON, or too deeply nested.
    package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    package init?(_ text: ArraySlice<UInt8>) {
        var scanner = JSONScanner(bytes: Array(text))
        guard let value = try? scanner.readValue(depth: 0), (try? scanner.skipToEnd()) != nil else { return nil }
        self = value
    }
}

extension JSONValue {
    /// Whether the value at a position of valid JSON text equals this one.
    ///
    /// Stops at the first difference and stores only this value's own members: a server may send a large document.
    package func isFound(in text: JSONScanner, at offset: Int) -> Bool {
        var scanner = text
        scanner.move(to: offset)
        return (try? scanner.matches(self)) == true
    }
}

/// A number of any size and precision.
package struct JSONNumber: Equatable, Sendable {
    private let isNegative: Bool
    /// The digits without leading and trailing zeros; empty for zero.
    private let digits: [UInt8]
    /// The power of ten after the last digit.
    private let exponent: Int

    /// Parses a number.
    ///
    /// - Parameter text: A JSON number; `nil` if its exponent overflows.
    init?(_ text: ArraySlice<UInt8>) {
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let power =
            mantissa.count == text.count ? 0 : Int(String(decoding: text[(mantissa.endIndex + 1)...], as: UTF8.self))
        guard let power, power.magnitude < 1 << 60 else { return nil }
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let digits = mantissa.filter { $0.isASCIIDigit }
        self.init(isNegative: text.first == UInt8(ascii: "-"), digits, power - fraction.count)
    }

    private init(isNegative: Bool, _ digits: [UInt8], _ exponent: Int) {
        let zero = UInt8(ascii: "0")
        let significant = digits.drop { $0 == zero }
        let end = significant.lastIndex { $0 != zero }.map { $0 + 1 } ?? significant.startIndex
        self.digits = Array(significant[..<end])
        self.isNegative = isNegative && !self.digits.isEmpty
        self.exponent = self.digits.isEmpty ? 0 : exponent + significant.endIndex - end
    }
}

extension JSONNumber: Comparable {
    package static func < (first: JSONNumber, second: JSONNumber) -> Bool {
        guard first.sign == second.sign else { return first.sign < second.sign }
        return first.isNegative ? second.isSmallerInMagnitude(than: first) : first.isSmallerInMagnitude(than: second)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    private func isSmallerInMagnitude(than other: JSONNumber) -> Bool {
        let (magnitude, otherMagnitude) = (digits.count + exponent, other.digits.count + other.exponent)
        return magnitude == otherMagnitude ? digits.lexicographicallyPrecedes(other.digits) : magnitude < otherMagnitude
    }
}

extension JSONScanner {
    fileprivate mutating func readValue(depth: Int) throws(Problem) -> JSONValue {
        guard depth < JSONValue.maximumDepth else { throw problem("less nesting") }
        skipBlanks()
        switch container {
        case .object?: return .object(try readMembers(depth: depth))
        case .array?: return .array(try readElements(depth: depth))
        case nil: return try readScalar()
        }
    }

    private mutating func readScalar() throws(Problem) -> JSONValue {
        let scalar = bytes(try skipScalar())
        switch scalar.first {
        case UInt8(ascii: "\""): return .string(JSONEscape.unescaped(scalar))
        case UInt8(ascii: "t"): return .truth(true)
        case UInt8(ascii: "f"): return .truth(false)
        case UInt8(ascii: "n"): return .null
        default:
            guard let number = JSONNumber(scalar) else { throw problem("a number with a smaller exponent") }
            return .number(number)
        }
    }

    private mutating func readMembers(depth: Int) throws(Problem) -> [[UInt8]: JSONValue] {
        var members: [[UInt8]: JSONValue] = [:]
        var hasNext = enter(.object)
        while hasNext {
            let name = JSONEscape.unescaped(bytes(try skipName()))
            members[name] = try readValue(depth: depth + 1)
            hasNext = try self.hasNext(in: .object)
        }
        return members
    }

    private mutating func readElements(depth: Int) throws(Problem) -> [JSONValue] {
        var elements: [JSONValue] = []
        var hasNext = enter(.array)
        while hasNext {
            elements.append(try readValue(depth: depth + 1))
            hasNext = try self.hasNext(in: .array)
        }
        return elements
    }

    /// Whether the next value equals this one; if so, skips it.
    fileprivate mutating func matches(_ value: JSONValue) throws(Problem) -> Bool {
        skipBlanks()
        switch (container, value) {
        case (.array?, .array(let elements)): return try matchesElements(elements)
        case (.object?, .object(let members)): return try matchesMembers(members)
        case (_?, _), (_, .array), (_, .object): return false
        default: return try readScalar() == value
        }
    }

    private mutating func matchesElements(_ elements: [JSONValue]) throws(Problem) -> Bool {
        var rest = elements[...]
        var hasNext = enter(.array)
        while hasNext {
            guard let element = rest.popFirst(), try matches(element) else { return false }
            hasNext = try self.hasNext(in: .array)
        }
        return rest.isEmpty
    }

    /// Compares members. If one is repeated, the last one counts, so all are read before they are compared.
    private mutating func matchesMembers(_ members: [[UInt8]: JSONValue]) throws(Problem) -> Bool {
        var offsets: [[UInt8]: Int] = [:]
        var hasNext = enter(.object)
        while hasNext {
            let name = JSONEscape.unescaped(bytes(try skipName()))
            guard members[name] != nil else { return false }
            offsets[name] = try skipValue().lowerBound
            hasNext = try self.hasNext(in: .object)
        }
        guard offsets.count == members.count else { return false }
        let end = position
        for (name, offset) in offsets {
            move(to: offset)
            guard let value = members[name], try matches(value) else { return false }
        }
        move(to: end)
        return true
    }
}
