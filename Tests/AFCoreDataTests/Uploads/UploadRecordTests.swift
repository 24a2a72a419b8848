import FoundationEssentials
import Testing

@testable import AFUploads

/// The record of an interrupted upload.
@Suite struct UploadRecordTests {
    private func record(size: Int, acknowledged: Int) throws -> UploadRecord {
        let json = """
            {"acknowledged": \(acknowledged), "digest": "00", "method": "PUT", "protocol": "draft", "version": 1,
            "file": {"changed": 3, "inode": 2, "modified": 1, "size": \(size)},
            "resource": "https://example.org/r", "url": "https://example.org/f"}
            """
        return try UploadRecord(json: Data(json.utf8))
    }

    @Test(arguments: [(-20, 10), (-20, -30), (20, -1), (20, 21)])
    func `a record with impossible numbers is an error`(size: Int, acknowledged: Int) {
        #expect(throws: DecodingError.self) { try record(size: size, acknowledged: acknowledged) }
    }

    @Test func `all bytes or none may be acknowledged`() throws {
        #expect(try record(size: 20, acknowledged: 20).file.size == 20)
        #expect(try record(size: 0, acknowledged: 0).acknowledged == 0)
    }
}
