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

    /// Returns `nil` if the text is not JSON, too deeply nested, or has a number with a huge exponent.
    package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    package init?(_ text: ArraySlice<UInt8>) {
        do throws(JSONSyntaxError) {
            var cursor = try JSONCursor(Array(text), maximumDepth: JSONCursor.maximumDepthOfValues)
            self = try cursor.readValue()
        } catch {
            return nil
        }
    }
}

extension JSONValue {
    /// Whether the value at a position equals this one.
    ///
    /// Stops at the first difference and stores only this value's own members: a server may send a large document.
    package func isFound(at cursor: JSONCursor) -> Bool {
        var cursor = cursor
        return cursor.matches(self)
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
    package init?(_ text: ArraySlice<UInt8>) {
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let power =
            mantissa.count == text.count ? 0 : Int(String(decoding: text[(mantissa.endIndex + 1)...], as: UTF8.self))
        guard let power, power.magnitude < 1 << 60 else { return nil }
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let digits = mantissa.filter { $0.isASCIIDigit }
        self.init(isNegative: text.first == UInt8(ascii: "-"), digits, power - fraction.count)
    }

    /// Whether the number has no fraction: `1.0` and `10e-1` have none.
    package var isInteger: Bool { exponent >= 0 }

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

extension JSONCursor {
    /// Reads a value.
    ///
    /// - Throws: ``JSONSyntaxError`` if the exponent of a number overflows.
    package mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
        switch kind {
        case .object:
            var members: [[UInt8]: JSONValue] = [:]
            try forEach { cursor throws(JSONSyntaxError) in members[cursor.readName()] = try cursor.readValue() }
            return .object(members)
        case .array:
            var elements: [JSONValue] = []
            try forEach { cursor throws(JSONSyntaxError) in elements.append(try cursor.readValue()) }
            return .array(elements)
        case .string: return .string(JSONEscape.unescaped(bytes(skipValue())))
        case .boolean: return .truth(bytes(skipValue()).first == UInt8(ascii: "t"))
        case .number:
            let range = skipValue()
            if let number = JSONNumber(bytes(range)) { return .number(number) }
            throw JSONSyntaxError(expectation: "a smaller exponent", offset: range.lowerBound, isAtEnd: false)
        case .null:
            skipValue()
            return .null
        }
    }

    /// Whether the next value equals this one; if so, skips it.
    fileprivate mutating func matches(_ value: JSONValue) -> Bool {
        switch (kind, value) {
        case (.array, .array(let elements)): matchesElements(elements)
        case (.object, .object(let members)): matchesMembers(members)
        case (.array, _), (.object, _), (_, .array), (_, .object): false
        default: (try? readValue()) == value
        }
    }

    private mutating func matchesElements(_ elements: [JSONValue]) -> Bool {
        var rest = elements[...]
        var hasNext = enter()
        while hasNext {
            guard let element = rest.popFirst(), matches(element) else { return false }
            hasNext = advance()
        }
        return rest.isEmpty
    }

    /// Compares members. If one is repeated, the last one counts, so all are read before they are compared.
    private mutating func matchesMembers(_ members: [[UInt8]: JSONValue]) -> Bool {
        var offsets: [[UInt8]: Int] = [:]
        var hasNext = enter()
        while hasNext {
            let name = readName()
            guard members[name] != nil else { return false }
            offsets[name] = skipValue().lowerBound
            hasNext = advance()
        }
        guard offsets.count == members.count else { return false }
        let end = position
        for (name, offset) in offsets {
            move(to: offset)
            guard let value = members[name], matches(value) else { return false }
        }
        move(to: end)
        return true
    }
}
