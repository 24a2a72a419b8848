internal import AFHTTP

/// A header that the response must have, with any value or with this one.
struct HeaderExpectation: Equatable, Sendable, ArgumentValue {
    let name: String
    let value: String?

    static var hint: Option.Hint { .header }

    /// `Name` or `Name: value`.
    init(argument: String) throws(UsageError) {
        let halves = argument.halves(around: ":")
        name = String(halves?.before ?? argument[...])
        value = halves.map { String(decoding: Array($0.after.utf8)[...].trimmed, as: UTF8.self) }
        guard HTTPHeader(name: name, value: "").isValid else {
            throw UsageError("expected Name or 'Name: value', got '\(argument)'")
        }
    }

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
