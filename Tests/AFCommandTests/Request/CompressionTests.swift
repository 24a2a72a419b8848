import TestSupport
import Testing

@testable import AFCommand

/// `--compress` and `--chunked`, as a server sees them.
@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    /// Returns the received request, and the body as the tool decodes it when it is sent back with the same coding.
    private func send(_ words: String...) async throws -> (request: RecordedRequest, decoded: [UInt8]) {
        try await withServer { request in
            let answer = LocalServer.Response.bytes(request.body)
            return request["Content-Encoding"].map { answer.header("Content-Encoding", $0) } ?? answer
        } _: { server in
            let run = await runTool(words.map { $0 == "URL" ? server.url() : $0 })
            #expect(run.status == 0, "\(run.errors)")
            return (try #require(server.requests.first), run.outputBytes)
        }
    }

    private static let long = String(repeating: "text that repeats itself ", count: 100)

    @Test func `a body is compressed if that makes it shorter`() async throws {
        let (request, decoded) = try await send("-x", "URL", "a=\(Self.long)")
        #expect(request["Content-Encoding"] == "deflate")
        #expect(request["Content-Length"] == "\(request.body.count)")
        #expect(request.body.count < 200)
        #expect(String(decoding: decoded, as: UTF8.self) == "{\"a\": \"\(Self.long)\"}")
        let (short, _) = try await send("--compress", "URL", "a=b")
        #expect(short["Content-Encoding"] == nil)
        #expect(short.text == #"{"a": "b"}"#)
        let (forced, same) = try await send("-xx", "URL", "a=b")
        #expect(forced["Content-Encoding"] == "deflate")
        #expect(String(decoding: same, as: UTF8.self) == #"{"a": "b"}"#)
    }

    @Test func `files and parts are compressed with a known length`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Self.long, to: "a.txt")
        let (whole, text) = try await send("-x", "URL", "@\(file)")
        #expect(whole["Content-Encoding"] == "deflate")
        #expect(whole["Content-Length"] == "\(whole.body.count)")
        #expect(whole["Content-Type"] == "text/plain")
        #expect(String(decoding: text, as: UTF8.self) == Self.long)
        let (parts, body) = try await send("-x", "URL", "-F", "f=@\(file)", "a=b", "--boundary", "B")
        #expect(parts["Content-Length"] == "\(parts.body.count)")
        #expect(parts["Content-Type"] == "multipart/form-data; boundary=B")
        #expect(String(decoding: body, as: UTF8.self).contains("filename=\"a.txt\""))
        let random = try folder.write((0..<5000).map { _ in UInt8.random(in: 0...255) }, to: "random")
        let (plain, bytes) = try await send("-x", "URL", "@\(random)")
        #expect(plain["Content-Encoding"] == nil)
        #expect(bytes == (try folder.bytes(of: "random")))
    }

    @Test func `a very long file is compressed while it is sent`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("zeros", size: 65 << 20)
        let (request, _) = try await send("-x", "URL", "@\(file)", "-p", "h")
        #expect(request["Content-Encoding"] == "deflate")
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(request.body.count < 1 << 20)
    }

    @Test func `a body with a coding is not compressed again`() async {
        let run = await runTool("-x", "--offline", ":/", "a=b", "Content-Encoding:gzip")
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: -x: the body has a Content-Encoding already")
        #expect(await runTool("-x", "--offline", "get", ":/").status == 0)
    }

    @Test func `a body of known length is sent chunked with the option`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Self.long, to: "a.txt")
        for words in [["a=b"], ["@\(file)"], ["-F", "f=@\(file)"], ["--form", "a=b"], ["-x", "@\(file)"]] {
            try await withServer { _ in
                .ok()
            } _: { server in
                let run = await runTool(["--chunked", "put", server.url()] + words)
                #expect(run.status == 0, "\(run.errors)")
                let request = try #require(server.requests.first)
                #expect(request["Transfer-Encoding"] == "chunked", "\(words)")
                #expect(request["Content-Length"] == nil, "\(words)")
                #expect(!request.body.isEmpty)
            }
        }
        #expect(try await send("--chunked", "URL").request["Transfer-Encoding"] == nil)
    }

    @Test func `chunks are used in HTTP/1.1 only, and not after a redirect without the body`() async throws {
        try await withNginx { nginx in
            let words = ["--chunked", "--cacert", nginx.root, "post", nginx.secureURL("/sink"), "a=b"]
            let run = await runTool(words)
            #expect(run.status == 0, "\(run.errors)")
        }
        try await withServer { request in
            request.target == "/" ? .status(303).header("Location", "/next") : .ok()
        } _: { server in
            #expect(await runTool("--chunked", "-L", server.url(), "a=b").status == 0)
            #expect(server.requests.map(\.method) == ["POST", "GET"])
            #expect(server.requests.last?["Transfer-Encoding"] == nil)
        }
    }

    @Test func `a compressed body is binary`() async {
        let run = await runTool("--offline", "-xx", "--pretty=format", "post", "example.org", "a=b")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.contains("NOTE: binary data not shown"))
    }

    @Test(arguments: [["-x"], ["-xx"], ["--chunked"], ["-x", "--chunked"]])
    func `a dry run shows what would be sent`(options: [String]) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = options + ["post", server.url(), "a=\(Self.long)"]
            let dry = await runTool(words + ["--offline", "-p", "H"])
            _ = await runTool(words)
            #expect(dry.output == server.requests.first?.headText)
        }
    }
}
