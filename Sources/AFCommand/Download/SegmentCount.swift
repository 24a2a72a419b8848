/// How many ranges of a file may be fetched at once.
struct SegmentCount: Equatable, Sendable, ArgumentValue {
    private static let range = 1...32

    let count: Int

    init(count: Int) { self.count = count }

    init(argument: String) throws(UsageError) {
        guard argument.isDecimal, let count = Int(argument), Self.range.contains(count) else {
            throw UsageError(
                "expected a number from \(known: Self.range.lowerBound) to \(known: Self.range.upperBound), got '\(argument)'"
            )
        }
        self.count = count
    }
}
