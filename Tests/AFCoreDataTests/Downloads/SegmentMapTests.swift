import AFCore
import Testing

@testable import AFDownloads

struct SegmentMapTests {
    private func segment(_ map: inout SegmentMap, _ minimum: Int64 = 1) throws -> SegmentMap.Segment {
        let segment = map.take(ofAtLeast: minimum)
        return try #require(segment)
    }

    @Test func `missing ranges are divided into equal segments, in order`() throws {
        var map = SegmentMap(length: 100)
        map.divide(into: 3, ofAtLeast: 10)
        #expect(try (0..<3).map { _ in try segment(&map).range } == [0..<33, 33..<66, 66..<100])
        #expect(map.presentCount == 0)
        #expect(map.prefix == 0)
    }

    @Test(arguments: [
        (100, 8, 30, [0..<33, 33..<66, 66..<100]), (59, 8, 30, [0..<59]), (3, 8, 1, [0..<1, 1..<2, 2..<3]),
    ])
    func `no segment is shorter than the minimum`(length: Int, count: Int, minimum: Int, pieces: [Range<Int>]) {
        var map = SegmentMap(length: Int64(length))
        map.divide(into: count, ofAtLeast: Int64(minimum))
        #expect(map.waiting.map(\.range) == pieces.map { Int64($0.lowerBound)..<Int64($0.upperBound) })
    }

    @Test func `gaps are divided by their lengths`() {
        var map = SegmentMap(length: 1000, present: [0..<100, 200..<300, 900..<1000])
        #expect(map.presentCount == 300)
        map.divide(into: 4, ofAtLeast: 10)
        #expect(map.waiting.map(\.range) == [100..<200, 300..<500, 500..<700, 700..<900])
    }

    @Test func `received ranges are present, at any offset`() throws {
        var map = SegmentMap(length: 100)
        map.divide(into: 2, ofAtLeast: 1)
        let (first, second) = (try segment(&map), try segment(&map))
        map.advance(second.number, by: 20)
        #expect(map.present == [50..<70])
        #expect(map.prefix == 0)
        map.advance(first.number, by: 50)
        #expect(map.present == [0..<70])
        #expect(map.prefix == 70)
        #expect(map.rest(of: first.number) == nil)
        #expect(map.rest(of: second.number)?.range == 70..<100)
        map.advance(second.number, by: 30)
        #expect(map.present == [0..<100])
        #expect(map.presentCount == 100)
        #expect(map.prefix == 100)
        #expect(map.take(ofAtLeast: 1) == nil)
    }

    @Test func `a completed segment takes half of the largest missing range`() throws {
        var map = SegmentMap(length: 100)
        map.divide(into: 2, ofAtLeast: 1)
        let (first, second) = (try segment(&map), try segment(&map))
        map.advance(first.number, by: 50)
        map.advance(second.number, by: 10)
        let third = try segment(&map, 20)
        #expect(third.range == 80..<100)
        #expect(map.rest(of: second.number)?.range == 60..<80)
        #expect(map.take(ofAtLeast: 20) == nil)
    }

    @Test func `bytes after the end of a segment are ignored`() throws {
        var map = SegmentMap(length: 100)
        let first = try segment(&map)
        _ = try segment(&map)
        map.advance(first.number, by: 80)
        #expect(map.present == [0..<50])
        map.advance(first.number, by: 10)
        #expect(map.present == [0..<50])
    }

    @Test func `a returned segment waits in its order`() throws {
        var map = SegmentMap(length: 90)
        map.divide(into: 3, ofAtLeast: 1)
        let first = try segment(&map)
        map.advance(first.number, by: 10)
        map.returnSegment(first.number)
        map.returnSegment(first.number)
        #expect(map.rest(of: first.number) == nil)
        #expect(map.waiting.map(\.range) == [10..<30, 30..<60, 60..<90])
        #expect(map.present == [0..<10])
        #expect(try segment(&map).range == 10..<30)
    }

    @Test func `transfers begin before missing ranges, within what is present`() throws {
        var map = SegmentMap(length: 1000, present: [0..<100, 120..<125, 400..<500], overlap: 30)
        #expect(map.waiting.map(\.requested) == [70..<120, 120..<400, 470..<1000])
        #expect(map.presentCount == 205)
        let first = try segment(&map)
        map.advance(first.number, by: 20)
        #expect(map.rest(of: first.number) == SegmentMap.Missing(start: 90, range: 100..<120))
        #expect(map.present.first == 0..<100)
        map.advance(first.number, by: 15)
        #expect(map.rest(of: first.number) == SegmentMap.Missing(start: 105, range: 105..<120))
        map.returnSegment(first.number)
        #expect(map.waiting.first == SegmentMap.Missing(start: 105, range: 105..<120))
    }

    @Test func `a retried segment begins before its rest, and not before an earlier missing range`() throws {
        var map = SegmentMap(length: 100)
        map.divide(into: 2, ofAtLeast: 1)
        let (first, second) = (try segment(&map), try segment(&map))
        map.advance(first.number, by: 10)
        map.advance(second.number, by: 5)
        map.rejoin(second.number, overlap: 30)
        #expect(map.rest(of: second.number)?.requested == 50..<100)
        map.rejoin(first.number, overlap: 4)
        #expect(map.rest(of: first.number)?.requested == 6..<50)
        #expect(map.presentCount == 15)
    }

    @Test func `dividing keeps the joint of the first piece`() {
        var map = SegmentMap(length: 100, present: [0..<50], overlap: 8)
        map.divide(into: 2, ofAtLeast: 1)
        #expect(map.waiting.map(\.requested) == [42..<75, 75..<100])
    }

    @Test func `huge announced lengths cause no overflow`() {
        var map = SegmentMap(length: .max)
        map.divide(into: 32, ofAtLeast: 1 << 20)
        #expect(map.waiting.count == 32)
        while map.take(ofAtLeast: 1 << 55) != nil {}
        #expect(map.presentCount == 0)
        var whole = SegmentMap(length: 0)
        whole.divide(into: 32, ofAtLeast: 1)
        #expect(whole.take(ofAtLeast: 1) == nil)
    }

    @Test func `a thousand random steps lose no byte and duplicate none`() {
        var generator = SystemRandomNumberGenerator()
        var map = SegmentMap(length: 10_000, present: [5..<10, 400..<4000])
        var there = Set<Int64>(5..<10).union(400..<4000)
        map.divide(into: 5, ofAtLeast: 7)
        var numbers: [Int] = []
        for _ in 0..<1000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<2: if let segment = map.take(ofAtLeast: 7) { numbers.append(segment.number) }
            case 2: if let number = numbers.randomElement() { map.returnSegment(number) }
            default:
                guard let number = numbers.randomElement(), let rest = map.rest(of: number) else { continue }
                let count = Int64.random(in: 1...40)
                there.formUnion(rest.range.prefix(Int(count)))
                map.advance(number, by: count)
            }
            #expect(map.presentCount == Int64(there.count))
            #expect(map.present.allSatisfy { there.isSuperset(of: $0) })
        }
    }
}
