import AFHTTP
import AFTransport
import Glibc
import TestSupport
import Testing

/// The failures caused by servers, networks and callers. TLS has its own suite.
@Suite(.timeLimit(.minutes(5))) struct FailureTests {
    let transport = CurlTransport()

    private func fails(
        with kind: TransferFailure.Kind,
        _ answer: LocalServer.Response,
        sourceLocation: SourceLocation = #_sourceLocation,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws {
        let server = try LocalServer { _ in answer }
        let failure = try await transport.fetch(server.url(), configure: configure).failure
        #expect(failure?.kind == kind, "\(failure.debugDescription)", sourceLocation: sourceLocation)
        #expect(failure?.detail.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test func `a name without address is an unresolved host`() async throws {
        let record = try await transport.fetch("http://nothing.invalid/") { $0.timeouts.connect = 20 }
        #expect(record.failure?.kind == .unresolvedHost)
    }

    @Test func `a proxy's name without address is an unresolved proxy`() async throws {
        let record = try await transport.fetch("http://127.0.0.1/") {
            $0.proxy = ProxyOptions(url: "http://nothing.invalid:3128")
            $0.timeouts.connect = 20
        }
        #expect(record.failure?.kind == .unresolvedProxy)
    }

    @Test func `a refused connection fails as cannotConnect`() async throws {
        let port = try RefusingPort()
        #expect(try await transport.fetch(port.url()).failure?.kind == .cannotConnect)
    }

    @Test func `a failure has an OS error number only if the system reported one`() async throws {
        let port = try RefusingPort()
        #expect(try await transport.fetch(port.url()).failure?.osErrorNumber == ECONNREFUSED)
        let missing = try await transport.fetch("http://a.example/") { $0.network.unixSocketPath = "/nowhere/socket" }
        #expect(missing.failure?.osErrorNumber == ENOENT)
        let server = try LocalServer { $0.path == "/reset" ? .reset : .close }
        #expect(try await transport.fetch(server.url("/reset")).failure?.osErrorNumber == ECONNRESET)
        let closed = try await transport.fetch(server.url("/close"))
        #expect(closed.failure?.kind == .connectionLost)
        #expect(closed.failure?.osErrorNumber == nil)
    }

    @Test func `an unresponsive port runs into the connect timeout`() async throws {
        let port = try UnresponsivePort()
        let record = try await transport.fetch(port.url()) { $0.timeouts.connect = 0.2 }
        #expect(record.failure?.kind == .connectTimedOut)
    }

    @Test func `a server that does not respond runs into the idle timeout`() async throws {
        try await fails(with: .idleTimedOut, .silence) { $0.timeouts.idle = 0.2 }
    }

    @Test(arguments: [1e30, .infinity, 1e-30])
    func `extremely long and short timeouts are accepted`(seconds: Double) async throws {
        let server = try LocalServer { _ in .ok("abc") }
        let record = try await transport.fetch(server.url()) {
            $0.timeouts = Timeouts(connect: seconds, idle: max(1, seconds), total: max(1, seconds))
        }
        #expect(record.text == "abc" || record.failure?.kind == .connectTimedOut)
    }

    @Test(arguments: [0, -1, .nan])
    func `a timeout of zero, below zero or NaN is no timeout`(seconds: Double) async throws {
        let server = try LocalServer { _ in .ok("abc") }
        var timeouts = Timeouts(connect: seconds, idle: seconds, total: seconds)
        #expect(timeouts == Timeouts(connect: nil, idle: nil, total: nil))
        timeouts.idle = seconds
        let record = try await transport.fetch(server.url()) { [timeouts] in $0.timeouts = timeouts }
        #expect(record.text == "abc")
    }

    @Test func `a stalled body runs into the idle timeout`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.sendSlowly(
                "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n12345", pieces: 8, every: .milliseconds(60))
            try connection.waitForClose()
        }
        // On a busy machine more than a quarter of a second may pass between two pieces.
        for limit in [0.25, 3, 30] {
            let record = try await transport.fetch(server.url()) { $0.timeouts.idle = limit }
            #expect(record.failure?.kind == .idleTimedOut)
            if limit < 30, record.text != "12345" { continue }
            #expect(record.text == "12345")
            break
        }
    }

    @Test func `a slow body that keeps arriving runs into the total timeout`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
            for _ in 0..<9999 { try connection.sendSlowly("x", every: .milliseconds(10)) }
        }
        let record = try await transport.fetch(server.url()) { $0.timeouts = Timeouts(idle: 0.3, total: 0.5) }
        #expect(record.failure?.kind == .totalTimedOut)
        #expect(record.body.isEmpty == false)
    }

    @Test func `time that earlier hops took counts toward the total`() async throws {
        let server = try LocalServer { _ in .ok() }
        var transfer = Transfer(url: try HTTPURL(parsing: server.url()))
        transfer.options.timeouts.total = 50
        transfer.elapsedTime = 50
        let collector = Collector()
        _ = transport.start(transfer, into: collector)
        let failure = await collector.end().failure
        #expect(failure?.kind == .totalTimedOut)
        #expect(failure?.detail == "the transfer took longer than 50 s")
        #expect(server.acceptedConnections == 0)
        transfer.elapsedTime = 20
        let other = Collector()
        _ = transport.start(transfer, into: other)
        #expect(await other.end().failure == nil)
    }

    @Test func `a body shorter than announced is truncated`() async throws {
        try await fails(with: .truncated, .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234"))
    }

    @Test(arguments: ["4\r\nab", "2\r\nab\r\n", "2\r\nab\r\n0\r\n", ""])
    func `a chunked body without its end is truncated`(body: String) async throws {
        try await fails(with: .truncated, .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"))
    }

    @Test func `a body cut off by a connection reset is truncated`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234")
            connection.reset()
        }
        #expect(try await transport.fetch(server.url()).failure?.kind == .truncated)
    }

    @Test func `a connection closed or reset before the response is a failure`() async throws {
        try await fails(with: .connectionLost, .close)
        try await fails(with: .connectionLost, .reset)
    }

    @Test(arguments: [
        "H", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 103 Hint\r\n\r\n",
    ])
    func `an incomplete response head is a lost connection`(head: String) async throws {
        try await fails(with: .connectionLost, .raw(head))
    }

    @Test func `an invalid chunk size is a malformed response`() async throws {
        let server = try LocalServer { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nab\r\n0\r\n\r\n")
        }
        let record = try await transport.fetch(server.url())
        #expect(record.failure?.kind == .malformedResponse)
        #expect(record.body.isEmpty)
    }

    @Test func `a body that does not match its Content-Encoding is undecodable`() async throws {
        let answer = LocalServer.Response.ok("this is no gzip").header("Content-Encoding", "gzip")
        try await fails(with: .undecodableBody, answer)
    }

    @Test func `a damaged body is readable without decoding`() async throws {
        let answer = LocalServer.Response.ok("abc").header("Content-Encoding", "gzip")
        try await fails(with: .undecodableBody, answer)
        let server = try LocalServer { _ in answer }
        #expect(try await transport.fetch(server.url()) { $0.decodesContent = false }.text == "abc")
    }

    @Test func `a chain of many encodings is refused`() async throws {
        let chain = Array(repeating: "gzip", count: 6).joined(separator: ", ")
        try await fails(with: .undecodableBody, .ok("abc").header("Content-Encoding", chain))
    }

    @Test func `a body above the size limit is too large, and a body of exactly the limit is accepted`() async throws {
        try await fails(with: .bodyTooLarge, .bytes(pattern(50_001))) { $0.limits.bodyBytes = 50_000 }
        let server = try LocalServer { _ in .bytes(pattern(50_000)) }
        #expect(try await transport.fetch(server.url()) { $0.limits.bodyBytes = 50_000 }.failure == nil)
    }

    @Test func `a sink that returns stop ends the transfer`() async throws {
        let server = try LocalServer { _ in .bytes(pattern(100_000)) }
        let collector = Collector { _, _ in .stop }
        _ = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
        #expect(await collector.end().failure?.kind == .stopped)
    }

    @Test func `HTTP 3 is an error that names it if libcurl does not support it`() async throws {
        guard !CurlFeatures.hasHTTP3 else { return }
        let server = try LocalServer { _ in .ok() }
        let failure = try await transport.fetch(server.url()) { $0.httpVersion = .http3 }.failure
        #expect(failure?.kind == .unsupported)
        #expect(failure?.detail.contains("HTTP/3") == true)
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: ["", "GE T", "GET\r\nX: y", "GET\0", "G\u{e9}T"])
    func `an invalid method is never sent`(method: String) async throws {
        let server = try LocalServer { _ in .ok() }
        let failure = try await transport.fetch(server.url(), method: HTTPMethod(rawValue: method)).failure
        #expect(failure?.kind == .invalidRequest)
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [
        ("A\r\nB", "c"), ("A", "b\r\nC: d"), ("A", "b\0"), ("A:", "b"), ("", "b"), ("A b", "c"), ("A", "\u{7f}"),
    ])
    func `a header field with an invalid name or value is never sent`(name: String, value: String) async throws {
        let server = try LocalServer { _ in .ok() }
        let headers = HTTPHeaders([HTTPHeader(name: name, value: value)])
        let failure = try await transport.fetch(server.url(), headers: headers).failure
        #expect(failure?.kind == .invalidRequest)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `credentials with a line break are never sent`() async throws {
        let server = try LocalServer { _ in .ok() }
        let failure = try await transport.fetch(server.url()) {
            $0.authentication = AuthenticationOptions(credential: URLCredential(user: "a\r\nX: y", password: ""))
        }.failure
        #expect(failure?.kind == .invalidRequest)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a Unix socket path with a NUL is rejected`() async throws {
        let failure = try await transport.fetch("http://127.0.0.1/") { $0.network.unixSocketPath = "/tmp/a\0b" }.failure
        #expect(failure?.kind == .invalidRequest)
    }
}
