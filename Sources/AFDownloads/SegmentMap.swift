/// The missing ranges of a file and their assignment to transfers.
///
/// A value without side effects. It stores the missing ranges only.
struct SegmentMap: Equatable {
    /// The range of one transfer.
    struct Segment: Hashable {
        let number: Int
        let range: Range<Int64>
    }

    /// A missing range, and the position at which its transfer begins: the bytes between are on disk and are compared.
    struct Missing: Equatable {
        var start: Int64
        var range: Range<Int64>

        /// The range to request.
        var requested: Range<Int64> { start..<range.upperBound }
    }

    let length: Int64
    /// The unassigned ranges, ascending.
    private(set) var waiting: [Missing]
    /// The missing range of each assigned segment by number; complete segments are removed.
    private var unfinished: [Int: Missing] = [:]
    private var lastNumber = 0

    /// Creates a map.
    ///
    /// - Parameters:
    ///   - present: The ranges on disk, ascending.
    ///   - overlap: The maximum number of bytes before each missing range that are compared.
    init(length: Int64, present: [Range<Int64>] = [], overlap: Int64 = 0) {
        self.length = length
        waiting = Self.gaps(between: present, in: 0..<length).map { gap in
            let before = present.last { $0.upperBound == gap.lowerBound }
            return Missing(start: max(before?.lowerBound ?? gap.lowerBound, gap.lowerBound - overlap), range: gap)
        }
    }

    /// The ranges on disk, ascending, not empty and not adjacent.
    var present: [Range<Int64>] {
        Self.gaps(between: missing, in: 0..<length)
    }

    /// The number of bytes on disk.
    var presentCount: Int64 {
        length - missing.reduce(0) { $0 + $1.length }
    }

    /// The length of the contiguous prefix of the file.
    var prefix: Int64 { missing.first?.lowerBound ?? length }

    private var missing: [Range<Int64>] {
        (waiting + unfinished.values).map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Returns the missing range of a segment; `nil` if it is complete or was returned.
    func rest(of number: Int) -> Missing? { unfinished[number] }

    /// Splits the unassigned ranges into about `count` ranges of similar length.
    mutating func divide(into count: Int, ofAtLeast minimum: Int64) {
        let share = waiting.reduce(0) { $0 + $1.range.length } / Int64(max(count, 1))
        waiting = waiting.flatMap { missing in
            let length = missing.range.length
            let parts = missing.range.cut(
                into: Int(min(Int64(count), length / max(share, 1), length / max(minimum, 1))))
            return parts.map { part in
                Missing(
                    start: part.lowerBound == missing.range.lowerBound ? missing.start : part.lowerBound, range: part)
            }
        }
    }

    /// Assigns a segment to another transfer: the first unassigned range, else half of the largest missing range.
    ///
    /// - Parameter minimum: The minimum length of segments.
    mutating func take(ofAtLeast minimum: Int64) -> Segment? {
        if !waiting.isEmpty { return assign(waiting.removeFirst()) }
        let longest = unfinished.max { ($0.value.range.length, $1.key) < ($1.value.range.length, $0.key) }
        guard let longest, longest.value.range.length / 2 >= max(minimum, 1) else { return nil }
        let halves = longest.value.range.cut(into: 2)
        unfinished[longest.key]?.range = halves[0]
        return assign(Missing(start: halves[1].lowerBound, range: halves[1]))
    }

    private mutating func assign(_ missing: Missing) -> Segment {
        lastNumber += 1
        unfinished[lastNumber] = missing
        return Segment(number: lastNumber, range: missing.range)
    }

    /// Records received bytes of a segment, compared ones included. Bytes after its end belong to another segment, which
    /// downloads them too.
    mutating func advance(_ number: Int, by count: Int64) {
        guard var missing = unfinished[number] else { return }
        missing.start += count
        let end = missing.range.upperBound
        missing.range = min(max(missing.range.lowerBound, missing.start), end)..<end
        unfinished[number] = missing.range.isEmpty ? nil : missing
    }

    /// Lets the transfer of a segment begin before its missing range, within the bytes on disk.
    mutating func rejoin(_ number: Int, overlap: Int64) {
        guard let missing = unfinished[number] else { return }
        let start = self.missing.last { $0.upperBound <= missing.range.lowerBound }?.upperBound ?? 0
        unfinished[number]?.start = max(start, missing.range.lowerBound - overlap)
    }

    /// Makes the missing range of a segment available to other transfers.
    mutating func returnSegment(_ number: Int) {
        guard let rest = unfinished.removeValue(forKey: number) else { return }
        let index = waiting.firstIndex { $0.range.lowerBound > rest.range.lowerBound } ?? waiting.endIndex
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
