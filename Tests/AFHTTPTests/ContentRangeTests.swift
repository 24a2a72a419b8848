import AFHTTP
import Testing

struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-9/10", 0...9, 10), ("bytes 5-5/*", 5...5, nil), ("Bytes  2-3/4", 2...3, 4), ("bytes */7", nil, 7),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func `the byte range and the total size are parsed`(text: String, range: ClosedRange<Int64>?, total: Int64?) {
        #expect(ContentRange(parsing: text)?.range == range)
        #expect(ContentRange(parsing: text)?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-9", "lines 0-9/10", "bytes 9-0/10", "bytes 0-10/10", "bytes -9/10", "bytes 0-/10",
        "bytes 0-9/-1", "bytes +0-9/10", "bytes 0-9/99999999999999999999", "bytes 0-1/9, 2-3/9", "bytes *-9/10",
    ])
    func `an invalid value is rejected`(text: String) { #expect(ContentRange(parsing: text) == nil) }
}
