import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AFDownloads

/// Partial files of other programs, and the dates of files.
@Suite(.timeLimit(.minutes(5))) struct AdoptionTests {
    let folder: ScratchFolder
    static let whole = FileServer.pattern(300_000)

    init() throws { folder = try ScratchFolder() }

    private var place: URL { URL(filePath: folder.file("f")) }

    private func resume(
        _ server: FileServer,
        _ proof: DownloadRecord.Proof,
        _ checksum: Checksum? = Checksum(.sha256, bytes: SHA256Digest(of: whole).bytes)
    ) async throws -> AFDownloadResponse<URL> {
        let record = try DownloadRecord(adopting: place, as: server.url, proof: proof)
        let place = place
        let request = AF.download(
            server.request, resumingWith: record.json, to: { _, _ in (place, [.removePreviousFile]) })
        if let checksum, proof == .checksum { request.validate(checksums: checksum) }
        return await request.serializingDownloadedFileURL().response
    }

    @Test(arguments: [DownloadRecord.Proof.checksum, .overlap])
    func `a partial file of another program is resumed`(proof: DownloadRecord.Proof) async throws {
        try folder.write(Array(Self.whole.prefix(200_000)), to: "f")
        let server = try FileServer(Self.whole)
        let response = try await resume(server, proof)
        #expect(response.error == nil)
        #expect(server.requests.map { $0["Range"] } == ["bytes=134464-"])
        #expect(server.requests.first?["If-Range"] == nil)
        #expect(try folder.bytes(of: "f") == Self.whole)
        #expect(folder.list() == ["f"])
    }

    @Test func `a small partial file is compared from its first byte`() async throws {
        try folder.write(Array(Self.whole.prefix(10)), to: "f")
        let server = try FileServer(Self.whole)
        #expect(try await resume(server, .overlap).error == nil)
        #expect(server.requests.map { $0["Range"] } == ["bytes=0-"])
        #expect(try folder.bytes(of: "f") == Self.whole)
    }

    @Test func `a different end is downloaded again`() async throws {
        var half = Array(Self.whole.prefix(200_000))
        half[199_000] ^= 1
        try folder.write(half, to: "f")
        let server = try FileServer(Self.whole)
        #expect(try await resume(server, .overlap).error == nil)
        #expect(server.requests.map { $0["Range"] } == ["bytes=134464-", nil])
        #expect(try folder.bytes(of: "f") == Self.whole)
        #expect(folder.list() == ["f"])
    }

    @Test func `a start with a wrong checksum is downloaded again`() async throws {
        var half = Array(Self.whole.prefix(200_000))
        half[5] ^= 1
        try folder.write(half, to: "f")
        let server = try FileServer(Self.whole)
        #expect(try await resume(server, .checksum).error == nil)
        #expect(server.requests.map { $0["Range"] } == ["bytes=134464-", nil])
        #expect(try folder.bytes(of: "f") == Self.whole)
    }

    @Test(arguments: [1, 65_535, 65_536])
    func `a file longer than the complete one is not its prefix`(excess: Int) async throws {
        try folder.write(Self.whole + [UInt8](repeating: 1, count: excess), to: "f")
        let server = try FileServer(Self.whole)
        #expect(try await resume(server, .overlap).error == nil)
        #expect(server.requests.last?["Range"] == nil)
        #expect(try folder.bytes(of: "f") == Self.whole)
    }

    @Test func `bytes with a wrong checksum leave the file unchanged`() async throws {
        let half = Array(Self.whole.prefix(200_000))
        try folder.write(half, to: "f")
        let response = try await resume(try FileServer(FileServer.pattern(300_000, seed: 1)), .checksum)
        let failure = try #require(response.error?.underlyingError as? DownloadFailure)
        guard case .wrongChecksum = failure.reason else {
            Issue.record("\(failure)")
            return
        }
        #expect(try folder.bytes(of: "f") == half)
        #expect(folder.list() == ["f"])
    }

    @Test func `without a checksum an unverifiable file is not resumed`() async throws {
        try folder.write(Array(Self.whole.prefix(200_000)), to: "f")
        let server = try FileServer(Self.whole)
        #expect(try await resume(server, .checksum, nil).error == nil)
        #expect(server.requests.map { $0["Range"] } == [nil])
        #expect(try folder.bytes(of: "f") == Self.whole)
    }

    @Test func `a special file is not adopted`() throws {
        #expect(mkfifo(folder.file("f"), 0o600) == 0)
        #expect(throws: DownloadFailure.self) { try DownloadRecord(adopting: place, as: "http://h/", proof: .overlap) }
        #expect(folder.list() == ["f"])
    }

    @Test func `a file gets the server's date with the option`() async throws {
        let server = try FileServer(Self.whole) { $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT" }
        let place = place
        let request = AF.download(
            server.request, to: { _, _ in (place, [.remoteModificationDate, .rememberOrigin]) })
        _ = try await request.serializingDownloadedFileURL().value
        var status = stat()
        #expect(lstat(place.path, &status) == 0)
        #expect(status.st_mtim.tv_sec == 784_111_777)
        // The date is set before the file remembers its state.
        #expect(DownloadRecord.complete(at: place)?.entityTag == "\"v1\"")
    }
}
