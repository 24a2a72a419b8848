import AFCore
import AFTransport
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    static let text = String(repeating: "All work and no play makes a dull body. ", count: 500)

    /// Returns the body with the Content-Encoding of the request: the client decodes it with libcurl, not with the
    /// package's own code.
    private static func echo(_ request: RecordedRequest) -> LocalServer.Response {
        let coding = request["Content-Encoding"]
        let answer = LocalServer.Response.bytes(request.body)
        return coding.map { answer.header("Content-Encoding", $0) } ?? answer
    }

    private func post(_ url: String, _ body: String, _ headers: HTTPHeaders = []) throws -> URLRequest {
        var request = try URLRequest(url: url, method: .post, headers: headers)
        request.httpBody = Data(body.utf8)
        return request
    }

    // Bodies in memory

    @Test(arguments: ContentCoding.allCases)
    func `compressed bytes can be decompressed`(coding: ContentCoding) async throws {
        let server = try LocalServer(Self.echo)
        let session = Session()
        for body in [Self.text, "x"] {
            let request = session.request(try post(server.url(), body), interceptor: .compressor(coding))
            #expect(try await request.serializingString().value == body)
        }
        let sent = try #require(server.requests.first)
        #expect(sent["Content-Encoding"] == coding.rawValue)
        #expect(sent["Content-Length"] == "\(sent.bodyLength)")
        #expect(sent.bodyLength < Self.text.utf8.count / 10)
    }

    @Test(arguments: [DeflateRequestCompressor.deflateCompressor, .deflateCompressor(duplicateHeaderBehavior: .skip)])
    func `deflate has the header and the trailer of zlib's format`(compressor: DeflateRequestCompressor) async throws {
        let server = try LocalServer(Self.echo)
        let session = Session(interceptor: compressor)
        #expect(try await session.request(post(server.url(), Self.text)).serializingString().value == Self.text)
        let body = try #require(server.requests.first).body
        #expect(body.prefix(2) == [0x78, 0x5E])
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in Self.text.utf8 {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let checksum = [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
        #expect(Array(body.suffix(4)) == checksum)
        #expect(server.requests.first?["Content-Encoding"] == "deflate")
    }

    @Test func `the predefined compressors have the coding of their names`() {
        #expect(RequestCompressor.gzipCompressor.coding == .gzip)
        #expect(RequestCompressor.zstdCompressor.coding == .zstd)
        #expect(DeflateRequestCompressor.deflateCompressor.duplicateHeaderBehavior == .error)
    }

    @Test func `a request without a body is unchanged`() async throws {
        let server = try LocalServer {
            .ok($0["Content-Encoding"] ?? "none")
        }
        let session = Session(interceptor: .deflateCompressor)
        #expect(try await session.request(server.url()).serializingString().value == "none")
    }

    @Test func `the body of an upload is unchanged`() async throws {
        let server = try LocalServer(Self.echo)
        let session = Session(interceptor: .gzipCompressor)
        let upload = session.upload(Data(Self.text.utf8), to: server.url())
        #expect(try await upload.serializingString().value == Self.text)
        #expect(server.requests.map { $0["Content-Encoding"] } == [nil])
    }

    @Test func `a closure decides which bodies are compressed`() async throws {
        let server = try LocalServer(Self.echo)
        let large = DeflateRequestCompressor(shouldCompressBodyData: { $0.count > 100 })
        let session = Session(interceptor: large)
        #expect(try await session.request(post(server.url(), "small")).serializingString().value == "small")
        #expect(try await session.request(post(server.url(), Self.text)).serializingString().value == Self.text)
        // An uncompressed body may have any Content-Encoding.
        let own = session.request(try post(server.url(), "own", ["Content-Encoding": "identity"]))
        #expect(try await own.serializingString().value == "own")
        #expect(server.requests.map { $0["Content-Encoding"] } == [nil, "deflate", "identity"])
    }

    @Test func `a body with a Content-Encoding is an error, unchanged, or compressed again`() async throws {
        let server = try LocalServer {
            .bytes($0.body)
        }
        let request = try post(server.url(), Self.text, ["Content-Encoding": "br"])
        func send(_ behavior: DeflateRequestCompressor.DuplicateHeaderBehavior) async -> AFDataResponse<Data> {
            let session = Session(interceptor: .deflateCompressor(duplicateHeaderBehavior: behavior))
            return await session.request(request).serializingData().response
        }
        let refused = await send(.error)
        #expect(refused.error?.isRequestAdaptationError == true)
        #expect(refused.error?.underlyingError is DeflateRequestCompressor.DuplicateHeaderError)
        #expect(server.acceptedConnections == 0)
        #expect(await send(.skip).value == Data(Self.text.utf8))
        #expect(await send(.replace).value?.prefix(2) == Data([0x78, 0x5E]))
        #expect(server.requests.map { $0.values(for: "Content-Encoding") } == [["br"], ["deflate"]])
    }

    @Test func `a retry compresses the original body again`() async throws {
        let server = try LocalServer { request in
            request.connection == 1 ? .reset : Self.echo(request)
        }
        let chain = Interceptor(adapters: [RequestCompressor(coding: .gzip)], retriers: [CountingRetrier(limit: 1)])
        let session = Session(interceptor: chain)
        let request = session.request(try post(server.url(), Self.text))
        #expect(try await request.serializingString().value == Self.text)
        #expect(request.retryCount == 1)
        #expect(server.requests.map { $0.values(for: "Content-Encoding") } == [["gzip"], ["gzip"]])
    }

    // Uploads

    @Test(arguments: ContentCoding.allCases)
    func `a file is compressed while it is sent`(coding: ContentCoding) async throws {
        let folder = try ScratchFolder()
        var lines = ""
        for number in 0..<60_000 { lines += "line \(number &* 2_654_435_761 % 1_000_003)\n" }
        let path = try folder.write(lines, to: "log.txt")
        let server = try LocalServer(Self.echo)
        let request = try URLRequest(url: server.url(), method: .put, headers: ["X": "1"])
        let file = UploadRequest.Uploadable.file(URL(filePath: path), shouldRemove: false)
        let upload = CompressedUpload(file, with: request, coding: coding)
        let session = Session()
        #expect(try await session.upload(upload).serializingString().value == lines)
        let sent = try #require(server.requests.first)
        #expect(sent["Transfer-Encoding"] == "chunked")
        #expect(sent["Content-Encoding"] == coding.rawValue)
        #expect(sent["X"] == "1")
        #expect(sent.bodyLength < lines.utf8.count / 2)
    }

    @Test(arguments: ContentCoding.allCases)
    func `parts of any body are compressed while sent, and again after a redirect`(coding: ContentCoding) async throws {
        let server = try LocalServer { request in
            request.path == "/" ? .redirect(to: "/there", status: 307) : Self.echo(request)
        }
        let stream = ScriptedStream([.bytes("str"), .pause, .bytes("eamed")])
        let body = BodySource.parts([.bytes(Array("<".utf8)), .stream(stream), .bytes([]), .bytes([0x3E])])
        let session = Session()
        let upload = session.upload(
            try body.compressed(coding),
            to: server.url(),
            headers: [.contentEncoding(coding.rawValue)]
        )
        #expect(try await upload.serializingString().value == "<streamed>")
        #expect(server.requests.count == 2)
        #expect(server.requests.first?.body == server.requests.last?.body)
    }

    @Test func `another attempt sends a compressed stream again`() async throws {
        let server = try LocalServer { request in
            request.connection == 1 ? .reset : Self.echo(request)
        }
        let upload = CompressedUpload(
            .stream(ScriptedStream([.bytes("str"), .bytes("eamed")])),
            with: try URLRequest(url: server.url(), method: .put),
            coding: .gzip
        )
        let session = Session(interceptor: CountingRetrier(limit: 1))
        #expect(try await session.upload(upload).serializingString().value == "streamed")
        #expect(server.requests.count == 2)
    }

    @Test func `a compressed stream that can be read only once is not sent again as empty`() async throws {
        let server = try LocalServer { _ in
            .status(503)
        }
        let upload = CompressedUpload(
            .stream(ScriptedStream([.bytes("once")], canRewind: false)),
            with: try URLRequest(url: server.url(), method: .put),
            coding: .gzip
        )
        let session = Session(interceptor: RetryPolicy(exponentialBackoffScale: 0.001))
        let response = await session.upload(upload).validate().serializingData().response
        let failure = response.error?.underlyingError as? TransferFailure
        #expect(failure?.kind == .bodyNotRewindable)
        #expect(server.requests.count == 1)
    }

    @Test func `a body that compresses to no output for a long time is sent completely`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("zeros")
        try folder.write([UInt8](repeating: 0, count: 16 << 20), to: "zeros")
        var compressed = 0
        try BodySource.file(path: path).compressed(.zstd).forEachChunk { compressed += $0.count }
        #expect((1..<(64 << 10)).contains(compressed))
        let server = try LocalServer(Self.echo)
        let session = Session()
        let upload = session.upload(
            try BodySource.file(path: path).compressed(.gzip),
            to: server.url(),
            headers: [.contentEncoding("gzip")]
        )
        #expect(try await upload.serializingData().value.count == 16 << 20)
    }

    @Test func `a missing file fails the upload`() async throws {
        let server = try LocalServer.silent()
        let session = Session()
        let upload = session.upload(try BodySource.file(path: "/nonexistent").compressed(.gzip), to: server.url())
        let failure = await upload.serializingData().response.error?.underlyingError as? TransferFailure
        #expect(failure?.kind == .bodyUnreadable)
    }

    @Test func `a compressed upload that already has a Content-Encoding is an error`() async throws {
        let request = try URLRequest(url: "http://scripted.test/", method: .post, headers: ["Content-Encoding": "br"])
        let upload = CompressedUpload(.data(Data("x".utf8)), with: request, coding: .gzip)
        let session = Session(transport: ScriptedTransport())
        let response = await session.upload(upload).serializingData().response
        #expect(response.error?.underlyingError is DeflateRequestCompressor.DuplicateHeaderError)
    }
}
