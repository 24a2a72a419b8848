import AFHTTP
import AFTransport
import Glibc
import TestSupport
import Testing

/// Files that are not as long as they say: what a kernel makes up while it is read, and what changes meanwhile.
@Suite(.timeLimit(.minutes(5))) struct FileBodyTests {
    let transport = CurlTransport()

    private static func content(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "re"))
        defer { fclose(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { content += piece[..<count] }
        return content
    }

    /// The first calls itself empty, the second a page long.
    @Test(arguments: ["/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"])
    func `a made-up file is sent whole, with its true length`(path: String) async throws {
        let content = try Self.content(path)
        try #require(!content.isEmpty)
        #expect(try BodySource.file(path: path).length() == Int64(content.count))
        let server = try LocalServer { .ok($0["Content-Length"] ?? "none") }
        let body = BodySource.parts([.bytes(Array("<".utf8)), .file(path: path), .bytes(Array(">".utf8))])
        for (body, expected) in [(.file(path: path), content), (body, [0x3C] + content + [0x3E])] {
            let record = try await transport.fetch(server.url(), method: .put, body: body)
            #expect(record.failure == nil)
            #expect(record.text == "\(expected.count)")
            #expect(server.requests.last?.body == expected)
        }
    }

    @Test func `a long one is sent in chunks, and again where that is needed`() async throws {
        let path = "/proc/kallsyms"
        let content = try Self.content(path)
        try #require(content.count > 1 << 20)
        #expect(try BodySource.file(path: path).length() == nil)
        let challenge = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5"
        let server = try LocalServer { request in
            request["Authorization"] == nil
                ? .status(401, "who?").header("WWW-Authenticate", challenge)
                : .ok(request["Transfer-Encoding"] ?? "none")
        }
        let record = try await transport.fetch(server.url(), method: .put, body: .file(path: path)) {
            $0.authentication = AuthenticationOptions(
                credential: URLCredential(user: "u", password: "p"), kinds: [.basic, .digest])
        }
        #expect(record.failure == nil)
        #expect(record.text == "chunked")
        #expect(server.requests.last?.body == content)
    }

    @Test func `an empty file is an empty body`() async throws {
        let folder = try ScratchFolder()
        let server = try LocalServer { .ok($0["Content-Length"] ?? "none") }
        let path = try folder.write("", to: "empty")
        #expect(try await transport.fetch(server.url(), method: .put, body: .file(path: path)).text == "0")
        let hole = try folder.writeSparse("hole", size: 1 << 16)
        #expect(try await transport.fetch(server.url(), method: .put, body: .file(path: hole)).text == "\(1 << 16)")
    }

    @Test(arguments: [true, false])
    func `a file that changes its size while it is sent fails, and never arrives whole`(grows: Bool) async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(pattern(200_000), to: "f")
        let server = try LocalServer { _ in .ok() }
        let gap = PiecewiseStream(hasEnded: false)
        let body = BodySource.parts([.stream(gap, length: 1), .file(path: path)])
        let collector = Collector()
        _ = transport.start(
            Transfer(method: .post, url: try HTTPURL(parsing: server.url()), body: body), into: collector)
        try await eventually("the body is awaited") { gap.isAwaited }
        #expect(truncate(path, grows ? 200_001 : 100_000) == 0)
        gap.give([0])
        let record = await collector.end()
        #expect(record.failure?.kind == .bodyUnreadable)
        #expect(record.failure?.reason == .fileChanged)
        let change = grows ? "grew" : "shrank"
        #expect(record.failure?.detail == "\(path) \(change) while it was being sent")
        try await server.waitUntilIdle()
        #expect(server.requests.first?.isComplete == false)
    }

    @Test func `bytes appended after the sent range are ignored`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(pattern(200_000), to: "f")
        let server = try LocalServer { .ok("\($0.body.count)") }
        let gap = PiecewiseStream(hasEnded: false)
        let body = BodySource.parts([.stream(gap, length: 1), .file(path: path, range: 0..<200_000)])
        let collector = Collector()
        _ = transport.start(
            Transfer(method: .post, url: try HTTPURL(parsing: server.url()), body: body), into: collector)
        try await eventually("the body is awaited") { gap.isAwaited }
        #expect(truncate(path, 400_000) == 0)
        gap.give([0])
        #expect(await collector.end().text == "200001")
    }
}
