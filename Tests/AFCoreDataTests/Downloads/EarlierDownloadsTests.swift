import AFCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AFDownloads

/// The downloads of earlier runs in a directory, by URL.
@Suite(.timeLimit(.minutes(5))) struct EarlierDownloadsTests {
    let folder: ScratchFolder
    let directory: URL

    init() throws {
        folder = try ScratchFolder()
        directory = URL(filePath: folder.path)
    }

    private func writeComplete(_ name: String, of url: String) throws {
        let file = try PartialFile(creating: folder.file("\(name).part"))
        var record = DownloadRecord(url: url, partialPath: file.path)
        record.entityTag = "\"1\""
        try file.move(to: folder.file(name), replaces: false, remembering: record)
    }

    private func writePartial(_ name: String, of url: String) throws {
        let file = try PartialFile(creating: folder.file("\(name).part"))
        try file.store(DownloadRecord(url: url, partialPath: file.path))
    }

    @Test func `a directory that is read once has the same downloads`() throws {
        let (one, two, secret) = ("http://h/1", "http://h/2", "http://h/3?token=secret")
        try writeComplete("b", of: one)
        try writeComplete("a", of: one)
        try writePartial("z", of: one)
        try writePartial("y", of: two)
        try writeComplete("c", of: secret)
        try folder.write("", to: "other")
        let earlier = EarlierDownloads(in: directory)
        func names(_ destinations: some Sequence<URL>) -> [String] { destinations.map(\.lastPathComponent) }
        #expect(names(earlier.destinations(of: one)) == ["z", "a", "b"])
        for url in [one, two, secret, "http://h/4"] {
            let expected = names(DownloadRecord.destinations(of: url, in: directory))
            #expect(names(earlier.destinations(of: url)) == expected)
        }
    }

    @Test func `a file that another download has replaced is none of the URL's`() throws {
        try writeComplete("a", of: "http://h/1")
        let earlier = EarlierDownloads(in: directory)
        unlink(folder.file("a"))
        try writeComplete("a", of: "http://h/2")
        #expect(Array(earlier.destinations(of: "http://h/1")) == [])
        #expect(Array(earlier.destinations(of: "http://h/2")) == [])
    }

    @Test(arguments: [
        "a", "a/b", "./a", "../a", "a/../b", "~a", "a//b", "a/.b", "a/", "/a", "/a/b", "/a/../b", "/a/", "//a", "é",
        "/é", "a%20b", "a b", ".", "",
    ])
    func `a path becomes that of its URL`(path: String) {
        #expect(path.absolutePath == URL(literalPath: path).path)
    }
}
