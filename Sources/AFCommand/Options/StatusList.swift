/// Status codes and ranges of them: `200-299,304`.
struct StatusList: Hashable, Sendable, ArgumentValue {
    let ranges: [ClosedRange<Int>]

    init(_ ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    init(argument: String) throws(UsageError) {
        var ranges: [ClosedRange<Int>] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = StatusList.range(word) else {
                throw UsageError("expected statuses such as 200-299,304, got '\(argument)'")
            }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    func contains(_ status: Int) -> Bool {
        ranges.contains { $0.contains(status) }
    }

    /// Parses one status, a range, or a class: `2xx`.
    static func range(_ word: Substring) -> ClosedRange<Int>? {
        if word.count == 3, word.lowercased().hasSuffix("xx"), let hundreds = word.first?.wholeNumberValue {
            return (1...9).contains(hundreds) ? hundreds * 100...hundreds * 100 + 99 : nil
        }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(status)
        guard let first = ends[0], let last = ends.count == 1 ? first : ends[1], ends.count <= 2, first <= last else {
            return nil
        }
        return first...last
    }

    private static func status(_ word: Substring) -> Int? {
        guard word.count == 3, word.isDecimal, let number = Int(word), number >= 100 else { return nil }
        return number
    }
}
