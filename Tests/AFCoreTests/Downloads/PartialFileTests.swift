import TestSupport
import Testing

@testable import AFCore

/// A process that is killed while it writes a record leaves half of the next one beside the last.
struct PartialFileTests {
    let folder: ScratchFolder
    let path: String
    let record: DownloadRecord

    init() throws {
        folder = try ScratchFolder()
        path = folder.file("f.part")
        record = DownloadRecord(url: "http://127.0.0.1/f", partialPath: path)
        let file = try PartialFile(creating: path)
        try file.keep(record)
        let draft = try #require(file.draftPath.split(separator: "/").last)
        try folder.write("{\"half", to: String(draft))
        #expect(folder.list().count == 3)
    }

    @Test func `who goes on with the file writes the record anew`() throws {
        let file = try PartialFile(continuing: record)
        try file.keep(record)
        #expect(folder.list() == ["f.part", "f.part.json"])
        #expect(try DownloadRecord.kept(at: path + ".json") == record)
    }

    @Test func `who begins anew takes the half along`() throws {
        _ = try PartialFile(creating: path)
        #expect(folder.list().filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test func `a whole file leaves nothing beside it`() throws {
        let file = try PartialFile(continuing: record)
        try file.move(to: folder.file("f"), replaces: false, remembering: nil)
        #expect(folder.list() == ["f"])
    }

    @Test func `nor does one that is given up`() throws {
        try PartialFile(continuing: record).discard()
        #expect(folder.list().isEmpty)
    }
}
