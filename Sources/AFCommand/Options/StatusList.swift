/// Status codes and ranges of them, some of which may be excluded: `200-299,304` or `2xx,!204`.
struct StatusList: Hashable, Sendable, ArgumentValue {
    /// Consecutive statuses. Unlike this, the first array of `ClosedRange` costs a start 0.1 ms: all conformances of the
    /// program are searched for that to `Comparable`.
    struct Interval: Hashable, Sendable {
        let first: Int
        let last: Int

        init(_ first: Int, to last: Int? = nil) { (self.first, self.last) = (first, last ?? first) }

        func contains(_ status: Int) -> Bool { first <= status && status <= last }
    }

    let ranges: [Interval]
    /// The excluded statuses. If there are no others, all statuses but these are in the list.
    let excluded: [Interval]

    init(_ ranges: [Interval], excluding excluded: [Interval] = []) {
        self.ranges = ranges
        self.excluded = excluded
    }

    init(argument: String) throws(UsageError) {
        var (ranges, excluded) = ([Interval](), [Interval]())
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let isExcluded = word.hasPrefix("!")
            guard let range = StatusList.range(isExcluded ? word.dropFirst() : word) else {
                throw UsageError("expected statuses such as 200-299,304 or !5xx, got '\(argument)'")
            }
            if isExcluded { excluded.append(range) } else { ranges.append(range) }
        }
        self.init(ranges, excluding: excluded)
    }

    func contains(_ status: Int) -> Bool {
        let isIncluded = ranges.isEmpty ? !excluded.isEmpty : ranges.contains { $0.contains(status) }
        return isIncluded && !excluded.contains { $0.contains(status) }
    }

    /// The status codes in the option's syntax.
    var text: String {
        let notation = { (range: Interval) in
            range.first == range.last ? "\(range.first)" : "\(range.first)-\(range.last)"
        }
        return (ranges.map(notation) + excluded.map { "!\(notation($0))" }).joined(separator: ",")
    }

    /// Parses one status, a range, or a class: `2xx`.
    static func range(_ word: Substring) -> Interval? {
        if word.count == 3, word.lowercased().hasSuffix("xx"), let hundreds = Int(word.prefix(1)) {
            return (1...9).contains(hundreds) ? Interval(hundreds * 100, to: hundreds * 100 + 99) : nil
        }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(status)
        guard let first = ends[0], let last = ends.count == 1 ? first : ends[1], ends.count <= 2, first <= last else {
            return nil
        }
        return Interval(first, to: last)
    }

    private static func status(_ word: Substring) -> Int? {
        guard word.count == 3, word.isDecimal, let number = Int(word), number >= 100 else { return nil }
        return number
    }
}
