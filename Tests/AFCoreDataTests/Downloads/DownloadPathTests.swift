import AFCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Paths that a download cannot use, and those that another program or download uses.
@Suite(.timeLimit(.minutes(5))) struct DownloadPathTests {
    let session = Session()
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func destination(_ name: String = "file.bin") -> DownloadRequest.Destination {
        let url = URL(filePath: folder.file(name))
        return { _, _ in (url, []) }
    }

    // Disk errors

    @Test(.enabled(if: geteuid() != 0))
    func `a directory without write permission is an error`() async throws {
        let server = try FileServer()
        try folder.setPermissions(0o500, of: "")
        let response = await session.download(server.url, to: destination()).serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? DownloadFailure)?.reason == .system(EACCES))
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a full disk ends the download, keeps its bytes, and has a hint for resuming`() async throws {
        let disk = try FullDisk(capacity: 256 << 10)
        let server = try FileServer(FileServer.pattern(1 << 20))
        let place = URL(filePath: disk.file("big"))
        let request = session.download(server.url, to: { _, _ in (place, []) })
        let error = try #require(await request.serializingDownloadedFileURL().response.error)
        #expect((error.underlyingError as? DownloadFailure)?.reason == .system(ENOSPC))
        #expect(disk.list() == ["big.part", "big.part.json"])
        let record = try DownloadRecord(json: Data(contentsOf: URL(filePath: disk.file("big.part.json"))))
        #expect(record.completedBytes > 128 << 10)
        #expect(record.completedBytes <= 256 << 10)
        #expect(error.downloadResumeData != nil)
        let kept = try Data(contentsOf: URL(filePath: record.partialPath)).prefix(Int(record.completedBytes))
        #expect(Array(kept) == FileServer.pattern(kept.count))
    }

    // The partial file's name

    @Test func `a link at the partial file's path is rejected and not followed`() async throws {
        let server = try FileServer()
        let victim = try folder.write("precious", to: "victim")
        for target in [victim, folder.file("nowhere")] {
            try folder.link("file.bin.part", to: target)
            let response = await session.download(server.url, to: destination()).serializingDownloadedFileURL().response
            #expect((response.error?.underlyingError as? DownloadFailure)?.reason == .unsafeFile)
            unlink(folder.file("file.bin.part"))
        }
        #expect(try folder.text(of: "victim") == "precious")
        #expect(folder.list() == ["victim"])
    }

    @Test func `a partial file with a second hard link is rejected`() async throws {
        let server = try FileServer()
        let victim = try folder.write("precious", to: "victim")
        link(victim, folder.file("file.bin.part"))
        let response = await session.download(server.url, to: destination()).serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? DownloadFailure)?.reason == .unsafeFile)
        #expect(try folder.text(of: "victim") == "precious")
    }

    @Test func `files of other programs are never removed`() async throws {
        let server = try FileServer()
        for (name, text) in [("file.bin.part", "another program's"), ("file.bin.part.json", "{}")] {
            try folder.write(text, to: name)
            let failure = try #require(await failure(of: server))
            #expect(failure.reason == .unknownFile)
            #expect(failure.path == folder.file(name))
            #expect(try folder.text(of: name) == text)
            unlink(folder.file(name))
        }
    }

    @Test(arguments: ["file.bin.part", "file.bin.part.json"])
    func `a special file is reported with its path, and remains`(name: String) async throws {
        let server = try FileServer()
        try folder.folder(name)
        #expect(try await #require(failure(of: server)) == DownloadFailure(.unsafeFile, path: folder.file(name)))
        rmdir(folder.file(name))
        // Opening one would wait for a writer.
        mkfifo(folder.file(name), 0o600)
        #expect(try await #require(failure(of: server)) == DownloadFailure(.unsafeFile, path: folder.file(name)))
        #expect(folder.list() == [name])
        #expect(DownloadRecord.partial(at: URL(filePath: folder.file("file.bin"))) == nil)
    }

    /// Why a download to `file.bin` could not be put there.
    private func failure(of server: FileServer) async -> DownloadFailure? {
        let response = await session.download(server.url, to: destination()).serializingDownloadedFileURL().response
        return response.error?.underlyingError as? DownloadFailure
    }

    @Test func `two downloads to one destination exclude each other`() async throws {
        let halfway = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"1\"\r\n\r\nhalf")
            try connection.wait(for: halfway)
            try connection.send("half")
        }
        let first = session.download(server.url(), to: destination()).serializingDownloadedFileURL()
        try await eventually("half of it came") { (try? folder.size(of: "file.bin.part")) == 4 }
        let second = await session.download(server.url(), to: destination()).serializingDownloadedFileURL().response
        #expect((second.error?.underlyingError as? DownloadFailure)?.reason == .busy)
        halfway.open()
        _ = try await first.value
        #expect(try folder.text(of: "file.bin") == "halfhalf")
        #expect(folder.list() == ["file.bin"])
    }

    @Test(arguments: [("n", 255), ("n", 240), ("n", 200), ("ä", 127), ("a\u{301}", 85)])
    func `long names work`(character: Character, count: Int) async throws {
        let server = try FileServer { $0.breaks = [1000] }
        let name = String(repeating: character, count: count)
        let session = Session(interceptor: CountingRetrier(limit: 1))
        _ = try await session.download(server.url, to: destination(name)).serializingDownloadedFileURL().value
        #expect(folder.list() == [name])
        #expect(try folder.bytes(of: name) == FileServer.pattern(200_000))
    }

    @Test func `a name that the file system rejects ends the transfer after its header`() async throws {
        let rest = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.wait(for: rest)
        }
        let name = String(repeating: "n", count: 256)
        let response = await session.download(server.url(), to: destination(name)).serializingData().response
        rest.open()
        let failure = try #require(response.error?.underlyingError as? DownloadFailure)
        #expect(failure == DownloadFailure(.system(ENAMETOOLONG), path: folder.file(name)))
        #expect(folder.list().isEmpty)
    }
}
