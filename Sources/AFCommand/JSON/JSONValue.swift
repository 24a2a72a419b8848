internal import AFHTTP

/// A JSON value, compared by meaning: `1` equals `1.0` and `10e-1`, `"\u0041"` equals `"A"`, and the order of members
/// is irrelevant. If a member is repeated, the last one counts.
indirect enum JSONValue: Equatable, Sendable {
    case null
    case truth(Bool)
    case number(JSONNumber)
    /// As bytes: an unpaired surrogate cannot be a `String`.
    case string([UInt8])
    case array([JSONValue])
    case object([[UInt8]: JSONValue])

    /// The maximum depth, as values are traversed recursively.
    static let maximumDepth = 500

    /// Returns `nil` if the text is not JSON, or too deeply nested.
    init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    init?(_ text: ArraySlice<UInt8>) {
        var scanner = JSONScanner(bytes: Array(text))
        guard let value = try? scanner.readValue(depth: 0) else { return nil }
        self = value
    }
}

extension JSONValue {
    /// Whether the value at a position of valid JSON text equals this one.
    ///
    /// Stops at the first difference and stores only this value's own members: a server may send a large document.
    func isFound(in text: JSONScanner, at place: Int) -> Bool {
        var scanner = text
        scanner.move(to: place)
        return (try? scanner.matches(self)) == true
    }
}

/// A number of any size and precision.
struct JSONNumber: Equatable, Sendable {
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

extension JSONScanner {
    private struct TooDeep: Error {}

    fileprivate mutating func readValue(depth: Int) throws -> JSONValue {
        guard depth < JSONValue.maximumDepth else { throw TooDeep() }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return .object(try readMembers(depth: depth))
        case UInt8(ascii: "["): return .array(try readElements(depth: depth))
        default: break
        }
        return try readScalar()
    }

    private mutating func readScalar() throws -> JSONValue {
        let start = position
        try skipValue()
        let scalar = bytes(start..<position)
        switch scalar.first {
        case UInt8(ascii: "\""): return .string(JSONEscape.unescaped(scalar.dropFirst().dropLast()))
        case UInt8(ascii: "t"): return .truth(true)
        case UInt8(ascii: "f"): return .truth(false)
        case UInt8(ascii: "n"): return .null
        default:
            guard let number = JSONNumber(scalar) else { throw problem("a number with a smaller exponent") }
            return .number(number)
        }
    }

    private mutating func readMembers(depth: Int) throws -> [[UInt8]: JSONValue] {
        var members: [[UInt8]: JSONValue] = [:]
        _ = skip(UInt8(ascii: "{"))
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return members }
        repeat {
            let name = try readMemberName()
            members[name] = try readValue(depth: depth + 1)
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        _ = skip(UInt8(ascii: "}"))
        return members
    }

    /// Skips a name and its colon.
    private mutating func readMemberName() throws -> [UInt8] {
        skipBlanks()
        let start = position
        try skipMemberName()
        let end = bytes(start..<position).lastIndex(of: UInt8(ascii: "\"")) ?? start
        return JSONEscape.unescaped(bytes(start + 1..<end))
    }

    /// Whether the next value equals this one; if so, skips it.
    fileprivate mutating func matches(_ value: JSONValue) throws -> Bool {
        skipBlanks()
        switch (next, value) {
        case (UInt8(ascii: "["), .array(let elements)): return try matchesElements(elements)
        case (UInt8(ascii: "{"), .object(let members)): return try matchesMembers(members)
        case (UInt8(ascii: "["), _), (UInt8(ascii: "{"), _), (_, .array), (_, .object): return false
        default: return try readScalar() == value
        }
    }

    private mutating func matchesElements(_ elements: [JSONValue]) throws -> Bool {
        var rest = elements[...]
        _ = skip(UInt8(ascii: "["))
        skipBlanks()
        if skip(UInt8(ascii: "]")) { return rest.isEmpty }
        repeat {
            guard let element = rest.popFirst(), try matches(element) else { return false }
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        return rest.isEmpty && skip(UInt8(ascii: "]"))
    }

    /// Compares members. If one is repeated, the last one counts, so all are read before they are compared.
    private mutating func matchesMembers(_ members: [[UInt8]: JSONValue]) throws -> Bool {
        var places: [[UInt8]: Int] = [:]
        _ = skip(UInt8(ascii: "{"))
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return members.isEmpty }
        repeat {
            let name = try readMemberName()
            guard members[name] != nil else { return false }
            places[name] = position
            try skipValue()
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")), places.count == members.count else { return false }
        let end = position
        for (name, place) in places {
            move(to: place)
            guard let value = members[name], try matches(value) else { return false }
        }
        move(to: end)
        return true
    }

    private mutating func readElements(depth: Int) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        _ = skip(UInt8(ascii: "["))
        skipBlanks()
        if skip(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try readValue(depth: depth + 1))
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        _ = skip(UInt8(ascii: "]"))
        return elements
    }
}
