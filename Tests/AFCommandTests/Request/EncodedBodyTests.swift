import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand

/// Bodies with a content coding and correct framing.
@Suite(.timeLimit(.minutes(5))) struct EncodedBodyTests {
    let folder: ScratchFolder
    let packed: [UInt8]

    init() throws {
        folder = try ScratchFolder()
        packed = Array(try ContentCoding.gzip.compress(Data("a body\n".utf8)))
    }

    /// Creates a server that encodes all bodies, even unrequested.
    private func run(_ body: [UInt8], _ words: String...) async throws -> ToolRun {
        try await withServer { _ in
            .bytes(body).header("Content-Encoding", "gzip")
        } _: { server in
            await runTool(words + [server.url()])
        }
    }

    @Test func `a body truncated inside its coding is an error that names the coding`() async throws {
        for count in [1, 12, packed.count - 1] {
            let run = try await run(Array(packed.prefix(count)))
            #expect(run.status == 13)
            let message = try #require(run.messages.first)
            #expect(message.hasPrefix("afcli: error: the response of 127.0.0.1:"))
            #expect(message.hasSuffix(" ended early: the body is truncated within its gzip coding"))
        }
    }

    @Test func `a truncated body never replaces a file`() async throws {
        try folder.write("old", to: "f")
        let run = try await run(packed.dropLast(), "-o", folder.file("f"))
        #expect(run.status == 13)
        #expect(run.errors.contains("the body is truncated within its gzip coding"), "\(run.errors)")
        #expect(folder.holds("old", in: "f"))
        #expect(folder.list() == ["f"])
        #expect(try await self.run(packed, "-o", folder.file("f")).status == 0)
        #expect(folder.holds("a body\n", in: "f"))
    }

    @Test func `concatenated members of gzip are one body`() async throws {
        let run = try await run(packed + packed)
        #expect(run.status == 0)
        #expect(run.output == "a body\na body\n")
    }

    @Test func `bytes after the coding are an error that names it`() async throws {
        let run = try await run(packed + Array("junk".utf8))
        #expect(run.status == 13)
        #expect(run.output == "a body\n")
        #expect(run.messages.first == "afcli: error: bytes follow the end of the body's gzip coding")
        #expect(
            run.errors.contains("--no-decode keeps the body as received"),
            "\(run.errors)")
        let asked = try await self.run(packed + Array("junk".utf8), "-o", folder.file("f"))
        #expect(asked.status == 13)
        #expect(!asked.errors.contains("identity"), "\(asked.errors)")
        #expect(asked.errors.contains("--no-decode keeps the body as received"), "\(asked.errors)")
        #expect(folder.list().isEmpty)
    }

    @Test func `--no-decode shows, saves and searches the body as received`() async throws {
        let shown = try await run(packed, "--no-decode")
        #expect(shown.status == 0 && shown.outputBytes == packed, "\(shown.errors)")
        let saved = try await run(packed, "--no-decode", "-o", folder.file("f"))
        #expect(saved.status == 0 && folder.holds(packed, in: "f"), "\(saved.errors)")
        let searched = try await run(packed, "--no-decode", "--filter", "a")
        #expect(searched.errors.contains("the body is not JSON"), "\(searched.errors)")
    }

    @Test(arguments: ["aws-chunked", "UTF-8", "gzip"])
    func `--no-decode accepts a coding that cannot be decoded`(coding: String) async throws {
        try await withServer { _ in
            .ok("plain").header("Content-Encoding", coding)
        } _: { server in
            let run = await runTool("--no-decode", server.url())
            #expect(run.status == 0 && run.output == "plain", "\(run.errors)")
        }
    }

    @Test func `--curl decodes a body if the request does`() async {
        #expect(await runTool("--curl", "http://h/").output.contains("--compressed"))
        #expect(await !runTool("--curl", "--no-decode", "http://h/").output.contains("--compressed"))
    }
}
