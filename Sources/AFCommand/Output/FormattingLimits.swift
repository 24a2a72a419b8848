internal import AFFormatting

/// The maximum size of a body that is buffered for formatting: `--max-formatted`.
struct MaximumFormattedSize: Hashable, Sendable, ArgumentValue {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init(argument: String) throws(UsageError) {
        let count = try ByteCount(argument: argument).bytes
        guard count <= Int64(JSONSorter.largestLimit) else { throw UsageError("the maximum is 1G, got '\(argument)'") }
        bytes = Int(count)
    }
}

/// The maximum ratio of decoded to received bytes: `--max-ratio`; `nil` for no limit.
struct MaximumDecodingRatio: Hashable, Sendable, ArgumentValue {
    let limit: Int?

    init(_ limit: Int?) { self.limit = limit }

    /// Parses a whole number; 0 means no limit.
    init(argument: String) throws(UsageError) {
        let number = try Int(argument: argument)
        limit = number == 0 ? nil : number
    }
}
