import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

/// The selected version of HTTP, and what is special about HTTP/2.
@Suite(.timeLimit(.minutes(5))) struct VersionTests {
    let transport = CurlTransport()

    private func version(
        _ url: String,
        _ nginx: NginxServer,
        _ version: HTTPVersion
    ) async throws -> String? {
        let record = try await transport.fetch(url) {
            $0.httpVersion = version
            $0.tls.authorities = .file(nginx.root)
        }
        #expect(record.failure == nil)
        return record.outcome?.metrics.protocolName
    }

    @Test func `the requested HTTP version is used`() async throws {
        let nginx = try await NginxServer(files: ["a": .text("abc")])
        #expect(try await version(nginx.secureURL("/a"), nginx, .automatic) == "HTTP/2")
        #expect(try await version(nginx.secureURL("/a"), nginx, .http1_1) == "HTTP/1.1")
        #expect(try await version(nginx.secureURL("/a"), nginx, .http2) == "HTTP/2")
        #expect(try await version(nginx.url("/a"), nginx, .automatic) == "HTTP/1.1")
        #expect(try await version(nginx.clearHTTP2URL("/a"), nginx, .http2PriorKnowledge) == "HTTP/2")
    }

    @Test func `a request over HTTP/1.0 has this version in its request line`() async throws {
        let server = try LocalServer { .ok($0.version) }
        #expect(try await transport.fetch(server.url()) { $0.httpVersion = .http1_0 }.text == "HTTP/1.0")
    }

    @Test func `the version does not depend on the connections that are open`() async throws {
        let server = try LocalServer { .ok($0.version) }
        _ = try await transport.fetch(server.url())
        let record = try await transport.fetch(server.url()) {
            $0.httpVersion = .http2PriorKnowledge
            $0.timeouts.idle = 2
        }
        // The server does not support it; what matters is that the request was not sent over HTTP/1.1.
        #expect(record.failure != nil)
    }

    @Test(arguments: [(1024, 128 << 10), (128 << 10, 16 << 10), (16 << 10, 128 << 10)])
    func `consecutive transfers beside another can use different buffer sizes`(first: Int, second: Int) async throws {
        let slow = "location /slow { limit_rate 1k; }"
        let nginx = try await NginxServer(
            files: ["a": .pattern(size: 300_000), "slow": .pattern(size: 100_000)], directives: slow)
        var transfer = Transfer(url: try HTTPURL(parsing: nginx.secureURL("/slow")))
        transfer.options.tls.authorities = .file(nginx.root)
        let other = Collector()
        let control = transport.start(transfer, into: other)
        try await eventually("the other one is under way") { other.record.head != nil }
        for size in [first, second] {
            let record = try await transport.fetch(nginx.secureURL("/a")) {
                $0.receiveBufferSize = size
                $0.tls.authorities = .file(nginx.root)
            }
            #expect(record.failure == nil)
            #expect(record.body.count == 300_000)
        }
        control.cancel()
        #expect(await other.end().failure?.kind == .cancelled)
    }

    @Test func `transfers over HTTP 2 share a connection`() async throws {
        let nginx = try await NginxServer(files: ["a": .pattern(size: 100_000)])
        let collectors = try (0..<50).map { _ in
            var transfer = Transfer(url: try HTTPURL(parsing: nginx.secureURL("/a")))
            transfer.options.tls.authorities = .file(nginx.root)
            let collector = Collector()
            _ = transport.start(transfer, into: collector)
            return collector
        }
        var ports: Set<Int?> = []
        for collector in collectors {
            let record = await collector.end()
            #expect(record.body.count == 100_000)
            ports.insert(record.outcome?.metrics.localPort)
        }
        #expect(ports.count == 1)
    }

    @Test(arguments: [true, false])
    func `a sink that pauses at every second chunk loses nothing over HTTP 2`(isEncoded: Bool) async throws {
        let nginx = try await NginxServer(
            files: ["a.txt": .pattern(size: 3_000_000)],
            directives: isEncoded ? "gzip on; gzip_types text/plain;" : ""
        )
        let control = Mutex<(any TransferControl)?>(nil)
        let offers = Mutex(0)
        let collector = Collector { _, _ in
            let offer = offers.withLock { offers in
                offers += 1
                return offers
            }
            if offer.isMultiple(of: 2) { return .proceed }
            control.withLock { $0?.drain() }
            return .pause
        }
        var transfer = Transfer(
            url: try HTTPURL(parsing: nginx.secureURL("/a.txt")),
            headers: isEncoded ? [HTTPHeader(name: "Accept-Encoding", value: "gzip")] : []
        )
        transfer.options.tls.authorities = .file(nginx.root)
        control.withLock { $0 = transport.start(transfer, into: collector) }
        let record = await collector.end()
        let reference = try await transport.fetch(nginx.url("/a.txt")).body
        #expect(record.failure == nil)
        #expect(record.head?.headers["Content-Encoding"] == (isEncoded ? "gzip" : nil))
        #expect(record.outcome?.metrics.protocolName == "HTTP/2")
        #expect(record.body == reference)
        control.withLock { $0 = nil }
    }

    @Test(arguments: [nil, Int64(300_000)])
    func `a body produced on another thread is sent over HTTP 2 as it arrives`(length: Int64?) async throws {
        let nginx = try await NginxServer()
        let stream = PiecewiseStream(hasEnded: false)
        var transfer = Transfer(
            method: .put,
            url: try HTTPURL(parsing: nginx.secureURL("/uploads/f")),
            body: .stream(stream, length: length)
        )
        transfer.options.tls.authorities = .file(nginx.root)
        let collector = Collector()
        _ = transport.start(transfer, into: collector)
        let body = pattern(300_000)
        for start in stride(from: 0, to: body.count, by: 50_000) {
            try await eventually("the body is awaited") { stream.isAwaited }
            stream.give(Array(body[start..<start + 50_000]))
        }
        if length == nil {
            try await eventually("the body is awaited") { stream.isAwaited }
            stream.end()
        }
        let record = await collector.end()
        #expect(record.status == 201)
        #expect(try await transport.fetch(nginx.url("/uploads/f")).body == body)
    }

    @Test func `fields after the body over HTTP 2 are trailers`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            // nginx sends trailers over HTTP/1.1 only.
            try connection.send(.head(200), .body("abc"), .trailers([("x-sum", "1"), ("x-b", "2")]))
            try connection.waitForClose()
        }
        let record = try await transport.fetch(server.url()) { $0.httpVersion = .http2PriorKnowledge }
        #expect(record.failure == nil)
        #expect(record.text == "abc")
        #expect(record.head?.headers.count == 0)
        #expect(record.outcome?.trailers.map(\.description) == ["x-sum: 1", "x-b: 2"])
    }

    @Test func `a response head over HTTP 2 has the sent status and fields`() async throws {
        let nginx = try await NginxServer(directives: "location /t { add_header X-Head 2 always; return 299 abc; }")
        let record = try await transport.fetch(nginx.clearHTTP2URL("/t")) { $0.httpVersion = .http2PriorKnowledge }
        #expect(record.failure == nil)
        #expect(record.head?.headers["x-head"] == "2")
        #expect(record.head?.statusCode == 299)
        #expect(record.head?.httpVersion == "HTTP/2")
        #expect(record.text == "abc")
    }
}
