internal import AFHTTP

extension JSONExpectation {
    /// The expectation as the object of a sentence.
    var description: String {
        guard value != nil else { return "a value at \(path.description)" }
        return "\(path.description) to be \(isSecret ? "another value" : spelling.shown)"
    }

    /// - Parameter document: A whole JSON text, of which nothing was read yet.
    func complaint(in document: JSONScanner) throws(JSONScanner.Problem) -> String? {
        var scanner = document
        switch try path.find(in: &scanner) {
        case .missing(let reason): return "expected \(description), got none: \(reason)"
        case .found(let range):
            guard let value, !value.isFound(in: scanner, at: range.lowerBound) else { return nil }
            return "expected \(description)" + (isSecret ? "" : ", got \(scanner.text(range).shown)")
        }
    }

    /// Whether values at this place are none for others' eyes.
    private var isSecret: Bool {
        guard case .member(let name)? = path.key?.parts.last(where: \.isMember)?.step else { return false }
        return SecretNames().contains(name)
    }
}

extension JSONKey.Part {
    fileprivate var isMember: Bool { if case .member = step { true } else { false } }
}

extension String {
    /// JSON as a sentence may show it: without secrets, and of long texts the beginning.
    fileprivate var shown: String { (JSONRedaction.redacted(self) ?? self).shortened }
}
