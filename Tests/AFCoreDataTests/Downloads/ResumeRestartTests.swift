import AFCore
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFDownloads

/// Downloads that cannot be resumed.
@Suite(.timeLimit(.minutes(5))) struct ResumeRestartTests: ResumingSuite {
    let session = Session()
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `another version restarts the download`() async throws {
        let server = try FileServer(FileServer.pattern(200_000, seed: 5)) { $0.breaks = [70_000] }
        let data = try await half(server)
        server.change {
            $0.body = Self.whole
            $0.entityTag = "\"v2\""
        }
        let request = await resume(server, data)
        #expect(request.response?.statusCode == 200)
        #expect(request.downloadProgress.resumedUnitCount == 0)
        try expectWhole()
    }

    @Test func `a server without ranges restarts the download`() async throws {
        let server = try FileServer(Self.whole) {
            $0.breaks = [70_000]
            $0.hasRanges = false
        }
        let data = try await half(server)
        _ = await resume(server, data)
        #expect(server.requests.count == 2)
        try expectWhole()
    }

    @Test(arguments: ["bytes 0-199999/200000", "bytes 4463-199999/200000", "bytes 4464-199998/199999", "lines 1-2/3"])
    func `an unrequested part is rejected, and the complete file is downloaded once`(contentRange: String) async throws
    {
        let server = try FileServer(Self.whole) {
            $0.breaks = [70_000]
            $0.contentRange = contentRange
        }
        let data = try await half(server)
        let request = await resume(server, data)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=4464-", nil])
        #expect(request.error == nil)
        try expectWhole()
    }

    @Test func `a part of another version is rejected, and the complete file is downloaded once`() async throws {
        let server = try FileServer(FileServer.pattern(200_000, seed: 5)) { $0.breaks = [70_000] }
        let data = try await half(server)
        server.change {
            $0.body = Self.whole
            $0.entityTag = "\"v2\""
            $0.ignoresIfRange = true
        }
        _ = await resume(server, data)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=4464-", nil])
        try expectWhole()
    }

    @Test func `a part with a content coding is rejected`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        server.change { $0.encoding = "x-unknown" }
        let request = await resume(server, data)
        #expect(server.requests.count == 3)
        #expect(request.downloadProgress.resumedUnitCount == 0)
    }

    @Test func `a range beyond the end restarts the download`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        server.change {
            $0.body = Array(Self.whole[..<1000])
            $0.ignoresIfRange = true
        }
        _ = await resume(server, data)
        #expect(try folder.size(of: "file.bin") == 1000)
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `a complete file without its name is verified by its end`() async throws {
        let server = try FileServer(Self.whole)
        try folder.write(Self.whole, to: "file.bin.part")
        var record = DownloadRecord(url: server.url, partialPath: folder.file("file.bin.part"))
        record.entityTag = "\"v1\""
        record.length = 200_000
        record.completedBytes = 200_000
        let file = open(record.partialPath, O_RDONLY)
        var digest = RangesDigest()
        #expect(record.identify(file, &digest))
        close(file)
        let request = await resume(server, record.json)
        #expect(server.requests.last?["Range"] == "bytes=134464-")
        #expect(request.error == nil)
        try expectWhole()
    }

    @Test(arguments: [true, false]) func `a missing or empty partial file restarts the download`(isGone: Bool)
        async throws
    {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        if isGone { unlink(folder.file("file.bin.part")) } else { truncate(folder.file("file.bin.part"), 0) }
        _ = await resume(server, data)
        #expect(server.requests.last?["Range"] == nil)
        try expectWhole()
    }

    @Test func `a partial file that is too short is unchanged`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        truncate(folder.file("file.bin.part"), 100)
        let request = await resume(server, data)
        #expect((request.error?.underlyingError as? DownloadFailure)?.reason == .unknownFile)
        #expect(try folder.size(of: "file.bin.part") == 100)
        #expect(!folder.has("file.bin"))
    }

    @Test func `bytes after the recorded ones are ignored`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        let torn = Array(Self.whole[..<70_000]) + [UInt8](repeating: 0xFF, count: 5000)
        try folder.write(torn, to: "file.bin.part")
        _ = await resume(server, data)
        try expectWhole()
    }
}
