import TestSupport
import Testing

@testable import AFCommand

/// Uploads with `--resume` that are interrupted or rejected: their messages, and the next run.
@Suite(.timeLimit(.minutes(5))) struct InterruptedUploadRunTests {
    let folder: ScratchFolder
    let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 251 ^ $0) }

    init() throws { folder = try ScratchFolder() }

    private static let dialects: [UploadServer.Dialect] = [.draft, .tus]
    private static let note = "run the same command again to resume the upload"

    @Test(arguments: ["403 Forbidden", "500 Internal Server Error"])
    func `a rejected upload can be resumed`(status: String) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { $0.rejection = status }
        try await withScriptedServer(server.serve) { address in
            let words = ["put", address.url("/f"), "@\(file)", "--resume"]
            let first = await runTool(words)
            #expect(first.status != 0 && first.errors.contains(Self.note), "\(first.errors)")
            let second = await runTool(words)
            #expect(second.status == 0 && !second.errors.contains(Self.note), "\(second.errors)")
            #expect(server.bytes == content && server.isComplete)
        }
    }

    @Test(arguments: dialects) func `the end of the time is an interruption`(dialect: UploadServer.Dialect) async throws
    {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { ($0.cuts, $0.stallsAtCut) = ([250_000], true) }
        try await withScriptedServer(server.serve) { address in
            let words = ["put", address.url("/f"), "@\(file)", "--resume"]
            let first = await runTool(words + ["--max-time", "1", "--expect100", "no"])
            #expect(first.status == 2 && first.errors.contains(Self.note), "\(first.errors)")
            let second = await runTool(words)
            #expect(second.status == 0 && second.errors.contains("resuming the upload at"), "\(second.errors)")
            #expect(server.bytes == content && server.isComplete)
        }
    }

    @Test func `a response without an upload resource says nothing about a resume`() async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .status(500, "")
        } _: { server in
            let run = await runTool("put", server.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 5 && !run.errors.contains("again to resume"), "\(run.errors)")
        }
    }

    @Test(arguments: dialects) func `a locked upload is explained once`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            server.change { $0.locks = 2 }
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count { $0.contains("locked at the server") } == 1)
        }
    }

    /// The file changed, so that the interrupted upload is removed; the server loses requests for that.
    @Test(arguments: dialects, [1, 3])
    func `a lost removal is repeated once`(dialect: UploadServer.Dialect, lost: Int) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            let words = ["put", address.url("/f"), "@\(file)", "--resume", "--retry", "2", "--retry-delay", "0"]
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            let changed = Array(content.reversed())
            try folder.write(changed, to: "big.iso")
            server.change { $0.lostRemovals = lost }
            let run = await runTool(words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(address.requests.count { $0.method == "DELETE" } == 2)
            #expect(server.bytes == changed && server.isComplete)
        }
    }

    /// The server processes the request, and removes the upload resource; its response is lost.
    @Test func `a request that may have been processed is not sent twice`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { ($0.losesResponse, $0.removesCompleted) = (true, true) }
        try await withScriptedServer(server.serve) { address in
            let words = ["post", address.url("/f"), "@\(file)", "--resume", "--expect100", "no"]
            for options in [["--retry", "2", "--retry-delay", "0"], []] {
                let run = await runTool(words + options)
                #expect(run.status == 13, "\(run.errors)")
                #expect(run.errors.contains("may have processed the request") && !run.errors.contains(Self.note))
                let hint = "if the request may be sent twice: --retry 3 --retry-unsafe"
                #expect(run.errors.contains(hint), "\(run.errors)")
                #expect(address.requests.count { $0.method == "POST" } == 1)
            }
            let last = await runTool(words + ["--retry", "3", "--retry-unsafe"])
            #expect(last.status == 0 && server.isComplete, "\(last.errors)")
            #expect(address.requests.count { $0.method == "POST" } == 2)
        }
    }

    @Test(arguments: [["put"], ["post", "--retry-unsafe"], ["post", "Idempotency-Key:1"]])
    func `a request that may be processed twice is sent again`(method: [String]) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { ($0.losesResponse, $0.removesCompleted) = (true, true) }
        try await withScriptedServer(server.serve) { address in
            let words = [address.url("/f"), "@\(file)", "--resume", "--retry", "2", "--retry-delay", "0"]
            let run = await runTool(Array(method.prefix(1)) + words + method.dropFirst())
            #expect(run.status == 0 && server.isComplete, "\(run.errors)")
            #expect(address.requests.count { $0.method == method[0].uppercased() } == 2)
        }
    }

    @Test func `several files are resumed with --resume, too`() async throws {
        let files = try ["a.iso", "b.iso"].map { try folder.write(content, to: $0) }
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = ["put", server.url("/f/"), "-T", files[0], "-T", files[1], "--resume"]
            let run = await runTool(words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(Set(server.requests.map(\.target)) == ["/f/a.iso", "/f/b.iso"])
            #expect(server.requests.allSatisfy { $0["Upload-Complete"] == "?1" && $0.body == content })
            let saved = await runTool(words + ["-o", "x"])
            #expect(saved.status == 64 && saved.errors.contains("cannot be saved"), "\(saved.errors)")
        }
    }

    @Test func `reports of several files have no upload resource`() async throws {
        let files = try ["a.iso", "b.iso"].map { try folder.write(content, to: $0) }
        let reports = ["json", "har", "xml"].map { folder.file("report.\($0)") }
        try await withScriptedServer(UploadServer(.tus).serve) { address in
            let run = await runTool(
                "post", address.url("/f/"), "-T", files[0], "-T", files[1], "--resume", "--upload-protocol", "tus",
                "--parallel", "1",
                "--report", reports[0], "--har", reports[1], "--report", "junit:\(reports[2])")
            #expect(run.status == 0, "\(run.errors)")
            for (name, isMasked) in [("report.json", true), ("report.har", true), ("report.xml", false)] {
                let text = try folder.text(of: name)
                #expect(text.contains("/f/b.iso") && !text.contains("/resource"), "\(text)")
                #expect(text.contains("•••") == isMasked, "\(text)")
            }
        }
    }

    @Test func `an upload over HTTP/2 is resumed`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.tus) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            let directives = """
                location / {
                    proxy_pass http://127.0.0.1:\(address.port);
                    proxy_http_version 1.1;
                    proxy_request_buffering off;
                }
                """
            try await withNginx(directives: directives) { nginx in
                let words = [
                    "post", nginx.clearHTTP2URL("/f"), "@\(file)", "--resume", "--upload-protocol", "tus",
                    "--http2-prior-knowledge",
                ]
                let first = await runTool(words)
                #expect(first.status != 0 && first.errors.contains(Self.note), "\(first.errors)")
                let second = await runTool(words)
                #expect(second.status == 0 && second.errors.contains("resuming the upload at"), "\(second.errors)")
                #expect(server.bytes == content && server.isComplete)
                #expect(nginx.finalRequests().allSatisfy { $0.version == "HTTP/2.0" })
            }
        }
    }
}
