internal import AFHTTP

extension HeaderExpectation {
    /// What is wrong with a response's headers; one line of the name with the value is enough.
    func complaint(about headers: HTTPHeaders) -> String? {
        let found = headers.values(for: name)
        guard !found.isEmpty else {
            return "expected the header \(name)\(value.map { ": \($0)" } ?? ""), got none of that name"
        }
        guard let value, !found.contains(value) else { return nil }
        if HTTPHeader(name: name, value: "").holdsSecret { return "expected another value of the header \(name)" }
        return "expected the header \(name): \(value), got \(found.map { "'\($0)'" }.joined(separator: " and "))"
    }
}
