import AFHTTP
import Testing

struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-9/10", 0...9, 10), ("bytes 5-5/*", 5...5, nil), ("Bytes  2-3/4", 2...3, 4), ("bytes */7", nil, 7),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func `says which bytes there are, and of how many`(text: String, range: ClosedRange<Int64>?, total: Int64?) {
        #expect(ContentRange(parsing: text)?.range == range)
        #expect(ContentRange(parsing: text)?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-9", "lines 0-9/10", "bytes 9-0/10", "bytes 0-10/10", "bytes -9/10", "bytes 0-/10",
        "bytes 0-9/-1", "bytes +0-9/10", "bytes 0-9/99999999999999999999", "bytes 0-1/9, 2-3/9", "bytes *-9/10",
    ])
    func `anything else says nothing`(text: String) { #expect(ContentRange(parsing: text) == nil) }
}
