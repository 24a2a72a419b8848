import AFHTTP
import AFTransport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BodyTests {
    let transport = CurlTransport()
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func send(
        _ body: BodySource,
        to server: LocalServer,
        headers: HTTPHeaders = [],
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        try await transport.fetch(server.url(), method: .post, headers: headers, body: body, configure: configure)
    }

    @Test func `a file is sent with its length`() async throws {
        let server = try LocalServer { .ok($0["Content-Length"] ?? "none") }
        let bytes = pattern(300_000)
        let record = try await send(.file(path: try folder.write(bytes, to: "f")), to: server)
        #expect(record.text == "300000")
        #expect(server.requests.first?.body == bytes)
    }

    @Test(arguments: [0..<0, 0..<10, 1000..<250_000, 299_999..<300_000] as [Range<Int64>])
    func `a part of a file is sent with the part's length`(range: Range<Int64>) async throws {
        let server = try LocalServer { .ok($0["Content-Length"] ?? "none") }
        let bytes = pattern(300_000)
        let record = try await send(.file(path: try folder.write(bytes, to: "f"), range: range), to: server)
        #expect(record.text == "\(range.count)")
        #expect(server.requests.first?.body == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }

    @Test func `parts are sent in order with their total length`() async throws {
        let server = try LocalServer { .ok($0["Content-Length"] ?? "none") }
        let file = try folder.write("file", to: "f")
        let body = BodySource.parts([
            .bytes(Array("<".utf8)), .parts([.file(path: file), .bytes([])]), .file(path: file, range: 1..<3),
            .stream(PiecewiseStream([Array("stream".utf8)]), length: 6), .bytes(Array(">".utf8)),
        ])
        #expect(try await send(body, to: server).text == "14")
        #expect(server.requests.first?.text == "<fileilstream>")
    }

    @Test func `parts that include one of unknown length are sent with chunked encoding`() async throws {
        let server = try LocalServer { .ok($0["Transfer-Encoding"] ?? "none") }
        let stream = PiecewiseStream([Array("ab".utf8), Array("cd".utf8)])
        #expect(try await send(.parts([.stream(stream), .bytes(Array("ef".utf8))]), to: server).text == "chunked")
        #expect(server.requests.first?.text == "abcdef")
        #expect(server.requests.first?["Content-Length"] == nil)
        #expect(server.requests.first?["Expect"] == nil)
    }

    @Test func `a stream that is shorter than announced fails the transfer`() async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await send(.stream(PiecewiseStream([Array("abc".utf8)]), length: 5), to: server)
        #expect(record.failure?.kind == .bodyUnreadable)
    }

    @Test(arguments: [[6], [5, 1], [1, 4, 1], [4, 1, 1]])
    func `a stream that is longer than announced fails the transfer before its last announced byte`(
        chunks: [Int]
    ) async throws {
        let server = try LocalServer { _ in .ok() }
        let stream = PiecewiseStream(chunks.map { [UInt8](repeating: 97, count: $0) })
        let record = try await send(.stream(stream, length: 5), to: server)
        #expect(record.failure?.kind == .bodyUnreadable)
        #expect(record.failure?.detail == "the body is longer than its announced length of 5 bytes")
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test func `an error of a stream fails the transfer and is part of the detail`() async throws {
        let server = try LocalServer { _ in .ok() }
        let stream = PiecewiseStream([Array("abc".utf8)], hasEnded: false)
        let collector = Collector()
        let transfer = Transfer(method: .post, url: try HTTPURL(parsing: server.url()), body: .stream(stream))
        _ = transport.start(transfer, into: collector)
        try await eventually("the body is awaited") { stream.isAwaited }
        stream.fail()
        let failure = await collector.end().failure
        #expect(failure?.kind == .bodyUnreadable)
        #expect(failure?.detail.contains("Broken") == true)
    }

    @Test func `a missing file fails before anything is sent`() async throws {
        let server = try LocalServer { _ in .ok() }
        let failure = try await send(.file(path: folder.file("none")), to: server).failure
        #expect(failure?.kind == .bodyUnreadable)
        #expect(failure?.osErrorNumber == ENOENT)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a directory as the body fails before anything is sent`() async throws {
        let server = try LocalServer { _ in .ok() }
        #expect(try await send(.file(path: folder.path), to: server).failure?.kind == .bodyUnreadable)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a pipe without a writer fails immediately and does not block other transfers`() async throws {
        let server = try LocalServer { _ in .ok() }
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(try await send(.file(path: folder.file("pipe")), to: server).failure?.kind == .bodyUnreadable)
    }

    @Test func `a range beyond the end of a file fails before anything is sent`() async throws {
        let server = try LocalServer { _ in .ok() }
        let path = try folder.write("abc", to: "f")
        #expect(try await send(.file(path: path, range: 1..<4), to: server).failure?.kind == .bodyUnreadable)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `upload progress never decreases and ends with the length of the body`() async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await send(.bytes(pattern(2 << 20)), to: server)
        #expect(record.sent.last == 2 << 20)
        #expect(record.sent == record.sent.sorted())
    }

    @Test func `the framing of chunks is no upload progress`() async throws {
        let server = try LocalServer { _ in .ok() }
        let stream = PiecewiseStream([pattern(1000)], hasEnded: false)
        let collector = Collector()
        let transfer = Transfer(method: .post, url: try HTTPURL(parsing: server.url()), body: .stream(stream))
        _ = transport.start(transfer, into: collector)
        try await eventually("the chunk was sent") { collector.record.sent.last == 1000 }
        // The last chunk is empty.
        stream.end()
        let record = await collector.end()
        #expect(record.failure == nil)
        #expect(record.sent == Set(record.sent).sorted())
    }
}
