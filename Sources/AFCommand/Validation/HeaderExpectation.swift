internal import AFHTTP

/// A header field that the response must have, with any value or a given one.
struct HeaderExpectation: Equatable, Sendable, ArgumentValue {
    let name: String
    let value: String?

    static var hint: ArgumentHint { .header }

    /// Parses `Name` or `Name: value`.
    init(argument: String) throws(UsageError) {
        let halves = argument.halves(around: ":")
        name = String(halves?.before ?? argument[...])
        value = halves.map { String(decoding: Array($0.after.utf8)[...].trimmed, as: UTF8.self) }
        guard HTTPHeader(name: name, value: "").isValid else {
            throw UsageError("expected Name or 'Name: value', got '\(argument)'")
        }
    }
}

extension HeaderExpectation {
    /// Returns the failure; one field line with the value is sufficient.
    ///
    /// Secret values are masked.
    func failure(in headers: HTTPHeaders) -> String? {
        let found = headers.values(for: name)
        guard !found.isEmpty else {
            return "expected the header '\(shownText)', but the response has no '\(name)'"
        }
        guard let value, !found.contains(value) else { return nil }
        let shownValues = found.map(shown)
        // The difference is in the masked part.
        if HTTPHeader(name: name, value: "").holdsSecret || shownValues.contains(shown(value)) {
            return "expected another value of the header '\(name)'"
        }
        let values = shownValues.map { "'\($0)'" }.joined(separator: " and ")
        return "expected the header '\(shownText)', got \(values)"
    }

    /// The expected field; `nil` if any value is sufficient.
    var field: HTTPHeader? { value.map { HTTPHeader(name: name, value: $0) } }

    /// The expectation in the option's syntax, with secret values masked.
    var shownText: String { value.map { "\(name): \(shown($0))" } ?? name }

    private func shown(_ value: String) -> String {
        Redaction(revealsSecrets: false).value(of: HTTPHeader(name: name, value: value))
    }
}
