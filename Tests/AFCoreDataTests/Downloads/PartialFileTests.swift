import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFDownloads

/// The files beside a destination and their owners. A process killed while it writes a record leaves a part of
/// the next one beside the last.
struct PartialFileTests {
    let folder: ScratchFolder
    let path: String
    let record: DownloadRecord

    init() throws {
        folder = try ScratchFolder()
        path = folder.file("f.part")
        record = DownloadRecord(url: "http://127.0.0.1/f", partialPath: path)
        let file = try PartialFile(creating: path)
        try file.store(record)
        let draft = try #require(file.newDraftPath().split(separator: "/").last)
        try folder.write("{\"half", to: String(draft))
        #expect(folder.list().count == 3)
    }

    @Test func `a resumed download keeps the partial file and its record`() throws {
        let file = try PartialFile(continuing: record)
        #expect(folder.list() == ["f.part", "f.part.json"])
        try file.store(record)
        #expect(folder.list() == ["f.part", "f.part.json"])
        #expect(try DownloadRecord.stored(at: path + ".json") == .record(record))
    }

    @Test func `a restart leaves no temporary files`() throws {
        _ = try PartialFile(creating: path)
        #expect(folder.list().filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test func `a complete file leaves nothing beside it`() throws {
        let file = try PartialFile(continuing: record)
        try file.move(to: folder.file("f"), replaces: false, remembering: nil)
        #expect(folder.list() == ["f"])
    }

    @Test func `a foreign file at the partial file's path is neither moved nor removed`() throws {
        let file = try PartialFile(continuing: record)
        try FileManager.default.removeItem(atPath: path)
        try folder.write("another's", to: "f.part")
        #expect(throws: DownloadFailure(.changedFile, path: path)) {
            try file.move(to: folder.file("f"), replaces: true, remembering: nil)
        }
        file.discard()
        #expect(try folder.text(of: "f.part") == "another's")
        #expect(!folder.has("f"))
    }

    @Test func `a file that was not renamed stays private`() throws {
        try folder.write("old", to: "f")
        let file = try PartialFile(continuing: record)
        let destination = folder.file("f")
        #expect(throws: DownloadFailure(.destinationExists, path: destination)) {
            try file.move(to: destination, replaces: false, remembering: nil)
        }
        #expect(try folder.permissions(of: "f.part") == 0o600)
        #expect(try folder.text(of: "f") == "old")
    }

    @Test(arguments: ["", String(repeating: "\0", count: 300)])
    func `an empty record or one of zeros is no record, and no foreign file`(record: String) throws {
        try folder.write("bytes", to: "f.part", permissions: 0o600)
        try folder.write(record, to: "f.part.json", permissions: 0o600)
        #expect(DownloadRecord.partial(at: URL(filePath: folder.file("f"))) == nil)
        _ = try PartialFile(creating: path)
        #expect(try folder.size(of: "f.part") == 0)
    }

    @Test func `a record discards its own file, and leaves another one as it is`() throws {
        var record = record
        let file = try PartialFile(opening: record)
        try Array("start".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        var digest = RangesDigest()
        record.completedBytes = 5
        #expect(record.identify(file.descriptor, &digest))
        try file.store(record)
        record.discard()
        // Another download has locked it.
        #expect(folder.has("f.part"))
        file.unlock()
        try folder.write("other bytes", to: "f.part")
        record.discard()
        #expect(try folder.text(of: "f.part") == "other bytes")
        try folder.write("start and more", to: "f.part")
        record.discard()
        #expect(folder.list().isEmpty)
    }

    @Test func `a record without a fingerprint discards nothing`() throws {
        try folder.write("bytes", to: "f.part")
        record.discard()
        #expect(try folder.text(of: "f.part") == "bytes")
    }

    @Test func `a discarded file leaves nothing behind`() throws {
        try PartialFile(continuing: record).discard()
        #expect(folder.list().isEmpty)
    }
}
