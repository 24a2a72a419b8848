/// Which bytes of a file are missing, and who fetches which of them.
///
/// A pure value. What is missing is all that it knows: the rest of the file is there.
struct SegmentMap: Equatable {
    /// Bytes for one transfer.
    struct Piece: Hashable {
        let number: Int
        let range: Range<Int64>
    }

    let length: Int64
    /// Nobody's, ascending.
    private(set) var waiting: [Range<Int64>]
    /// What each piece under way lacks, by its number; those that lack nothing are gone.
    private var lacking: [Int: Range<Int64>] = [:]
    private var lastNumber = 0

    /// - Parameter present: What is there, ascending.
    init(length: Int64, present: [Range<Int64>] = []) {
        self.length = length
        waiting = Self.gaps(between: present, in: 0..<length)
    }

    /// What is there: ascending, neither empty nor adjacent.
    var present: [Range<Int64>] {
        Self.gaps(between: missing, in: 0..<length)
    }

    /// How many bytes are there.
    var presentCount: Int64 {
        let missing = waiting.reduce(0) { $0 + $1.length } + lacking.values.reduce(0) { $0 + $1.length }
        return length - missing
    }

    /// Up to where nothing is missing.
    var prefix: Int64 { missing.first?.lowerBound ?? length }

    private var missing: [Range<Int64>] {
        (waiting + lacking.values).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// What a piece lacks; `nil` where that is nothing, be it whole or given back.
    func rest(of number: Int) -> Range<Int64>? { lacking[number] }

    /// Cuts what waits for somebody into so many pieces, or so, of about the same length.
    mutating func divide(into count: Int, ofAtLeast minimum: Int64) {
        let share = waiting.reduce(0) { $0 + $1.length } / Int64(max(count, 1))
        waiting = waiting.flatMap { range in
            let pieces = min(Int64(count), range.length / max(share, 1), range.length / max(minimum, 1))
            return range.cut(into: Int(pieces))
        }
    }

    /// What another transfer can fetch: the first bytes that nobody has taken, else half of what the slowest piece lacks.
    ///
    /// - Parameter minimum: No piece is cut into shorter ones.
    mutating func take(ofAtLeast minimum: Int64) -> Piece? {
        if !waiting.isEmpty { return assign(waiting.removeFirst()) }
        let longest = lacking.max { ($0.value.length, $1.key) < ($1.value.length, $0.key) }
        guard let longest, longest.value.length / 2 >= max(minimum, 1) else { return nil }
        let halves = longest.value.cut(into: 2)
        lacking[longest.key] = halves[0]
        return assign(halves[1])
    }

    private mutating func assign(_ range: Range<Int64>) -> Piece {
        lastNumber += 1
        lacking[lastNumber] = range
        return Piece(number: lastNumber, range: range)
    }

    /// So many bytes of a piece have come. Those behind its end are another piece's, which brings them as well.
    mutating func advance(_ number: Int, by count: Int64) {
        guard let range = lacking[number] else { return }
        lacking[number] = count < range.length ? range.lowerBound + count..<range.upperBound : nil
    }

    /// Nobody fetches the rest of a piece any more.
    mutating func giveBack(_ number: Int) {
        guard let rest = lacking.removeValue(forKey: number) else { return }
        let place = waiting.firstIndex { $0.lowerBound > rest.lowerBound } ?? waiting.endIndex
        waiting.insert(rest, at: place)
    }

    /// What lies between ascending ranges, none of which reaches beyond the whole.
    static func gaps(between ranges: [Range<Int64>], in whole: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var start = whole.lowerBound
        for range in ranges {
            if start < range.lowerBound { gaps.append(start..<range.lowerBound) }
            start = max(start, range.upperBound)
        }
        if start < whole.upperBound { gaps.append(start..<whole.upperBound) }
        return gaps
    }
}

extension Range<Int64> {
    /// `count` is an `Int` of the collection's.
    fileprivate var length: Int64 { upperBound - lowerBound }

    /// Into pieces that differ by no more than the rest of a division; the whole where there is to be no more than one.
    fileprivate func cut(into count: Int) -> [Range<Int64>] {
        guard count > 1 else { return [self] }
        let step = length / Int64(count)
        return (0..<Int64(count)).map { index in
            let start = lowerBound + index * step
            return start..<(index == Int64(count) - 1 ? upperBound : start + step)
        }
    }
}
