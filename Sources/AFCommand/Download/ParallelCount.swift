/// How many transfers may run at once.
struct ParallelCount: Equatable, Sendable, ArgumentValue {
    static let standard = ParallelCount(count: 4)
    private static let range = 1...64

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
