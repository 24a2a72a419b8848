internal import AFJSON
internal import FoundationEssentials

/// Parses JSON (RFC 8259) into untyped values.
struct JSONReader {
    /// A syntax error with its position.
    struct SyntaxError: LocalizedError, Hashable {
        /// The number of valid bytes before the error.
        let offset: Int
        let isEnd: Bool

        var errorDescription: String? {
            isEnd ? "it ends too early, after byte \(offset)" : "the character at byte \(offset + 1) is not allowed"
        }
    }

    /// The maximum nesting depth, as each level uses the stack.
    private static let maximumDepth = 512

    private var scanner: JSONScanner
    private let values: any JSONValueBuilder

    /// Parses a document.
    ///
    /// - Throws: ``SyntaxError``
    static func read(
        _ data: Data,
        building values: any JSONValueBuilder = SwiftJSONValueBuilder()
    ) throws -> any Sendable {
        do throws(JSONScanner.Problem) {
            var reader = JSONReader(scanner: JSONScanner(bytes: Array(data)), values: values)
            reader.scanner.skipByteOrderMark()
            let value = try reader.value(depth: 0)
            try reader.scanner.skipToEnd()
            return value
        } catch {
            throw SyntaxError(offset: error.offset, isEnd: error.offset >= data.count)
        }
    }

    private mutating func value(depth: Int) throws(JSONScanner.Problem) -> any Sendable {
        scanner.skipBlanks()
        guard let container = scanner.container else { return try scalar() }
        guard depth < Self.maximumDepth else { throw scanner.problem("less nesting") }
        return container == .object ? try members(depth: depth) : try elements(depth: depth)
    }

    private mutating func members(depth: Int) throws(JSONScanner.Problem) -> [String: any Sendable] {
        var members: [String: any Sendable] = [:]
        var hasNext = scanner.enter(.object)
        while hasNext {
            let name = try string(at: try scanner.skipName())
            members[name] = try value(depth: depth + 1)
            hasNext = try scanner.hasNext(in: .object)
        }
        return members
    }

    private mutating func elements(depth: Int) throws(JSONScanner.Problem) -> [any Sendable] {
        var elements: [any Sendable] = []
        var hasNext = scanner.enter(.array)
        while hasNext {
            elements.append(try value(depth: depth + 1))
            hasNext = try scanner.hasNext(in: .array)
        }
        return elements
    }

    private mutating func scalar() throws(JSONScanner.Problem) -> any Sendable {
        let first = scanner.next
        let range = try scanner.skipScalar()
        switch first {
        case UInt8(ascii: "\""): return try string(at: range)
        case UInt8(ascii: "t"): return values.boolean(true)
        case UInt8(ascii: "f"): return values.boolean(false)
        case UInt8(ascii: "n"): return values.null
        default: return try number(at: range)
        }
    }

    private func number(at range: Range<Int>) throws(JSONScanner.Problem) -> any Sendable {
        let text = scanner.text(range)
        // Neither type parses a fraction or an exponent.
        if let number = Int(text) { return values.integer(number) }
        if let number = UInt64(text) { return values.unsignedInteger(number) }
        guard let number = Double(text), number.isFinite else { throw scanner.problem("a smaller number", at: range) }
        return values.floatingPoint(number)
    }

    /// Returns a string; an unpaired surrogate and bytes that are not UTF-8 are errors.
    private func string(at range: Range<Int>) throws(JSONScanner.Problem) -> String {
        let string = scanner.bytes(range)
        let text =
            string.contains(UInt8(ascii: "\\"))
            ? String(validating: JSONEscape.unescaped(string), as: UTF8.self)
            : String(validating: string.dropFirst().dropLast(), as: UTF8.self)
        guard let text else { throw scanner.problem("Unicode characters", at: range.lowerBound + 1..<range.upperBound) }
        return text
    }
}
