import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import TestSupport
import Testing

@testable import AFDownloads

@Suite(.timeLimit(.minutes(5))) struct ChecksumDownloadTests {
    let folder: ScratchFolder
    static let whole = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 9) })
    static let checksum = Checksum(.sha256, bytes: SHA256Digest(of: whole).bytes)

    init() throws { folder = try ScratchFolder() }

    private var destination: DownloadRequest.Destination {
        let file = URL(filePath: folder.file("f"))
        return { _, _ in (file, [.removePreviousFile]) }
    }

    private func download(
        _ response: LocalServer.Response,
        _ checksums: Checksum?...
    ) async throws -> AFDownloadResponse<URL> {
        try await withServer { _ in
            response
        } _: { server in
            let request = AF.download(server.url(), to: destination)
            for checksum in checksums.compactMap(\.self) { request.validate(checksums: checksum) }
            return await request.serializingDownloadedFileURL().response
        }
    }

    private func reason(_ response: AFDownloadResponse<URL>) -> DownloadFailure.Reason? {
        (response.error?.underlyingError as? DownloadFailure)?.reason
    }

    @Test func `a file with a matching checksum gets its name`() async throws {
        let response = try await download(.bytes(Self.whole), Self.checksum)
        #expect(response.error == nil)
        #expect(try folder.bytes(of: "f") == Self.whole)
        #expect(folder.list() == ["f"])
    }

    @Test func `a file with another checksum leaves the existing file`() async throws {
        try folder.write("old", to: "f")
        let wrong = try #require(Checksum(.sha256, bytes: [UInt8](repeating: 1, count: 32)))
        let right = try #require(Self.checksum)
        let response = try await download(.bytes(Self.whole).header("ETag", "\"1\""), right, wrong)
        #expect(reason(response) == .wrongChecksum(expected: wrong, found: right, source: .caller))
        #expect(try folder.text(of: "f") == "old")
        #expect(folder.list() == ["f"])
    }

    @Test(arguments: ["Repr-Digest", "Content-Digest", "Digest"])
    func `the digest announced by the server is verified`(name: String) async throws {
        let right = try #require(Self.checksum)
        func value(_ bytes: [UInt8]) -> String {
            let text = Data(bytes).base64EncodedString()
            return name == "Digest" ? "crc32c=AAAAAA==,SHA-256=\(text)" : "x=:AA==:, sha-256=:\(text):;a=1"
        }
        #expect(try await download(.bytes(Self.whole).header(name, value(right.bytes))).error == nil)
        let other = try #require(Checksum(.sha256, bytes: [UInt8](repeating: 7, count: 32)))
        let response = try await download(.bytes(Self.whole).header(name, value(other.bytes)))
        #expect(reason(response) == .wrongChecksum(expected: other, found: right, source: .server))
        // Also in a trailer, and without padding (RFC 8941 §4.2.7).
        let trailing = LocalServer.Response.bytes(Self.whole).chunked()
        #expect(try await download(trailing.trailer(name, value(right.bytes))).error == nil)
        for text in [value(other.bytes), value(other.bytes).replacing("=:;", with: ":;")] {
            let response = try await download(trailing.trailer(name, text))
            #expect(reason(response) == .wrongChecksum(expected: other, found: right, source: .server))
        }
    }

    @Test func `the digest in Content-MD5 is verified`() async throws {
        // Of "abc": RFC 1321 §A.5.
        let text = Data([0x90, 1, 0x50, 0x98, 0x3C, 0xD2, 0x4F, 0xB0, 0xD6, 0x96, 0x3F, 0x7D, 0x28, 0xE1, 0x7F, 0x72])
            .base64EncodedString()
        #expect(try await download(.ok("abc").header("Content-MD5", text)).error == nil)
        #expect(try await download(.ok("abd").header("Content-MD5", text)).error != nil)
    }

    @Test func `a file is renamed only if its checksum matches, for any status`() async throws {
        let abc = try #require(Checksum(.sha256, bytes: SHA256Digest(of: Array("abc".utf8)).bytes))
        for status in [200, 201, 202, 203, 404] {
            let response = try await download(.status(status, "abd"), abc)
            let isRefused = if case .wrongChecksum(abc, _, .caller)? = reason(response) { true } else { false }
            #expect(isRefused)
            #expect(folder.list().isEmpty)
            // The server's digest applies only to the requested file.
            let other = LocalServer.Response.status(status, "abc").header("Digest", "MD5=AAAA")
            #expect(try await download(other, abc).error == nil || status == 200)
            try? FileManager.default.removeItem(atPath: folder.file("f"))
        }
    }

    @Test func `an error page with another destination is not verified`() async throws {
        let file = URL(filePath: folder.file("page"))
        try await withServer { _ in
            .status(404, "no").header("Digest", "MD5=AAAA")
        } _: { server in
            let request = AF.download(server.url(), to: { _, _ in (file, [.skipChecksums]) })
            request.validate(checksums: try #require(Self.checksum))
            #expect(await request.serializingDownloadedFileURL().response.error == nil)
            #expect(try folder.text(of: "page") == "no")
        }
    }

    @Test func `a file without a checksum is not downloaded`() async throws {
        try await withServer { _ in
            .bytes(Self.whole)
        } _: { server in
            let request = AF.download(server.url(), to: destination).validate { _ in [] as [Checksum] }
            let response = await request.serializingDownloadedFileURL().response
            #expect(reason(response) == .unknownChecksum)
            #expect(folder.list() == [])
        }
    }

    @Test(arguments: [false, true])
    func `bytes of earlier attempts are read again for the checksum`(isDamaged: Bool) async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [100_000] }
        let first = AF.download(server.url, to: destination)
        let half = await first.serializingDownloadedFileURL().response
        let data = try #require(half.resumeData)
        if isDamaged {
            var bytes = try folder.bytes(of: "f.part")
            bytes[5000] ^= 1
            try folder.write(bytes, to: "f.part", permissions: 0o600)
        }
        let request = AF.download(resumingWith: data, to: destination)
        let response = await request.validate(checksums: try #require(Self.checksum))
            .serializingDownloadedFileURL().response
        // A file with other bytes than recorded is not resumed.
        #expect(server.requests.dropFirst().map { $0["Range"] != nil } == [!isDamaged])
        #expect(response.error == nil)
        #expect(folder.list() == ["f"])
        #expect(try folder.bytes(of: "f") == Self.whole)
    }
}
