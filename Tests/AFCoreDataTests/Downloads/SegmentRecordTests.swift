import AFCore
import FoundationEssentials
import Testing

@testable import AFDownloads

/// The ranges in a record.
struct SegmentRecordTests {
    private var record: DownloadRecord {
        var record = DownloadRecord(url: "http://h/", partialPath: "p")
        (record.entityTag, record.length, record.completedBytes) = ("\"1\"", 100, 10)
        return record
    }

    @Test func `ranges are recorded, and the first missing one is requested`() throws {
        var record = record
        record.segments = [20..<30, 50..<100]
        let read = try DownloadRecord(json: record.json)
        #expect(read == record)
        #expect(read.savedBytes == 70)
        #expect(read.present == [0..<10, 20..<30, 50..<100])
        var request = try URLRequest(url: "http://h/", method: .get)
        read.addRange(to: &request)
        #expect(request.headers["Range"] == "bytes=0-19")
        #expect(request.headers["If-Range"] == "\"1\"")
    }

    @Test func `ranges without a contiguous start can be resumed`() {
        var record = record
        (record.completedBytes, record.segments) = (0, [20..<30])
        #expect(record.isResumable)
        record.segments = nil
        #expect(!record.isResumable)
    }

    @Test(
        arguments: [
            [], [5..<20], [10..<20], [20..<20], [30..<40, 20..<25], [20..<30, 30..<40], [20..<101], [-5..<3],
        ] as [[Range<Int64>]])
    func `a record with impossible ranges is rejected`(ranges: [Range<Int64>]) {
        var record = record
        record.segments = ranges
        #expect(throws: DecodingError.self) { try DownloadRecord(json: record.json) }
    }

    @Test func `ranges of an unknown version are ignored`() {
        var record = record
        record.segments = [20..<30]
        record.entityTag = nil
        #expect(throws: DecodingError.self) { try DownloadRecord(json: record.json) }
        record.entityTag = "\"1\""
        record.length = nil
        #expect(throws: DecodingError.self) { try DownloadRecord(json: record.json) }
    }

    @Test func `ranges beyond the record's limit are downloaded again`() throws {
        var record = DownloadRecord(url: "http://h/", partialPath: "p")
        (record.entityTag, record.length) = ("\"1\"", 1 << 40)
        record.update(from: SegmentMap(length: 1 << 40, present: (1..<5000).map { ($0 << 20)..<($0 << 20 + 1) }))
        #expect(record.segments?.count == 1000)
        #expect(record.json.count < 64 << 10)
        #expect(try DownloadRecord(json: record.json) == record)
    }
}
