import AFTransport
import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand

/// `afcli put URL @FILE --resume --checksum CHECKSUM`.
@Suite(.timeLimit(.minutes(5))) struct UploadChecksumTests {
    let folder: ScratchFolder
    let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 251 ^ $0) }
    private var digest: SHA256Digest { SHA256Digest(of: content) }
    private var checksum: String { "sha256:\(digest.hexadecimal)" }

    init() throws { folder = try ScratchFolder() }

    private static let verifying = ["Tus-Extension: creation, checksum", "Tus-Checksum-Algorithm: md5,sha256"]

    private func put(
        to url: String, _ uploadProtocol: String, _ checksum: String? = nil, _ options: [String] = []
    ) async throws -> ToolRun {
        let file = try folder.list().contains("big.iso") ? folder.file("big.iso") : folder.write(content, to: "big.iso")
        let words = ["put", url, "@\(file)", "--resume", "--upload-protocol", uploadProtocol]
        return await runTool(words + ["--checksum", checksum ?? self.checksum] + options)
    }

    @Test func `a chunk that arrived with other bytes is sent to a tus server again`() async throws {
        let server = UploadServer(.tus) { ($0.capabilities, $0.alterations) = (Self.verifying, 2) }
        try await withScriptedServer(server.serve) { address in
            let run = try await put(to: address.url("/f"), "tus")
            #expect(run.status == 0 && !run.errors.contains("checksum"), "\(run.errors)")
            #expect(server.bytes == content && server.isComplete)
            let chunks = address.requests.filter { $0.method == "PATCH" }
            let value = "sha256 \(Data(digest.bytes).base64EncodedString())"
            #expect(chunks.count == 3 && chunks.allSatisfy { $0["Upload-Checksum"] == value })
        }
    }

    @Test func `a tus server that always receives other bytes is an error`() async throws {
        let server = UploadServer(.tus) { ($0.capabilities, $0.alterations) = (Self.verifying, 100) }
        try await withScriptedServer(server.serve) { address in
            let run = try await put(to: address.url("/f"), "tus")
            #expect(run.status == 13 && run.errors.contains("repeatedly received other bytes"), "\(run.errors)")
            #expect(!server.isComplete)
        }
    }

    @Test func `the rest of an interrupted upload has a checksum, too`() async throws {
        let server = UploadServer(.tus) { ($0.capabilities, $0.cuts) = (Self.verifying, [250_000]) }
        try await withScriptedServer(server.serve) { address in
            #expect(try await put(to: address.url("/f"), "tus").status == 13)
            let received = server.bytes?.count ?? 0
            let run = try await put(to: address.url("/f"), "tus")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.bytes == content)
            #expect(address.requests.suffix(3).map(\.method) == ["OPTIONS", "HEAD", "PATCH"])
            let rest = SHA256Digest(of: Array(content[received...]))
            let value = "sha256 \(Data(rest.bytes).base64EncodedString())"
            #expect(address.requests.last?["Upload-Checksum"] == value)
        }
    }

    @Test(arguments: [
        ["Tus-Extension: creation"], ["Tus-Extension: checksum", "Tus-Checksum-Algorithm: crc32"],
        ["Tus-Checksum-Algorithm: sha256"],
    ])
    func `a tus server that cannot verify is reported`(capabilities: [String]) async throws {
        let server = UploadServer(.tus) { $0.capabilities = capabilities }
        try await withScriptedServer(server.serve) { address in
            let run = try await put(to: address.url("/f"), "tus")
            #expect(run.status == 0 && run.errors.contains("the server cannot verify it"), "\(run.errors)")
            #expect(server.bytes == content)
            #expect(address.requests.allSatisfy { $0["Upload-Checksum"] == nil })
        }
    }

    @Test func `digest fields are sent with the IETF draft`() async throws {
        let server = UploadServer(.draft) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            #expect(try await put(to: address.url("/f"), "draft").status == 13)
            let received = server.bytes?.count ?? 0
            let run = try await put(to: address.url("/f"), "auto")
            #expect(run.status == 0 && run.errors.contains("does not report whether it verified it"), "\(run.errors)")
            #expect(server.bytes == content)
            let rest = SHA256Digest(of: Array(content[received...]))
            let fields = address.requests.map { $0["Repr-Digest"] ?? $0["Content-Digest"] }
            #expect(
                fields == [
                    "sha-256=:\(Data(digest.bytes).base64EncodedString()):", nil,
                    "sha-256=:\(Data(rest.bytes).base64EncodedString()):",
                ])
        }
    }

    @Test func `an algorithm that no digest field has is compared, and SHA-256 is sent`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = try await put(to: server.url("/f"), "auto", "md5:\(String(repeating: "0", count: 32))")
            #expect(run.status != 0 && server.requests.isEmpty)
            _ = try folder.write(Array("abc".utf8), to: "big.iso")
            let second = try await put(to: server.url("/f"), "auto", "md5:900150983cd24fb0d6963f7d28e17f72")
            #expect(second.status == 0, "\(second.errors)")
            #expect(
                server.requests.map { $0["Repr-Digest"] }
                    == ["sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"])
        }
    }

    @Test(arguments: ["draft", "tus", "s3", "auto"])
    func `a file with another checksum is not sent`(uploadProtocol: String) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = try await put(to: server.url("/f"), uploadProtocol, "sha1:\(String(repeating: "0", count: 40))")
            #expect(run.errors.contains("but it must be 0000000000"), "\(run.errors)")
            #expect(run.status == 15, "\(run.errors)")
            #expect(server.requests.isEmpty && folder.list() == ["big.iso"])
        }
    }

    @Test func `S3 verifies its parts always`() async throws {
        let server = StorageServer()
        try await withScriptedServer(server.serve) { address in
            let run = try await put(to: address.url("/b/f"), "s3")
            #expect(run.status == 0 && !run.errors.contains("checksum"), "\(run.errors)")
            #expect(server.object == content)
            #expect(server.requests.filter { $0["Content-MD5"] != nil }.count == 1)
        }
    }

    @Test func `a list names the uploaded file`() async throws {
        let list = try folder.write(Array("\(digest.hexadecimal)  big.iso\n".utf8), to: "sums")
        let other = try folder.write(Array("\(digest.hexadecimal)  other.iso\n".utf8), to: "others")
        let server = UploadServer(.draft)
        try await withScriptedServer(server.serve) { address in
            let run = try await put(to: address.url("/f"), "draft", "@\(list)")
            #expect(run.status == 0, "\(run.errors)")
            let second = try await put(to: address.url("/f"), "draft", "@\(other)")
            #expect(second.status == 64 && second.errors.contains("no checksum of 'big.iso'"), "\(second.errors)")
            #expect(address.requests.count == 1)
        }
    }

    @Test func `a plain upload has no checksum`() async throws {
        let run = try await put(to: "http://127.0.0.1:1/", "plain")
        #expect(run.status == 64 && run.errors.contains("--upload-protocol plain"), "\(run.errors)")
        let file = folder.file("big.iso")
        let second = await runTool("put", "http://127.0.0.1:1/", "@\(file)", "--checksum", checksum)
        #expect(second.status == 64 && second.errors.contains("to upload a file, add --resume"), "\(second.errors)")
    }
}
