internal import AFHTTP

/// A JSON value to be compared by what it means: `1` equals `1.0` and `10e-1`, `"\u0041"` equals `"A"`, and the order of
/// members is of no account; of members of one name the last counts.
indirect enum JSONValue: Equatable, Sendable {
    case null
    case truth(Bool)
    case number(JSONNumber)
    /// In bytes: a half of a surrogate pair has no text of its own.
    case string([UInt8])
    case array([JSONValue])
    case object([[UInt8]: JSONValue])

    /// Deeper values would exhaust the stack of whoever walks them.
    static let maximumDepth = 500

    /// `nil` for what is no JSON, and for values that nest too deep.
    init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    init?(_ text: ArraySlice<UInt8>) {
        var scanner = JSONScanner(bytes: Array(text))
        guard let value = try? scanner.readValue(depth: 0) else { return nil }
        self = value
    }
}

/// A number of any size, kept exactly.
struct JSONNumber: Equatable, Sendable {
    private let isNegative: Bool
    /// Without zeros at either end; none for zero.
    private let digits: [UInt8]
    /// Of ten, behind the last digit.
    private let exponent: Int

    /// - Parameter text: As JSON spells numbers; `nil` for exponents that nobody can count.
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
        let start = position
        try skipValue()
        let scalar = bytes(start..<position)
        switch scalar.first {
        case UInt8(ascii: "\""): return .string(JSONEscape.unescaped(scalar.dropFirst().dropLast()))
        case UInt8(ascii: "t"): return .truth(true)
        case UInt8(ascii: "f"): return .truth(false)
        case UInt8(ascii: "n"): return .null
        default:
            guard let number = JSONNumber(scalar) else { throw problem("a number of this world") }
            return .number(number)
        }
    }

    private mutating func readMembers(depth: Int) throws -> [[UInt8]: JSONValue] {
        var members: [[UInt8]: JSONValue] = [:]
        _ = skip(UInt8(ascii: "{"))
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return members }
        repeat {
            skipBlanks()
            let start = position
            try skipMemberName()
            let end = bytes(start..<position).lastIndex(of: UInt8(ascii: "\"")) ?? start
            let name = bytes(start + 1..<end)
            members[JSONEscape.unescaped(name)] = try readValue(depth: depth + 1)
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        _ = skip(UInt8(ascii: "}"))
        return members
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
