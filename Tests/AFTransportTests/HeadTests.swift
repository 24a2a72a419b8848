import AFHTTP
import AFTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HeadTests {
    let transport = CurlTransport()

    private func answer(
        _ text: String,
        method: HTTPMethod = .get,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        let server = try LocalServer { _ in .raw(text) }
        return try await transport.fetch(server.url(), method: method, configure: configure)
    }

    private func text(_ head: TransferHead?) -> String { String(decoding: head?.response.rawHead ?? [], as: UTF8.self) }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nb: 1\r\nA:2\r\nb:   3  \r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.0 299 \r\n\r\n",
        "HTTP/1.1 200\r\nX-Folded: a\r\n  b\r\n\tc\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 Only\nLine: feeds\n\n",
        "HTTP/1.1 404 Nicht gefunden \u{e4}\r\nX: \u{f6}\u{1b}[31m\r\nContent-Length: 0\r\n\r\n",
    ])
    func `the raw bytes of a head are preserved`(head: String) async throws {
        let record = try await answer(head)
        #expect(record.failure == nil)
        #expect(text(record.heads.first) == head)
        #expect(record.heads.map(\.kind) == [.final])
    }

    @Test func `a folded field is one field`() async throws {
        let record = try await answer("HTTP/1.1 200 OK\r\nA: b\r\n  c\r\n\td\r\nE: f\r\nContent-Length: 0\r\n\r\n")
        #expect(record.head?.headers.map(\.description) == ["A: b c d", "E: f", "Content-Length: 0"])
    }

    @Test func `interim responses precede the final one, each with its fields`() async throws {
        let record = try await answer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        )
        #expect(record.heads.map(\.kind) == [.informational, .informational, .final])
        #expect(record.heads.map(\.response.statusCode) == [103, 100, 200])
        #expect(record.heads.first?.response.headers["Link"] == "</a.css>")
        #expect(record.text == "ok")
    }

    @Test func `fields after the last chunk are trailers`() async throws {
        let server = try LocalServer { _ in .ok("abc").chunked(of: 2).trailer("X-Sum", "1").trailer("x-sum", "2") }
        let record = try await transport.fetch(server.url())
        #expect(record.text == "abc")
        #expect(record.outcome?.trailers.map(\.description) == ["X-Sum: 1", "x-sum: 2"])
        #expect(record.head?.headers["X-Sum"] == nil)
    }

    @Test func `trailers with a status line are not another header`() async throws {
        let record = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: 1\r\n"
                + "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\n\r\n")
        #expect(record.heads.map(\.kind) == [.final])
        #expect(record.heads.map(\.response.statusCode) == [200])
        #expect(record.text == "abc")
        #expect(record.outcome?.trailers.map(\.description) == ["A: 1"])
    }

    @Test func `the line limit of heads also applies to trailers`() async throws {
        let trailers = String(repeating: "A: b\r\n", count: 30)
        let record = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\(trailers)\r\n"
        ) { $0.limits.headLines = 20 }
        #expect(record.failure?.kind == .headTooLarge)
    }

    @Test func `the response to HEAD announces a length and has no body`() async throws {
        let server = try LocalServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", keepsOpen: true) }
        for _ in 0..<2 {
            let record = try await transport.fetch(server.url(), method: .head)
            #expect(record.failure == nil)
            #expect(record.head?.expectedContentLength == 500)
            #expect(record.body.isEmpty)
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: [204, 304])
    func `a response without a body is complete with its header`(status: Int) async throws {
        let server = try LocalServer { _ in .raw("HTTP/1.1 \(status) X\r\nETag: \"1\"\r\n\r\n", keepsOpen: true) }
        for _ in 0..<2 { #expect(try await transport.fetch(server.url()).status == status) }
        #expect(server.acceptedConnections == 1)
    }

    @Test func `switching protocols is a final response`() async throws {
        let record = try await answer(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw")
        #expect(record.status == 101)
        #expect(record.heads.map(\.kind) == [.final])
    }

    @Test func `empty and long reason phrases are preserved`() async throws {
        #expect(try await answer("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n").head?.reasonPhrase == "")
        let long = String(repeating: "x", count: 3000)
        #expect(try await answer("HTTP/1.1 200 \(long)\r\nContent-Length: 0\r\n\r\n").head?.reasonPhrase == long)
    }

    // Invalid headers

    @Test(arguments: [
        "hello\r\n", "ICY 200 OK\r\n\r\n", "<html></html>", "HTTP/1.1 OK 200\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/x 200 OK\r\n\r\n", "HTTP/1.1200 OK\r\n\r\n", "HTTP/1.1 099 Low\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n12345",
    ])
    func `an invalid response head is malformed`(answer text: String) async throws {
        let record = try await answer(text)
        #expect(
            record.failure?.kind == .malformedResponse, "\(record.failure.debugDescription) \(text.debugDescription)")
        #expect(record.body.isEmpty)
    }

    // Limits

    @Test func `a head of more bytes than allowed is refused`() async throws {
        let fields = String(repeating: "A: 0123456789\r\n", count: 100)
        let text = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n"
        let failure = try await answer(text) { $0.limits.headBytes = 1000 }.failure
        #expect(failure?.kind == .headTooLarge)
        #expect(failure?.reason == .headBytes)
        #expect(try await answer(text) { $0.limits.headBytes = text.utf8.count }.failure == nil)
        #expect(try await answer(text) { $0.limits.headBytes = nil }.failure == nil)
    }

    @Test func `a head of more lines than allowed is refused`() async throws {
        let fields = String(repeating: "A: b\r\n", count: 100)
        let text = "HTTP/1.1 200 OK\r\n\(fields)\r\n"
        let failure = try await answer(text) { $0.limits.headLines = 99 }.failure
        #expect(failure?.kind == .headTooLarge)
        #expect(failure?.reason == .headLines)
        #expect(try await answer(text) { $0.limits.headLines = 100 }.failure == nil)
    }

    @Test func `continuation lines of a folded field count toward the line limit`() async throws {
        let text = "HTTP/1.1 200 OK\r\nA: b\r\n" + String(repeating: " c\r\n", count: 100) + "\r\n"
        #expect(try await answer(text) { $0.limits.headLines = 99 }.failure?.kind == .headTooLarge)
    }

    @Test(arguments: [90_000, 150_000, 400_000])
    func `a very long header line is either accepted or rejected as too large`(length: Int) async throws {
        let value = String(repeating: "v", count: length)
        let record = try await answer("HTTP/1.1 200 OK\r\nA: \(value)\r\nContent-Length: 0\r\n\r\n")
        if length < 100_000 {
            #expect(record.head?.headers["A"] == value)
        } else {
            #expect(record.failure?.kind == .headTooLarge)
        }
    }

    @Test func `a status line without end is refused`() async throws {
        let record = try await answer("HTTP/1.1 200 " + String(repeating: "x", count: 400_000))
        #expect(record.failure?.kind == .headTooLarge)
    }

    @Test func `a huge head without a byte limit is either accepted or rejected as too large`() async throws {
        let fields = String(repeating: "A: \(String(repeating: "v", count: 1000))\r\n", count: 2000)
        let record = try await answer("HTTP/1.1 200 OK\r\n\(fields)\r\n") { $0.limits.headBytes = nil }
        #expect(record.failure == nil || record.failure?.kind == .headTooLarge)
    }

    @Test func `more interim responses than allowed are refused`() async throws {
        let interim = String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: 21)
        let text = "\(interim)HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(try await answer(text).failure?.kind == .tooManyInterimResponses)
        #expect(try await answer(text) { $0.limits.interimResponses = 21 }.failure == nil)
    }

    @Test func `metrics contain earlier response heads, and their request heads if observed`() async throws {
        let login = DigestLogin()
        let server = try LocalServer { request in
            guard login.accepts(request) else {
                return .status(401).header("WWW-Authenticate", login.challenge())
            }
            return .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        for hears in [true, false] {
            let record = try await CurlTransport().fetch(server.url("/x")) {
                $0.authentication = AuthenticationOptions(
                    credential: URLCredential(user: login.user, password: login.password),
                    kinds: .digest
                )
                if hears { $0.eventHandler = TransferEventHandler([.requestHead]) { _ in } }
            }
            let heads = try #require(record.outcome?.metrics.earlierHeads)
            #expect(heads.map(\.kind) == [.intermediate, .informational])
            #expect(heads.map(\.response.statusCode) == [401, 103])
            #expect(heads.last?.response.headers.value(for: "Link") == "</a>")
            let sent = server.requests.suffix(2).map { hears ? $0.head : [] }
            #expect(heads.map { $0.requestHead.count } == sent.map(\.count))
        }
    }

    @Test func `trailers of a challenge are not those of the response`() async throws {
        let login = DigestLogin()
        let server = try LocalServer { request in
            guard login.accepts(request) else {
                return .status(401, "no").header("WWW-Authenticate", login.challenge()).chunked(of: 2).trailer("A", "1")
            }
            return .ok("yes").chunked(of: 2).trailer("B", "2")
        }
        let record = try await transport.fetch(server.url("/x")) {
            $0.authentication = AuthenticationOptions(
                credential: URLCredential(user: login.user, password: login.password),
                kinds: .digest
            )
        }
        #expect(record.text == "yes")
        #expect(record.outcome?.trailers.map(\.description) == ["B: 2"])
    }

    @Test func `metrics contain only a limited number of interim responses`() async throws {
        let interim = String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: 100)
        let server = try LocalServer { _ in .raw("\(interim)HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        let record = try await CurlTransport().fetch(server.url()) { $0.limits.interimResponses = nil }
        #expect(record.failure == nil)
        #expect(record.outcome?.metrics.earlierHeads.count == TransactionMetrics.maximumEarlierHeads)
    }

    @Test(arguments: ["99999999999999999999999", "-1", "2, 3", "2\r\nContent-Length: 3", "two"])
    func `an invalid Content-Length fails the transfer`(length: String) async throws {
        let server = try LocalServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhi") }
        let record = try await CurlTransport().fetch(server.url())
        #expect(record.failure?.kind == .malformedResponse)
        #expect(record.head == nil)
    }
}
