/// A text or a regular expression that the body must contain.
struct BodyExpectation: Equatable, Sendable, ArgumentValue {
    let pattern: TextPattern

    /// Parses `TEXT` or `/REGEX/`.
    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else { throw UsageError("expected TEXT or /REGEX/, got ''") }
        pattern =
            try argument.betweenSlashes.map { expression throws(UsageError) in
                try TextPattern(expression: expression)
            } ?? .text(argument)
    }

    /// The expectation as the object of a sentence.
    var description: String { "a body with \(pattern.description)" }

    /// Returns the failure as a sentence; `nil` if the body meets the expectation.
    func failure(in body: [UInt8]) -> String? {
        pattern.isFound(in: body) ? nil : "the body does not contain \(pattern.description)"
    }
}
