internal import AFJSON

/// A condition for a value: `> 3`, `~ ^a`, `in [1, 2]` or `type string`.
struct JSONPredicate: Equatable, Sendable {
    enum Test: Equatable, Sendable {
        /// A comparison with a JSON value.
        case comparison(Operator, JSONValue)
        /// A regular expression for the text of a scalar.
        case match(TextPattern)
        /// A list that has the value.
        case membership([JSONValue])
        case type(ValueType)
    }

    /// The type of a value.
    enum ValueType: String, CaseIterable, Sendable {
        case object, array, string, number, integer, boolean, null
    }

    let test: Test
    /// The condition as part of a sentence: `to be at most 3`.
    let relation: String

    /// Parses the value of an operator.
    ///
    /// It is JSON, a word without quotes, which is a string, or a regular expression after `~`.
    init(_ operation: Operator, _ text: String) throws(UsageError) {
        let shown: String
        switch operation {
        case .matches:
            let pattern = try TextPattern(operand: text)
            (test, shown) = (.match(pattern), pattern.description)
        case .isOneOf:
            let list = try Self.list(text)
            (test, shown) = (.membership(list.values), list.text.shown)
        case .hasType:
            let type = ValueType(rawValue: text.lowercased())
            guard let type else {
                let names = ValueType.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("'\(text.shortened)' is not a type", hint: "the types are \(names)")
            }
            (test, shown) = (.type(type), type.rawValue)
        default:
            let text = text.quotedIfWord
            (test, shown) = (.comparison(operation, try Self.value(text)), text.shown)
        }
        relation = "\(operation.relation) \(shown)"
    }

    /// The number of instructions of the regular expression, or 0.
    var size: Int { if case .match(let pattern) = test { pattern.size } else { 0 } }

    private static func value(_ text: String) throws(UsageError) -> JSONValue {
        do throws(UsageError) {
            _ = try JSONText(argument: text)
        } catch {
            let isConjunction = [" and ", " && "].contains { text.contains($0) }
            throw error.hinting(
                isConjunction
                    ? "an expectation is one condition; repeat the option for others"
                    : text.isLiteralInCapitals
                        ? "write \(text.lowercased()), or \"\(text)\" for the string"
                        : "VALUE is JSON or a word: other strings need double quotes, 'name==\"Ada L.\"'")
        }
        guard let value = JSONValue(text) else { throw UsageError("'\(text.shortened)' is more than can be compared") }
        return value
    }

    /// Parses a list, which is JSON, or has words without quotes: `[up, ok]`.
    private static func list(_ text: String) throws(UsageError) -> (text: String, values: [JSONValue]) {
        guard text.hasPrefix("["), text.hasSuffix("]") else {
            throw UsageError(
                "expected a list after 'in', got '\(text.shortened)'", hint: "a list is [200, 204] or [up, ok]")
        }
        let words = text.dropFirst().dropLast().split(separator: ",").map { $0.trimmingSpaces.quotedIfWord }
        let isJSON = JSONValue(text) != nil || !words.allSatisfy { JSONValue($0) != nil }
        let list = isJSON ? text : "[\(words.joined(separator: ","))]"
        guard case .array(let values) = try value(list) else { return (list, []) }
        return (list, values)
    }
}

extension TextPattern {
    /// Parses a regular expression after `~`: as it is, between slashes, or as a JSON string.
    init(operand text: String) throws(UsageError) {
        guard !text.isEmpty else { throw UsageError("expected a regular expression after '~'") }
        let text = text.hasPrefix("\"") ? text[...].trimmingSpaces : text
        guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else {
            try self.init(expression: try text.betweenSlashes ?? text)
            return
        }
        // In JSON, \b is a backspace: no expression has one.
        guard let string = (try? JSONText(text))?.string, !string.unicodeScalars.contains("\u{8}") else {
            throw UsageError(
                "'\(text.shortened)' is not a JSON string",
                hint: "omit the quotes, or double each backslash: \"^\\\\d\"; quotes themselves are /\"x\"/")
        }
        guard !string.isEmpty else { throw UsageError("expected a regular expression after '~'") }
        try self.init(expression: string)
    }
}

extension String {
    /// The text, shortened to 80 characters.
    var shortened: String { count > 80 ? "\(prefix(77))..." : self }

    /// The text, in quotes if it is a string without them.
    fileprivate var quotedIfWord: String { isWord ? JSONText.quoted(self) : self }

    /// Whether the text is a string without quotes: a word that is neither JSON nor another spelling of it.
    private var isWord: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_-.:/+@".contains($0) }
            && !isLiteralInCapitals && (try? JSONText(argument: self)) == nil
    }

    /// Whether the text is true, false or null with capital letters.
    fileprivate var isLiteralInCapitals: Bool {
        ["true", "false", "null"].contains(lowercased()) && lowercased() != self
    }

    /// The JSON for messages: without secrets and shortened.
    var shown: String { (JSONRedaction.redacted(self, mask: Redaction.mask) ?? self).shortened }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmingSpaces: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
