import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

/// Complete and damaged bodies in each coding.
@Suite(.timeLimit(.minutes(5))) struct ContentCodingTests {
    let transport = CurlTransport()

    /// Receives a correctly framed body in a coding, with a length or in chunks.
    private func fetch(
        _ body: [UInt8],
        as coding: String,
        inChunksOf size: Int = 1024
    ) async throws -> [Collector.Record] {
        let server = try LocalServer { request in
            let answer = LocalServer.Response.bytes(body).header("Content-Encoding", coding)
            return request.path == "/chunked" ? answer.chunked(of: size) : answer
        }
        return [
            try await transport.fetch(server.url()), try await transport.fetch(server.url("/chunked")),
        ]
    }

    @Test(arguments: CodedBody.all)
    func `a complete body decodes, even byte by byte`(body: CodedBody) async throws {
        for record in try await fetch(body.bytes, as: body.coding, inChunksOf: 1) {
            #expect(record.failure == nil)
            #expect(record.text == CodedBody.text)
            #expect(record.outcome?.metrics.responseBodyBytes == Int64(body.bytes.count))
            #expect(record.outcome?.metrics.decodedBodyBytes == Int64(CodedBody.text.utf8.count))
        }
    }

    @Test(arguments: CodedBody.all)
    func `a body cut off at any byte of its coding is reported as truncated`(body: CodedBody) async throws {
        let server = try LocalServer { request in
            let answer = LocalServer.Response.bytes(Array(body.bytes.prefix(Int(request.path.dropFirst()) ?? 0)))
                .header("Content-Encoding", body.coding)
            return request.method == "POST" ? answer.chunked() : answer
        }
        for count in 1..<body.bytes.count {
            let record = try await transport.fetch(
                server.url("/\(count)"), method: count.isMultiple(of: 2) ? .get : .post)
            #expect(record.failure?.kind == .truncated, "after \(count) bytes")
            #expect(record.failure?.detail == "the body is truncated within its \(body.coding) coding")
            #expect(CodedBody.text.hasPrefix(record.text))
        }
    }

    @Test func `the body of a 206 response may end anywhere in its coding`() async throws {
        let part = Array(CodedBody.gzip.bytes.dropLast(20))
        let head = """
            HTTP/1.1 206 Partial Content\r
            Content-Range: bytes 0-\(part.count - 1)/\(CodedBody.gzip.bytes.count)\r
            Content-Encoding: gzip\r
            Content-Length: \(part.count)\r
            \r

            """
        let server = try LocalServer { _ in .raw(Array(head.utf8) + part) }
        let record = try await transport.fetch(server.url(), headers: ["Range": "bytes=0-\(part.count - 1)"])
        #expect(record.failure == nil)
        #expect(!record.text.isEmpty)
        #expect(CodedBody.text.hasPrefix(record.text))
    }

    @Test(arguments: CodedBody.all)
    func `concatenated bodies are decoded in gzip and Zstandard, and fail otherwise`(body: CodedBody) async throws {
        for record in try await fetch(body.bytes + body.bytes, as: body.coding, inChunksOf: 7) {
            if body.canBeConcatenated {
                #expect(record.failure == nil)
                #expect(record.text == CodedBody.text + CodedBody.text)
            } else {
                #expect(record.failure?.kind == .undecodableBody)
                #expect(record.text == CodedBody.text)
            }
        }
        guard body.canBeConcatenated else { return }
        for record in try await fetch(body.bytes + body.bytes.dropLast(), as: body.coding, inChunksOf: 7) {
            #expect(record.failure?.kind == .truncated)
        }
    }

    @Test func `skippable Zstandard frames are skipped`() async throws {
        let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        for record in try await fetch(skipped + CodedBody.zstd.bytes + skipped, as: "zstd", inChunksOf: 1) {
            #expect(record.failure == nil)
            #expect(record.text == CodedBody.text)
        }
    }

    @Test(arguments: CodedBody.all, ["x", "\0\0\0\0", "\r\n", "more than a few bytes, and no coding at all"])
    func `bytes after the end of a coding are an error that names it`(body: CodedBody, rest: String) async throws {
        for record in try await fetch(body.bytes + Array(rest.utf8), as: body.coding, inChunksOf: 1) {
            #expect(record.failure?.kind == .undecodableBody)
            #expect(record.failure?.detail == "bytes follow the end of the body's \(body.coding) coding")
            #expect(record.text == CodedBody.text)
        }
    }

    @Test(arguments: CodedBody.all)
    func `a damaged body is an error that names the coding`(body: CodedBody) async throws {
        var bodies = [Array("no coding at all, whatever the head says".utf8), Array(repeating: 0xFF, count: 100)]
        if body.hasChecksum {
            var damaged = body.bytes
            damaged[damaged.count - 4] ^= 1
            bodies.append(damaged)
        }
        for bytes in bodies {
            for record in try await fetch(bytes, as: body.coding, inChunksOf: 1) {
                #expect(record.failure?.kind == .undecodableBody)
                #expect(record.failure?.detail == "the \(body.coding) coding of the body is damaged")
            }
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd", "rot13", "gzip, gzip, gzip, gzip, gzip, gzip"])
    func `an empty body is accepted with any coding`(coding: String) async throws {
        let server = try LocalServer { request in
            let answer = LocalServer.Response.status(Int(request.path.dropFirst()) ?? 200)
            return (request.path == "/chunked" ? answer.chunked() : answer).header("Content-Encoding", coding)
        }
        let requests: [(HTTPMethod, String)] = [
            (.get, "/200"), (.head, "/200"), (.get, "/204"), (.get, "/304"), (.get, "/chunked"),
        ]
        for (method, path) in requests {
            let record = try await transport.fetch(server.url(path), method: method)
            #expect(record.failure == nil, "\(method.rawValue) \(path)")
            #expect(record.body.isEmpty)
        }
    }

    @Test(arguments: [
        ("x-gzip", CodedBody.gzip.bytes),
        ("GZip", CodedBody.gzip.bytes),
        ("identity, br", CodedBody.brotli.bytes),
        ("gzip, zstd", CodedBody.zstd(holding: CodedBody.gzip.bytes)),
        (" ,br,\tzstd", CodedBody.zstd(holding: CodedBody.brotli.bytes)),
        (
            "deflate, zstd, identity, zstd, zstd",
            CodedBody.zstd(holding: CodedBody.zstd(holding: CodedBody.zstd(holding: CodedBody.deflate.bytes)))
        ),
    ])
    func `a chain of codings is decoded in reverse order`(chain: String, body: [UInt8]) async throws {
        for record in try await fetch(body, as: chain, inChunksOf: 1) {
            #expect(record.failure == nil)
            #expect(record.text == CodedBody.text)
        }
    }

    @Test func `codings in several field lines are one chain`() async throws {
        let server = try LocalServer { _ in
            .bytes(CodedBody.zstd(holding: CodedBody.gzip.bytes)).header("Content-Encoding", "gzip")
                .header("content-encoding", "zstd")
        }
        #expect(try await transport.fetch(server.url()).text == CodedBody.text)
    }

    @Test func `in a chain the error names the truncated coding`() async throws {
        let whole = CodedBody.zstd(holding: CodedBody.gzip.bytes)
        for record in try await fetch(whole.dropLast(), as: "gzip, zstd") {
            #expect(record.failure?.detail == "the body is truncated within its zstd coding")
        }
        for record in try await fetch(CodedBody.zstd(holding: CodedBody.gzip.bytes.dropLast()), as: "gzip, zstd") {
            #expect(record.failure?.detail == "the body is truncated within its gzip coding")
        }
    }

    @Test func `decoding ends at an unknown coding`() async throws {
        for record in try await fetch([1, 2, 3], as: "gzip, Rot13") {
            #expect(record.failure == nil)
            #expect(record.body == [1, 2, 3])
        }
        for record in try await fetch(CodedBody.gzip.bytes, as: "aws-chunked, gzip") {
            #expect(record.text == CodedBody.text)
        }
    }

    @Test(arguments: [true, false]) func `a sink decides later whether the body is decoded`(decodes: Bool) async throws
    {
        let server = try LocalServer { _ in
            .bytes(CodedBody.gzip.bytes).header("Content-Encoding", "gzip")
        }
        let sink = UndecidedSink()
        let control = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: sink)
        try await eventually("the sink was asked") { sink.questions == 1 }
        #expect(sink.body.isEmpty)
        sink.decide(decodes)
        control.drain()
        try await eventually("the transfer ended") { sink.hasEnded }
        #expect(sink.questions == 2)
        #expect(sink.body == (decodes ? Array(CodedBody.text.utf8) : CodedBody.gzip.bytes))
    }
}

/// A sink that first does not know whether a body is decoded.
private final class UndecidedSink: TransferSink {
    private let state = Mutex((decodes: Bool?.none, questions: 0, body: [UInt8](), hasEnded: false))

    var questions: Int { state.withLock { $0.questions } }
    var body: [UInt8] { state.withLock { $0.body } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func decide(_ decodes: Bool) { state.withLock { $0.decodes = decodes } }

    func decodesBody(of response: HTTPURLResponse) -> Bool? {
        state.withLock { state in
            state.questions += 1
            return state.decodes
        }
    }

    func receive(_ head: TransferHead) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        state.withLock { $0.body += Array(bytes) }
        return .proceed
    }

    func finish(_ outcome: TransferOutcome) { state.withLock { $0.hasEnded = true } }
}
