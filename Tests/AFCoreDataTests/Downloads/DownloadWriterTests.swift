import AFCore
import AFHTTP
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFDownloads

/// Received bytes that wait for the rest of their block: they are not recorded as written, and none is lost.
struct DownloadWriterTests {
    let folder: ScratchFolder
    static let body = RangeServer.pattern(200_000)

    init() throws { folder = try ScratchFolder() }

    /// A writer that has received the start of a file, in one full chunk.
    private func makeWriter(_ count: Int = 20_000, checksums: [Checksum] = []) throws -> DownloadWriter {
        let url = "http://127.0.0.1/f"
        let response = HTTPURLResponse(
            url: try url.asURL(),
            statusCode: 200,
            headers: ["ETag": "\"v1\"", "Content-Length": "20000", "Accept-Ranges": "bytes"]
        )
        let writer = try DownloadWriter(
            response,
            to: url,
            kind: .resumable(nil),
            destination: folder.file("f"),
            checksums: checksums,
            options: [],
            queue: DispatchQueue(label: "test")
        )
        let progress = DownloadWriter.Progress(received: Int64(count), length: 20_000)
        #expect(try Self.body[..<count].withUnsafeBytes { try writer.receive($0) } == progress)
        return writer
    }

    private func bytes(of name: String) throws -> [UInt8] { try folder.bytes(of: name) }

    @Test func `waiting bytes count as received, but are not recorded`() throws {
        let writer = try makeWriter()
        #expect(try bytes(of: "f.part").isEmpty)
        writer.mutableState.withLock { state in
            #expect(state.receivedBytes == 20_000)
            #expect(state.prefix == 0)
            #expect(state.upToDate.completedBytes == 0)
        }
    }

    @Test func `waiting bytes are visible to readers of the file`() throws {
        let writer = try makeWriter()
        try writer.flush()
        #expect(try bytes(of: "f.part") == Array(Self.body[..<20_000]))
        #expect(writer.mutableState.withLock { $0.prefix } == 20_000)
    }

    @Test func `waiting bytes are stored on an interruption`() throws {
        let record = try #require(try makeWriter(18_000).interrupt(isComplete: false))
        #expect(record.completedBytes == 18_000)
        #expect(try bytes(of: "f.part") == Array(Self.body[..<18_000]))
        #expect(try DownloadRecord.stored(at: folder.file("f.part.json")) == .record(record))
    }

    @Test func `a complete file and its digest include waiting bytes`() throws {
        let digest = try #require(Checksum(.sha256, bytes: SHA256Digest(of: Array(Self.body[..<20_000])).bytes))
        let writer = try makeWriter(checksums: [digest])
        try writer.check()
        try writer.move(to: writer.destination)
        #expect(folder.list() == ["f"])
        #expect(try bytes(of: "f") == Array(Self.body[..<20_000]))
    }
}
