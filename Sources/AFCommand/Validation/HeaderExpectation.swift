internal import AFHTTP

/// A header that the response must have, with any value or with this one.
struct HeaderExpectation: Equatable, Sendable, ArgumentValue {
    let name: String
    let value: String?

    static var hint: ArgumentHint { .header }

    /// `Name` or `Name: value`.
    init(argument: String) throws(UsageError) {
        let halves = argument.halves(around: ":")
        name = String(halves?.before ?? argument[...])
        value = halves.map { String(decoding: Array($0.after.utf8)[...].trimmed, as: UTF8.self) }
        guard HTTPHeader(name: name, value: "").isValid else {
            throw UsageError("expected Name or 'Name: value', got '\(argument)'")
        }
    }
}
