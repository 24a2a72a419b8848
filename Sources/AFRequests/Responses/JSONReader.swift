package import AFJSON
internal import FoundationEssentials

/// Parses JSON (RFC 8259) into untyped values.
struct JSONReader {
    private let values: any JSONValueBuilder

    /// Parses a document.
    ///
    /// - Throws: `JSONSyntaxError` at the first byte, number or string that is not valid.
    static func read(
        _ data: Data,
        building values: any JSONValueBuilder = SwiftJSONValueBuilder()
    ) throws(JSONSyntaxError) -> any Sendable {
        var cursor = try JSONCursor(Array(data), maximumDepth: JSONCursor.maximumDepthOfValues)
        return try JSONReader(values: values).value(&cursor)
    }

    private func value(_ cursor: inout JSONCursor) throws(JSONSyntaxError) -> any Sendable {
        switch cursor.kind {
        case .object:
            var members: [String: any Sendable] = [:]
            try cursor.forEach { cursor throws(JSONSyntaxError) in
                let name = try string(cursor, at: cursor.skipName())
                members[name] = try value(&cursor)
            }
            return members
        case .array:
            var elements: [any Sendable] = []
            try cursor.forEach { cursor throws(JSONSyntaxError) in elements.append(try value(&cursor)) }
            return elements
        case .string: return try string(cursor, at: cursor.skipValue())
        case .number: return try number(cursor, at: cursor.skipValue())
        case .boolean: return values.boolean(cursor.text(cursor.skipValue()) == "true")
        case .null:
            cursor.skipValue()
            return values.null
        }
    }

    private func number(_ cursor: JSONCursor, at range: Range<Int>) throws(JSONSyntaxError) -> any Sendable {
        let text = cursor.text(range)
        // Neither type parses a fraction or an exponent.
        if let number = Int(text) { return values.integer(number) }
        if let number = UInt64(text) { return values.unsignedInteger(number) }
        guard let number = Double(text), number.isFinite else {
            throw JSONSyntaxError(expectation: "a smaller number", offset: range.lowerBound, isAtEnd: false)
        }
        return values.floatingPoint(number)
    }

    /// Returns a string; an unpaired surrogate and bytes that are not UTF-8 are errors.
    private func string(_ cursor: JSONCursor, at range: Range<Int>) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: JSONEscape.unescaped(cursor.bytes(range)), as: UTF8.self) else {
            throw JSONSyntaxError(expectation: "valid UTF-8", offset: range.lowerBound + 1, isAtEnd: false)
        }
        return text
    }
}

extension JSONSyntaxError: LocalizedError {
    package var errorDescription: String? {
        isAtEnd ? "it ends too early, after byte \(offset)" : "the character at byte \(offset + 1) is not allowed"
    }
}
