import Testing

@testable import AFHTTP

@Suite struct RequestedRangeTests {
    @Test(arguments: [
        ("bytes=0-99", "bytes 0-19/20", true), ("bytes=0-99", "bytes 0-99/200", true),
        ("bytes=0-99", "bytes 0-98/200", false), ("bytes=5-", "bytes 5-19/20", true),
        ("bytes=5-", "bytes 5-18/20", false), ("bytes=0-3", "bytes 4-7/20", false),
        ("bytes=-4", "bytes 16-19/20", true),
        ("bytes=-4", "bytes 0-3/20", false), ("bytes=-40", "bytes 0-19/20", true), ("bytes=0-3", "bytes */20", false),
        ("bytes=0-3", "bytes 0-3/*", true), ("bytes=0-3", "bytes 0-4/*", false), ("bytes=-4", "bytes 16-19/*", true),
        ("BYTES= 0-3", "bytes 0-3/20", true), ("bytes=0-9223372036854775807", "bytes 0-19/20", true),
    ])
    func `a Content-Range is the requested range, as far as the file has it`(
        text: String,
        content: String,
        isMet: Bool
    ) throws {
        let range = try #require(RequestedRange(parsing: text))
        #expect(range.isMet(by: try #require(ContentRange(parsing: content))) == isMet)
    }

    @Test(arguments: [
        "bytes=0-1,4-5", "items=0-3", "bytes=", "bytes=-", "bytes=-0", "bytes=3-2", "bytes=a-b", "bytes 0-3",
        "bytes=--4",
        "bytes=99999999999999999999-",
    ])
    func `several ranges, other units and invalid values are not one range`(text: String) {
        #expect(RequestedRange(parsing: text) == nil)
    }
}
