internal import AFHTTP
internal import AFJSON

/// A value that the JSON body must contain at a path, or a condition for the values at a path.
struct JSONExpectation: Equatable, Sendable, ArgumentValue {
    /// The object of the condition.
    enum Subject: String, CaseIterable, Sendable {
        /// At least one value.
        case any
        /// Every value.
        case all
        /// The number of values.
        case count
        /// The number of elements, members or characters of the value.
        case length
        /// The value.
        case value = ""
        /// No value.
        case absence = "absent"
    }

    let subject: Subject
    let path: JSONPath
    /// The condition; `nil` for any value.
    let predicate: JSONPredicate?
    let typed: String

    /// Parses `PATH`, `absent PATH`, `PATH OP VALUE` or `any(PATH) OP VALUE`.
    init(argument: String) throws(UsageError) {
        // Often an unset variable of a script.
        guard argument.contains(where: { $0 != " " }) else {
            throw UsageError("the argument is empty", hint: "'.' is the complete body")
        }
        typed = argument
        let parts = JSONPredicate.Parts(argument)
        if parts.operation == .matches, parts.value.hasPrefix("=") { throw Self.unsupported("~=", in: argument) }
        let (subject, text) = try Self.subject(parts)
        // A name that contains a blank is in brackets: a second word is an unsupported operator.
        if parts.operation == nil, let word = text.wordsOutsideBrackets.dropFirst().first {
            throw Self.unsupported(String(word), in: argument)
        }
        self.subject = subject
        path = try JSONPath(text, selectsSeveral: [.any, .all, .count, .absence].contains(subject))
        predicate = try parts.operation.map { operation throws(UsageError) in
            try JSONPredicate(operation, parts.value)
        }
        if subject == .absence, predicate != nil {
            throw UsageError("'absent' allows no comparison", hint: "PATH!=VALUE compares a value that exists")
        }
        if predicate == nil, subject != .value, subject != .absence {
            let name = subject.rawValue
            throw UsageError("\(known: name) requires a comparison: \(known: name)(PATH)>0")
        }
    }

    /// Divides `any(PATH)` or `absent PATH` into the subject and the path.
    private static func subject(_ parts: JSONPredicate.Parts) throws(UsageError) -> (Subject, path: String) {
        let text = parts.subject
        if text.hasPrefix("absent ") { return (.absence, String(text.dropFirst(7).drop { $0 == " " })) }
        if let function = text.function {
            let inner = function.argument.function
            guard inner == nil, let subject = Subject(rawValue: function.name), subject != .absence else {
                throw unsupported("\(inner?.name ?? function.name)()", in: text)
            }
            if let word = function.argument.foreignWord(hasEscape: parts.hasEscape) {
                throw unsupported(word, in: text)
            }
            return (subject, function.argument)
        }
        if !parts.hasEscape, text.hasPrefix("!") { throw unsupported("!", in: text) }
        if text.hasPrefix("$.") || text.hasPrefix("$[") {
            throw UsageError("'$' is not supported", hint: "omit it: the path of a member is 'name'")
        }
        if let word = text.foreignWord(hasEscape: parts.hasEscape) { throw unsupported(word, in: text) }
        return (.value, text)
    }

    private static func unsupported(_ word: String, in text: String) -> UsageError {
        UsageError(
            "'\(word)' is not supported in '\(text.shortened)'",
            hint: """
                the operators are \(JSONPredicate.Operator.list); also: absent PATH, any(PATH), all(PATH), count(PATH), \
                length(PATH); brackets enclose a name with a blank: [a b]
                """)
    }
}

extension String {
    /// The name and the argument of a function: `length(a)`.
    fileprivate var function: (name: String, argument: String)? {
        guard hasSuffix(")"), let (name, argument) = halves(around: "("), !name.isEmpty,
            name.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        return (String(name), String(argument.dropLast()))
    }

    /// Returns an operator of another language outside of brackets, where it would be part of a name. One of signs is part
    /// of the name if a sign has an escape.
    fileprivate func foreignWord(hasEscape: Bool) -> String? {
        let foreign: Set = [
            "=", "=~", "!", "&&", "||", "|", "and", "or", "not", "in", "is", "has", "type", "contains", "exists",
            "matches", "equals", "includes", "eq", "ne", "lt", "le", "gt", "ge", "like", "startswith", "endswith",
            "absent",
        ]
        let words = wordsOutsideBrackets
        guard words.count > 1 else { return !hasEscape && words.first?.contains("=") == true ? "=" : nil }
        return words.first { word in
            foreign.contains(word.lowercased()) && !(hasEscape && word.allSatisfy("=!~".contains))
        }.map(String.init)
    }

    /// The words outside of brackets, where blanks would be part of a name.
    fileprivate var wordsOutsideBrackets: [Substring] {
        var outside = ""
        var rest = self[...]
        while let character = rest.popFirst() {
            if character == "[" { rest = rest[rest.condition.endIndex...] }
            outside.append(character)
        }
        return outside[...].split(separator: " ")
    }
}
