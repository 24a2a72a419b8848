/// The missing ranges of a file and their assignment to transfers.
///
/// A value without side effects. It stores the missing ranges only.
struct SegmentMap: Equatable {
    /// The range of one transfer.
    struct Segment: Hashable {
        let number: Int
        let range: Range<Int64>
    }

    let length: Int64
    /// The unassigned ranges, ascending.
    private(set) var waiting: [Range<Int64>]
    /// The missing range of each assigned segment by number; complete segments are removed.
    private var unfinished: [Int: Range<Int64>] = [:]
    private var lastNumber = 0

    /// Creates a map.
    ///
    /// - Parameter present: The ranges on disk, ascending.
    init(length: Int64, present: [Range<Int64>] = []) {
        self.length = length
        waiting = Self.gaps(between: present, in: 0..<length)
    }

    /// The ranges on disk, ascending, not empty and not adjacent.
    var present: [Range<Int64>] {
        Self.gaps(between: missing, in: 0..<length)
    }

    /// The number of bytes on disk.
    var presentCount: Int64 {
        let missing = waiting.reduce(0) { $0 + $1.length } + unfinished.values.reduce(0) { $0 + $1.length }
        return length - missing
    }

    /// The length of the contiguous prefix of the file.
    var prefix: Int64 { missing.first?.lowerBound ?? length }

    private var missing: [Range<Int64>] {
        (waiting + unfinished.values).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Returns the missing range of a segment; `nil` if it is complete or was returned.
    func rest(of number: Int) -> Range<Int64>? { unfinished[number] }

    /// Splits the unassigned ranges into about `count` ranges of similar length.
    mutating func divide(into count: Int, ofAtLeast minimum: Int64) {
        let share = waiting.reduce(0) { $0 + $1.length } / Int64(max(count, 1))
        waiting = waiting.flatMap { range in
            let ranges = min(Int64(count), range.length / max(share, 1), range.length / max(minimum, 1))
            return range.cut(into: Int(ranges))
        }
    }

    /// Assigns a segment to another transfer: the first unassigned range, else half of the largest missing range.
    ///
    /// - Parameter minimum: The minimum length of segments.
    mutating func take(ofAtLeast minimum: Int64) -> Segment? {
        if !waiting.isEmpty { return assign(waiting.removeFirst()) }
        let longest = unfinished.max { ($0.value.length, $1.key) < ($1.value.length, $0.key) }
        guard let longest, longest.value.length / 2 >= max(minimum, 1) else { return nil }
        let halves = longest.value.cut(into: 2)
        unfinished[longest.key] = halves[0]
        return assign(halves[1])
    }

    private mutating func assign(_ range: Range<Int64>) -> Segment {
        lastNumber += 1
        unfinished[lastNumber] = range
        return Segment(number: lastNumber, range: range)
    }

    /// Records received bytes of a segment. Bytes after its end belong to another segment, which downloads them too.
    mutating func advance(_ number: Int, by count: Int64) {
        guard let range = unfinished[number] else { return }
        unfinished[number] = count < range.length ? range.lowerBound + count..<range.upperBound : nil
    }

    /// Makes the missing range of a segment available to other transfers.
    mutating func returnSegment(_ number: Int) {
        guard let rest = unfinished.removeValue(forKey: number) else { return }
        let index = waiting.firstIndex { $0.lowerBound > rest.lowerBound } ?? waiting.endIndex
        waiting.insert(rest, at: index)
    }

    /// Returns the gaps between ascending ranges within a range that contains them.
    static func gaps(between ranges: [Range<Int64>], in total: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var start = total.lowerBound
        for range in ranges {
            if start < range.lowerBound { gaps.append(start..<range.lowerBound) }
            start = max(start, range.upperBound)
        }
        if start < total.upperBound { gaps.append(start..<total.upperBound) }
        return gaps
    }
}

extension Range<Int64> {
    /// `count` is an `Int` in the collection's API.
    fileprivate var length: Int64 { upperBound - lowerBound }

    /// Splits the range into parts of nearly equal length; returns the range itself for a count of one.
    fileprivate func cut(into count: Int) -> [Range<Int64>] {
        guard count > 1 else { return [self] }
        let step = length / Int64(count)
        return (0..<Int64(count)).map { index in
            let start = lowerBound + index * step
            return start..<(index == Int64(count) - 1 ? upperBound : start + step)
        }
    }
}
