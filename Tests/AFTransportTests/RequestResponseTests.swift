import AFHTTP
import AFTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestResponseTests {
    let transport = CurlTransport()

    @Test func `a response arrives with its status, its head and its bytes`() async throws {
        let server = try LocalServer { _ in
            .raw("HTTP/1.1 404 Not  Here\r\nB: 1\r\na: 2\r\nB:3 \r\nContent-Length: 4\r\n\r\ngone")
        }
        let record = try await transport.fetch(server.url("/missing?x=1"))
        #expect(record.failure == nil)
        #expect(record.text == "gone")
        #expect(record.head?.statusCode == 404)
        #expect(record.head?.reasonPhrase == "Not  Here")
        #expect(record.head?.headers.map(\.description) == ["B: 1", "a: 2", "B: 3", "Content-Length: 4"])
        #expect(server.requests.first?.target == "/missing?x=1")
    }

    @Test func `the targets of consecutive requests are sent unchanged, with and without an empty query`() async throws
    {
        let server = try LocalServer { _ in .ok() }
        let targets = ["/?", "/", "/a?b", "/a?", "/a", "/?"]
        for target in targets { #expect(try await transport.fetch(server.url(target)).failure == nil) }
        #expect(server.requests.map(\.target) == targets)
        #expect(server.acceptedConnections == 1)
    }

    @Test func `header fields are sent in the caller's order, and only Host is added`() async throws {
        let server = try LocalServer { _ in .ok() }
        var headers = HTTPHeaders()
        headers.append(name: "x-b", value: "1")
        headers.append(name: "X-A", value: "2")
        headers.append(name: "x-b", value: "3")
        headers.append(name: "X-Empty", value: "")
        _ = try await transport.fetch(server.url("/a/../b"), headers: headers)
        let head = server.requests.first?.headText
        #expect(
            head == "GET /a/../b HTTP/1.1\r\nHost: \(server.authority)\r\n"
                + "x-b: 1\r\nX-A: 2\r\nx-b: 3\r\nX-Empty:\r\n\r\n"
        )
    }

    @Test(arguments: ["", " ", "\t", "  \t "])
    func `a field with a blank value is sent empty`(value: String) async throws {
        let server = try LocalServer { _ in .ok() }
        var headers = HTTPHeaders()
        for name in ["X-Blank", "Accept", "Content-Type", "Cookie"] { headers.append(name: name, value: value) }
        _ = try await transport.fetch(server.url(), headers: headers)
        let request = try #require(server.requests.first)
        for name in ["X-Blank", "Accept", "Content-Type"] { #expect(request[name] == "", "\(name)") }
    }

    @Test func `removed fields are not sent, even the transport's own, except Content-Length`() async throws {
        let server = try LocalServer { .ok($0.text) }
        let headers: HTTPHeaders = [
            HTTPHeader(name: "Accept", value: "*/*"), HTTPHeader(name: "User-Agent", value: "a"),
            HTTPHeader(name: "X-A", value: "1"),
        ]
        let record = try await transport.fetch(
            server.url(), method: .put, headers: headers, body: .bytes(Array("abc".utf8))
        ) {
            $0.removedHeaders = ["host", "User-Agent", "Accept", "X-None", "Content-Length"]
        }
        #expect(record.text == "abc")
        #expect(server.requests.first?.headText == "PUT / HTTP/1.1\r\nX-A: 1\r\nContent-Length: 3\r\n\r\n")
    }

    @Test func `a removed Expect is not sent, nor a removed Host over HTTP 2`() async throws {
        let server = try LocalServer { .ok("\($0["Expect"] ?? "none")") }
        let large = BodySource.bytes(pattern(2 << 20))
        let asked = try await transport.fetch(server.url(), method: .put, body: large) {
            $0.removedHeaders = ["Expect"]
            $0.expectContinue = .always
        }
        #expect(asked.text == "none")
        let nginx = try await NginxServer()
        let record = try await transport.fetch(nginx.clearHTTP2URL("/sink")) {
            $0.httpVersion = .http2PriorKnowledge
            $0.removedHeaders = ["Host"]
        }
        #expect(record.status == 400)
    }

    @Test func `a field removed from one transfer is sent again in the next`() async throws {
        let server = try LocalServer { .ok($0["Host"] ?? "none") }
        #expect(try await transport.fetch(server.url()) { $0.removedHeaders = ["Host"] }.text == "none")
        #expect(try await transport.fetch(server.url()).text == server.authority)
        #expect(try await transport.fetch(server.url()) { $0.removedHeaders = ["Host"] }.text == "none")
    }

    @Test(arguments: ["Host: x", "A\r\nB", ""])
    func `removing an invalid field name fails the transfer`(name: String) async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await transport.fetch(server.url()) { $0.removedHeaders = [name] }
        #expect(record.failure?.kind == .invalidRequest)
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [0, 1, 5000, 70_000, 3 << 20])
    func `a body in memory is sent completely with its length`(count: Int) async throws {
        let server = try LocalServer { .ok("\($0.body.count) \($0["Content-Length"] ?? "none")") }
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(bytes))
        #expect(record.text == "\(count) \(count)")
        #expect(server.requests.last?.body == bytes)
        #expect(server.requests.last?.method == "PUT")
    }

    @Test func `canceling a transfer twice ends it once`() async throws {
        let server = try LocalServer { _ in .silence }
        let collector = Collector()
        let control = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
        try await server.waitForRequests(1)
        control.cancel()
        control.cancel()
        let record = await collector.end()
        #expect(record.failure?.kind == .cancelled)
        #expect(try await transport.fetch("http://127.0.0.1:1/").failure?.kind == .cannotConnect)
        #expect(collector.finishCount == 1)
    }

    @Test func `a transfer that is canceled after a time may end before it`() async throws {
        let server = try LocalServer { request in request.path == "/" ? .silence : .ok("in time") }
        func start(_ path: String, cancelingAfter seconds: Double) throws -> Collector {
            let collector = Collector()
            let transfer = Transfer(url: try HTTPURL(parsing: server.url(path)))
            #expect(transport.start(transfer, into: collector).cancel(after: seconds))
            return collector
        }
        let beginning = ContinuousClock.now
        let (late, early) = (try start("/", cancelingAfter: 0.3), try start("/early", cancelingAfter: 30))
        #expect(await early.end().failure == nil)
        #expect(await late.end().failure?.kind == .cancelled)
        #expect(beginning.duration(to: .now) >= .milliseconds(300))
    }
}
