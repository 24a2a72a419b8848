internal import AFHTTP
internal import AFJSON

/// A value that the JSON body must contain at a path: any value, or one that meets a condition.
struct JSONExpectation: Equatable, Sendable, ArgumentValue {
    enum Condition: Equatable, Sendable {
        /// A comparison with a JSON value.
        case comparison(Operator, JSONValue)
        /// A regular expression for the text of a scalar.
        case match(TextPattern)
    }

    let path: JSONPath
    /// Whether the condition is about the number of elements, members or characters.
    let concernsLength: Bool
    /// The condition; `nil` for any value.
    let condition: Condition?
    /// The condition as part of a sentence.
    private let relation: String
    private let typed: String

    /// Parses `PATH`, `PATH OP VALUE` or `length(PATH) OP VALUE`.
    ///
    /// VALUE is JSON, a word without quotes, which is a string, or a regular expression after `~`.
    init(argument: String) throws(UsageError) {
        // Often an unset variable of a script.
        guard !argument.isEmpty else {
            throw UsageError("the argument is empty", hint: "'.' is the complete body")
        }
        typed = argument
        let parts = Parts(argument)
        concernsLength = parts.path.hasPrefix("length(") && parts.path.hasSuffix(")")
        path = try JSONPath(concernsLength ? String(parts.path.dropFirst(7).dropLast()) : parts.path)
        guard let operation = parts.operation else {
            if concernsLength { throw UsageError("length requires a comparison: length(PATH)>0") }
            if parts.path.contains("="), !parts.path.contains("[") {
                throw UsageError("'=' is not an operator", hint: "== compares; [a=b] is a name that contains '='")
            }
            if let word = ["in", "is", "matches", "not"].first(where: { parts.path.contains(" \($0) ") }) {
                throw UsageError(
                    "'\(known: word)' is not an operator", hint: "the operators are == != < <= > >= ~ contains")
            }
            (condition, relation) = (nil, "")
            return
        }
        if operation == .matches {
            let pattern = try JSONExpectation.pattern(parts.value)
            (condition, relation) = (.match(pattern), "\(operation.relation) \(pattern.description)")
        } else {
            let text = parts.value.isWord ? "\"\(parts.value)\"" : parts.value
            let value = try JSONExpectation.value(text)
            (condition, relation) = (.comparison(operation, value), "\(operation.relation) \(text.shown)")
        }
    }

    private static func pattern(_ text: String) throws(UsageError) -> TextPattern {
        guard !text.isEmpty else { throw UsageError("expected a regular expression after '~'") }
        return try TextPattern(expression: try text.betweenSlashes ?? text)
    }

    private static func value(_ text: String) throws(UsageError) -> JSONValue {
        do throws(UsageError) {
            _ = try JSONText(argument: text)
        } catch {
            throw error.hinting("VALUE is JSON or a word: other strings need double quotes, 'name==\"Ada L.\"'")
        }
        guard let value = JSONValue(text) else { throw UsageError("'\(text.shortened)' is more than can be compared") }
        return value
    }
}

extension String {
    /// The text, shortened to 80 characters.
    var shortened: String { count > 80 ? "\(prefix(77))..." : self }
}

extension JSONExpectation {
    /// The expectation as the object of a sentence.
    var description: String {
        guard condition != nil else { return "a value at \(path.description)" }
        return isSecret ? "another value of \(subject)" : "\(subject) \(relation)"
    }

    /// The expectation as the object of a sentence without the actual value.
    private var shownRelation: String {
        isSecret ? "a value of \(subject)" : description
    }

    /// The expectation as typed, with secret values masked.
    var shownText: String { isSecret ? description : typed.shortened }

    /// Whether it compares with a secret.
    var holdsSecret: Bool { isSecret && condition != nil }

    /// The number of instructions of the regular expression, or 0.
    var size: Int { if case .match(let pattern)? = condition { pattern.size } else { 0 } }

    private var subject: String { concernsLength ? "the length of \(path.description)" : path.description }

    /// Returns the failure as a sentence; `nil` if the document meets the expectation.
    ///
    /// - Parameter document: A cursor at the value of a text.
    func failure(in document: JSONCursor) -> String? {
        var cursor = document
        if let reason = path.find(in: &cursor) {
            return "expected \(condition == nil ? description : shownRelation), but \(reason)"
        }
        guard let condition else { return nil }
        if concernsLength { return lengthFailure(condition, at: cursor) }
        if condition.isMet(at: cursor) { return nil }
        return "expected \(description)" + (isSecret ? "" : ", got \(cursor.valueText.shown)")
    }

    private func lengthFailure(_ condition: Condition, at cursor: JSONCursor) -> String? {
        guard let length = cursor.length else {
            return "expected \(description), got a value of type \(cursor.kind.rawValue)"
        }
        if condition.isMet(byLength: length) { return nil }
        return "expected \(description)" + (isSecret ? "" : ", got \(length)")
    }

    /// Whether values at this path are secret.
    private var isSecret: Bool {
        path.names.contains(where: SecretNames().contains)
    }
}

extension String {
    /// Whether the text is a string without quotes: a word that is neither JSON nor another spelling of it.
    fileprivate var isWord: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_-.:/+@".contains($0) }
            && !["true", "false", "null"].contains(lowercased()) && (try? JSONText(argument: self)) == nil
    }

    /// The JSON for messages: without secrets and shortened.
    fileprivate var shown: String { (JSONRedaction.redacted(self, mask: Redaction.mask) ?? self).shortened }
}
