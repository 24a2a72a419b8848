/// How many bytes of a body may be held back to be put into another order or layout: `--max-formatted`.
struct FormattedSize: Hashable, Sendable, ArgumentValue {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init(argument: String) throws(UsageError) {
        let count = try ByteCount(argument: argument).bytes
        guard count <= Int64(JSONSorter.largestLimit) else { throw UsageError("the most is 1G, got '\(argument)'") }
        bytes = Int(count)
    }
}

/// How many times as long as what came a held body may become by decoding: `--max-ratio`; `nil` for any.
struct DecodingRatio: Hashable, Sendable, ArgumentValue {
    let limit: Int?

    init(_ limit: Int?) { self.limit = limit }

    /// A whole number; 0 lifts the limit.
    init(argument: String) throws(UsageError) {
        let number = try Int(argument: argument)
        limit = number == 0 ? nil : number
    }
}
