internal import AFHTTP

/// A header field that the response must have, with any value or a certain one, or must not have.
struct HeaderExpectation: Equatable, Sendable, ArgumentValue {
    enum Condition: Equatable, Sendable {
        case exists
        case isAbsent
        case equals(String)
        case matches(TextPattern)
    }

    let name: String
    let condition: Condition

    static var hint: ArgumentHint { .header }

    /// Parses `Name`, `absent Name`, `Name: value` or `Name ~ REGEX`.
    init(argument: String) throws(UsageError) {
        var name = argument[...]
        if argument.hasPrefix("absent ") {
            name = argument.dropFirst(7).drop { $0 == " " }
            condition = .isAbsent
        } else if let separator = argument.firstIndex(ofAny: ":~") {
            name = argument[..<separator]
            let value = String(decoding: Array(argument[separator...].utf8.dropFirst())[...].trimmed, as: UTF8.self)
            if argument.utf8[separator] == UInt8(ascii: ":") {
                condition = .equals(value)
            } else {
                condition = .matches(try TextPattern(operand: value))
            }
        } else {
            condition = .exists
        }
        if case .matches = condition { while name.last == " " { name.removeLast() } }
        self.name = String(name)
        guard HTTPHeader(name: self.name, value: "").isValid else {
            throw UsageError("expected Name, 'absent Name', 'Name: value' or 'Name ~ REGEX', got '\(argument)'")
        }
    }
}

extension HeaderExpectation {
    /// Returns the failure; one field line that meets the condition is sufficient.
    ///
    /// Secret values are masked.
    func failure(in headers: HTTPHeaders) -> String? {
        let found = headers.values(for: name)
        if condition == .isAbsent {
            return found.isEmpty ? nil : "expected no header '\(name)', got \(shown(found))"
        }
        guard !found.isEmpty else {
            return "expected the header '\(shownText)', but the response has no '\(name)'"
        }
        guard !found.contains(where: isMet) else { return nil }
        // The difference is in the masked part.
        let isMasked = if case .equals(let value) = condition { found.map(shown).contains(shown(value)) } else { false }
        if isMasked || HTTPHeader(name: name, value: "").holdsSecret {
            return "expected another value of the header '\(name)'"
        }
        return "expected the header '\(shownText)', got \(shown(found))"
    }

    private func isMet(by value: String) -> Bool {
        switch condition {
        case .exists: true
        case .isAbsent: false
        case .equals(let expected): value == expected
        case .matches(let pattern): pattern.isFound(in: Array(value.utf8))
        }
    }

    /// The expectation in the option's syntax, with secret values masked.
    var shownText: String {
        switch condition {
        case .exists: name
        case .isAbsent: "absent \(name)"
        case .equals(let value): "\(name): \(shown(value))"
        case .matches(let pattern): "\(name) ~ \(holdsSecret ? Redaction.mask : pattern.description)"
        }
    }

    /// Whether the expected value is a secret, or has one.
    var holdsSecret: Bool {
        switch condition {
        case .exists, .isAbsent: false
        case .equals(let value): shown(value) != value
        case .matches(let pattern): shown(pattern.text) != pattern.text
        }
    }

    private func shown(_ values: [String]) -> String { values.map { "'\(shown($0))'" }.joined(separator: " and ") }

    private func shown(_ value: String) -> String {
        Redaction(revealsSecrets: false).value(of: HTTPHeader(name: name, value: value))
    }
}
