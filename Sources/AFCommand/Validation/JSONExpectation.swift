/// A value that the JSON body of the response must hold: any value at a place, or this one.
struct JSONExpectation: Equatable, Sendable, ArgumentValue {
    let path: JSONPath
    /// `nil` where any will do.
    let value: JSONValue?
    /// The value as typed.
    let spelling: String

    /// `PATH` or `PATH==VALUE`, the value in JSON.
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
            _ = try JSONText(parsing: spelling)
        } catch {
            throw error.hinting(hint)
        }
        value = JSONValue(spelling)
        if value == nil { throw UsageError("'\(spelling.shortened)' is more than can be compared") }
    }
}

extension String {
    /// Of long texts the beginning.
    var shortened: String { count > 80 ? "\(prefix(77))..." : self }
}
