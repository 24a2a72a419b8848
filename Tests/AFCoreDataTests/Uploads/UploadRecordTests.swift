import AFHTTP
import FoundationEssentials
import TestSupport
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

    @Test(arguments: [
        ([10, 10], 20, true), ([20], 20, false), ([0, 20], 20, false), ([-1, 21], 20, false), ([30, -10], 20, false),
        ([.max, .max], 20, false), ([.max, .max], .max, false), ([10, 9], 20, false),
        (Array(repeating: 1, count: 33), 33, false),
    ])
    func `partial uploads have all bytes`(lengths: [Int64], size: Int64, isPossible: Bool) {
        let partials = lengths.map { ConcatenationState.Partial(length: $0, acknowledged: 0, resource: nil) }
        #expect(ConcatenationState(partials).isPossible(size) == isPossible)
        let damaged = lengths.map {
            ConcatenationState.Partial(length: $0, acknowledged: 0, resource: "http://[/")
        }
        #expect(!ConcatenationState(damaged).isPossible(size))
    }

    @Test(arguments: [0, 217, 218, 219, 220, 221, 255])
    func `a record is written for each length of the name`(length: Int) throws {
        let folder = try ScratchFolder()
        let name = String(repeating: "x", count: length)
        let file = UploadRecordFile(
            // An empty name is the directory itself, whose record is beside it.
            forUploadOf: "\(try folder.folder("directory"))/\(name)", to: try HTTPURL(parsing: "https://example.org/f"),
            method: "PUT",
            stateDirectory: folder.file("state"))
        let record = try record(size: 20, acknowledged: 10)
        #expect(file.write(record))
        #expect(file.read() == record)
    }

    @Test func `the record of a file is the same for each spelling of its path`() throws {
        let folder = try ScratchFolder()
        let name = String(repeating: "x", count: 230)
        try folder.link("link", to: "directory")
        for name in ["f", name] {
            try folder.write([1], to: "directory/\(name)")
            let paths = try ["directory", "link", "./directory", "directory/../directory/."].map { directory in
                UploadRecordFile(
                    forUploadOf: folder.file("\(directory)/\(name)"), to: try HTTPURL(parsing: "https://example.org/f"),
                    method: "PUT", stateDirectory: folder.file("state")
                ).path
            }
            #expect(Set(paths).count == 1, "\(paths)")
            #expect(paths[0].contains("/state/") == (name.utf8.count > 200))
        }
    }

    @Test func `without a place for it, no record is written`() throws {
        let folder = try ScratchFolder()
        let file = UploadRecordFile(
            forUploadOf: folder.file("none/f"), to: try HTTPURL(parsing: "https://example.org/f"), method: "PUT",
            stateDirectory: "/proc/state")
        #expect(try !file.write(record(size: 20, acknowledged: 10)))
    }

    @Test func `all bytes or none may be acknowledged`() throws {
        #expect(try record(size: 20, acknowledged: 20).file.size == 20)
        #expect(try record(size: 0, acknowledged: 0).acknowledged == 0)
    }
}
