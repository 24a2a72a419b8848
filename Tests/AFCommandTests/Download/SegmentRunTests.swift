import TestSupport
import Testing

@testable import AFCommand

/// `--segments`
@Suite(.timeLimit(.minutes(5))) struct SegmentRunTests {
    let folder: ScratchFolder
    /// Four segments of a mebibyte each.
    static let whole = RangeServer.pattern(4 << 20)

    init() throws { folder = try ScratchFolder() }

    private func run(_ server: RangeServer, _ words: String...) async -> ToolRun {
        await runTool(["-o", folder.file("f"), "--segments", "4", server.url] + words)
    }

    private static let ranges: [String?] = [
        "bytes=1048576-2097151", "bytes=2097152-3145727", "bytes=3145728-4194303",
    ]

    @Test func `ranges combine into the file`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (1000, gate) }
        async let run = run(server)
        try await server.local.waitForRequests(4)
        gate.open()
        #expect(await run.status == 0)
        #expect(await run.messages.last?.hasPrefix("afcli: saved to \(folder.file("f")) (") == true)
        #expect(Set(server.ranges) == Set(Self.ranges + [nil]))
        #expect(folder.holds(Self.whole, in: "f"))
        #expect(folder.list() == ["f"])
    }

    @Test func `over HTTP/2 they are streams of one connection`() async throws {
        // Each stream alone would take eight seconds, so that none is through before all have begun.
        let slow = "location /f { limit_rate 512k; }"
        try await withNginx(files: ["f": .pattern(size: 4 << 20)], directives: slow) { nginx in
            let run = await runTool(
                "-o", folder.file("f"), "--segments", "4", "--cacert", nginx.root, nginx.secureURL("/f"))
            #expect(run.status == 0, "\(run.errors)")
            let isComplete = try haveSameBytes(folder.file("f"), nginx.path(of: "f"))
            #expect(isComplete)
            #expect(folder.list() == ["f"])
            // Its stream ended early, which nginx notes a moment later.
            try await eventually("the first request is noted") { nginx.requests.contains { $0.status == 200 } }
            let requests = nginx.finalRequests()
            #expect(requests.allSatisfy { $0.version == "HTTP/2.0" })
            #expect(Set(requests.map(\.connection)).count == 1)
            #expect(requests.map(\.status).filter { $0 == 206 }.count >= 3, "\(requests)")
            #expect(requests.map(\.status).filter { $0 == 200 }.count == 1, "\(requests)")
        }
    }

    @Test(arguments: [(["--http1.1"], true), ([], false)] as [([String], Bool)])
    func `over HTTP 2 with a rate limit the download is sequential`(words: [String], isParallel: Bool) async throws {
        try await withNginx(files: ["f": .pattern(size: 4 << 20)]) { nginx in
            let run = await runTool(
                ["-o", folder.file("f"), "--segments", "4", "--limit-rate", "8M", "--cacert", nginx.root]
                    + words + [nginx.secureURL("/f")])
            #expect(run.status == 0, "\(run.errors)")
            let isComplete = try haveSameBytes(folder.file("f"), nginx.path(of: "f"))
            #expect(isComplete)
            let note = "with --limit-rate, parallel ranges need --http1.1"
            #expect(run.errors.contains(note) == !isParallel, "\(run.errors)")
            try await eventually("the first request is noted") { nginx.requests.contains { $0.status == 200 } }
            #expect(nginx.finalRequests().contains { $0.status == 206 } == isParallel)
        }
    }

    @Test(arguments: ["0", "33", "-1", "many", ""])
    func `an invalid or too large number is a usage error`(number: String) async {
        let run = await runTool("-d", "--segments=\(number)", "http://127.0.0.1:1/")
        #expect(run.status == 64)
        #expect(run.errors.contains("--segments: expected a number from 1 to 32, got '\(number)'"))
    }

    @Test(arguments: [
        ([], "requires an output file"), (["-o", "-"], "requires an output file"),
        (["-o", "/dev/null"], "is for files, not for devices"),
        (["-d", "--range", "0-1"], "cannot be combined with --range"),
        (["-d", "Range:bytes=0-1"], "cannot be combined with a Range header"),
        (["-d", "-X", "POST"], "requires GET"), (["-d", "a=b"], "requires GET"),
    ])
    func `incompatible options are usage errors`(words: [String], sentence: String) async {
        let run = await runTool(["--segments", "2", "http://127.0.0.1:1/"] + words)
        #expect(run.status == 64)
        #expect(run.errors.contains("--segments: \(sentence)"), "\(run.errors)")
    }

    @Test func `a failed segment is retried alone`() async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == "bytes=1048576-2097151" { answer.breaksAfter = 5000 }
        }
        let run = await run(server, "--retry", "1", "--retry-delay", "0")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("retrying in 0.00 ms (1 of 1)"))
        #expect(server.ranges.contains("bytes=1051076-2097151"))
        #expect(folder.holds(Self.whole, in: "f"))
    }

    @Test func `a final failure has a hint, and the next run downloads the missing ranges`() async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == "bytes=1048576-2097151" { answer.breaksAfter = 5000 }
        }
        let run = await run(server)
        #expect(run.status == 13)
        #expect(run.errors.contains(" are saved; run the same command with --resume to continue"))
        #expect(folder.list() == ["f.part", "f.part.json"])
        let second = await runTool("-o", folder.file("f"), "--resume", server.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(folder.holds(Self.whole, in: "f"))
    }

    @Test(arguments: [204, 304, 400, 412, 416])
    func `a server that refuses ranges is asked once for the complete file`(code: Int) async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] != nil { answer.status = code }
        }
        let run = await run(server)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.ranges.count { $0 == nil } == 2)
        #expect(folder.holds(Self.whole, in: "f"))
    }

    @Test(arguments: [(403, 4), (503, 5), (302, 3)])
    func `a server that rejects every range is an error`(code: Int, status: Int32) async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] != nil { answer.status = code }
        }
        let run = await run(server)
        #expect(run.status == status)
        #expect(
            run.errors.contains("afcli: error: the server responded with \(code) to a request for a part of the file"))
        #expect(
            run.errors.contains(
                "the response:\n  | HTTP/1.1 \(code) Whatever\n  | \n  | an error's page\n"), "\(run.errors)")
        #expect(!folder.has("f"))
    }

    @Test func `a temporary rejection is retried`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == "bytes=1048576-2097151", !gate.isOpen {
                answer.status = 503
                gate.open()
            }
        }
        let run = await run(server, "--retry", "1", "--retry-delay", "0")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("the server responded with 503"))
        #expect(folder.holds(Self.whole, in: "f"))
    }

    @Test func `a server without ranges sends the complete file, with a message`() async throws {
        let server = try RangeServer(Self.whole) { _, answer in answer.acceptRanges = nil }
        let run = await run(server)
        #expect(run.status == 0)
        #expect(server.ranges == [nil])
        #expect(run.errors.contains("afcli: the download was sequential: parallel ranges need"))
    }

    @Test func `ranges of two versions are not combined`() async throws {
        let other = RangeServer.pattern(4 << 20, seed: 5)
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] != nil { (answer.body, answer.entityTag, answer.range) = (other, "\"v2\"", nil) }
        }
        let run = await run(server)
        #expect(run.status == 0)
        #expect(server.ranges.count { $0 == nil } == 2)
        #expect(run.errors.contains("afcli: parallel ranges were not possible"))
        #expect(folder.holds(Self.whole, in: "f"))
    }

    @Test func `a report contains each range`() async throws {
        let server = try RangeServer(Self.whole)
        let report = folder.file("report.json")
        let run = await run(server, "--report", report, "-w", "%{size_download} %{num_connects}\\n")
        #expect(run.status == 0, "\(run.errors)")
        let text = try folder.text(of: "report.json")
        #expect(text.contains("\"segment\":null") || text.contains("\"segment\": null"))
        for number in 1...3 { #expect(text.replacing(" ", with: "").contains("\"segment\":\(number)")) }
        for range in Self.ranges { #expect(text.contains(range ?? "")) }
        let size = try #require(Int(run.output.split(separator: " ").first ?? ""))
        #expect(size >= 4 << 20)
    }

    @Test(arguments: [["-v"], ["--all", "-p", "Hh"]])
    func `each request and each header is shown contiguously`(words: [String]) async throws {
        let server = try RangeServer(Self.whole)
        let run = await runTool(["-o", folder.file("f"), "--segments", "4", server.url] + words)
        #expect(run.status == 0, "\(run.errors)")
        let text = run.errors.replacing("\r\n", with: "\n")
        #expect(text.matches(of: #/(?m)^GET [^\n]*\n([A-Z][A-Za-z-]+: [^\n]*\n)+\n/#).count == 4, "\(text)")
        #expect(text.matches(of: #/(?m)^HTTP/1.1 20[^\n]*\n([A-Z][A-Za-z-]+: [^\n]*\n)+\n/#).count == 4, "\(text)")
    }

    @Test func `lines of concurrent headers are not mixed`() {
        var heads = ResponseHeaderBuffers()
        for line in ["HTTP/1.1 206 A\r\n", "A: 1\r\n", "\r\n"] {
            for transfer: UInt in [1, 2] { #expect(heads.add(Array(line.utf8), of: transfer) == nil) }
        }
        #expect(heads.add(Array("HTTP/1.1 206 B\r\n".utf8), of: 3) == nil)
        let head = Array("HTTP/1.1 206 A\r\nA: 1\r\n\r\n".utf8)
        #expect(heads.takeAll(completeOnly: true) == [head, head])
        #expect(heads.takeAll(completeOnly: false) == [Array("HTTP/1.1 206 B\r\n\r\n".utf8)])
    }

    @Test func `each URL of a list is downloaded in ranges`() async throws {
        let server = try RangeServer(Self.whole)
        let list = try folder.write("\(server.url)?1 a\n\(server.url)?2 b\n", to: "list")
        let run = await runTool("--input", list, "--output-dir", folder.path, "--segments", "4", "--parallel", "2")
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.count(where: { $0["If-Range"] != nil }) >= 6)
        #expect(folder.holds(Self.whole, in: "a"))
        #expect(folder.holds(Self.whole, in: "b"))
    }
}
