internal import AFHTTP
internal import AFJSON

/// A value that the JSON body must contain at a path: any value, or a given one.
struct JSONExpectation: Equatable, Sendable, ArgumentValue {
    let path: JSONPath
    /// The value; `nil` for any.
    let value: JSONValue?
    /// The value as typed.
    let spelling: String

    /// Parses `PATH` or `PATH==VALUE`, with a JSON value.
    init(argument: String) throws(UsageError) {
        let halves = argument.firstRange(of: "==").map { (argument[..<$0.lowerBound], argument[$0.upperBound...]) }
        path = try JSONPath(String(halves?.0 ?? argument[...]))
        spelling = String(halves?.1 ?? "")
        guard halves != nil else {
            value = nil
            return
        }
        let hint = "VALUE is JSON: a text goes into double quotes, 'name==\"Ada\"'"
        do throws(UsageError) {
            _ = try JSONText(argument: spelling)
        } catch {
            throw error.hinting(hint)
        }
        value = JSONValue(spelling)
        if value == nil { throw UsageError("'\(spelling.shortened)' is more than can be compared") }
    }
}

extension String {
    /// The text, shortened to 80 characters.
    var shortened: String { count > 80 ? "\(prefix(77))..." : self }
}

extension JSONExpectation {
    /// The expectation as the object of a sentence.
    var description: String {
        guard value != nil else { return "a value at \(path.description)" }
        return "\(path.description) to be \(isSecret ? "another value" : spelling.shown)"
    }

    /// Returns the failure.
    ///
    /// - Parameter document: A scanner at the start of a complete JSON text.
    func failure(in document: JSONScanner) throws(JSONScanner.Problem) -> String? {
        var scanner = document
        switch try path.find(in: &scanner) {
        case .missing(let reason): return "expected \(description), got none: \(reason)"
        case .found(let range):
            guard let value, !value.isFound(in: scanner, at: range.lowerBound) else { return nil }
            return "expected \(description)" + (isSecret ? "" : ", got \(scanner.text(range).shown)")
        }
    }

    /// Whether values at this path are secret.
    private var isSecret: Bool {
        guard case .member(let name)? = path.key?.parts.last(where: \.isMember)?.step else { return false }
        return SecretNames().contains(name)
    }
}

extension JSONKey.Part {
    fileprivate var isMember: Bool { if case .member = step { true } else { false } }
}

extension String {
    /// The JSON for messages: without secrets and shortened.
    fileprivate var shown: String { (JSONRedaction.redacted(self, mask: Redaction.mask) ?? self).shortened }
}
