import AFHTTP
import AFTransport
import TestSupport
import Testing

/// Responses to `Expect: 100-continue` (RFC 9110 §10.1.1) that ``ReplayTests`` does not cover.
@Suite(.timeLimit(.minutes(5))) struct ExpectContinueTests {
    let transport = CurlTransport()
    /// Without line ends, so that a body sent without waiting for 100 is not parsed as another head.
    private let body = [UInt8](repeating: UInt8(ascii: "a"), count: 2 << 20)

    private func ask(
        _ server: LocalServer,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        try await transport.fetch(server.url(), method: .put, body: .bytes(body), configure: configure)
    }

    private func answer(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test func `other interim responses before and after 100 do not affect the upload`() async throws {
        let server = try LocalServer.scripted { connection in
            guard let request = try connection.readHead() else { return }
            for status in [102, 103, 103, 100] { try connection.send("HTTP/1.1 \(status) Wait\r\n\r\n") }
            _ = try connection.readBody(of: request)
            try connection.send("HTTP/1.1 103 Late\r\n\r\n" + answer("ok"))
        }
        let record = try await ask(server)
        #expect(record.failure == nil)
        #expect(record.heads.map(\.response.statusCode) == [102, 103, 103, 100, 103, 200])
        #expect(server.requests.first?.body == body)
    }

    @Test func `a challenge is handled before the body is sent, which is sent only once`() async throws {
        let login = DigestLogin()
        let server = try LocalServer.scripted { connection in
            while let request = try connection.readHead() {
                guard login.accepts(request) else {
                    let challenge = "WWW-Authenticate: \(login.challenge())\r\n"
                    try connection.send("HTTP/1.1 401 Who\r\n\(challenge)Content-Length: 3\r\n\r\nwho")
                    // Without the body, the connection cannot be reused.
                    return
                }
                try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
                _ = try connection.readBody(of: request)
                try connection.send(answer("ok"))
            }
        }
        let record = try await ask(server) {
            $0.authentication = AuthenticationOptions(
                credential: URLCredential(user: login.user, password: login.password), kinds: [.basic, .digest])
        }
        #expect(record.failure == nil)
        #expect(record.text == "ok")
        #expect(server.requests.map(\.body.count) == [0, body.count])
    }

    @Test(arguments: [307, 413])
    func `a 100 after the final response has no effect`(status: Int) async throws {
        let server = try LocalServer.scripted { connection in
            guard let request = try connection.readHead() else { return }
            guard request["Expect"] != nil else { return try connection.send(answer("next")) }
            try connection.send("HTTP/1.1 \(status) Early\r\nContent-Length: 5\r\n\r\nearly")
            try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            try connection.waitForClose()
        }
        let record = try await ask(server) { $0.timeouts.idle = 10 }
        #expect(record.failure == nil)
        #expect(record.status == status)
        #expect(record.text == "early")
        #expect(try await transport.fetch(server.url()).text == "next")
    }

    @Test func `over HTTP 2 the body is sent without waiting for 100, which is an interim response`()
        async throws
    {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.skipFrames(through: .data)
            try connection.sendApart([.head(100), .head(103), .head(413, isLast: true), .reset(.noError)])
            try connection.waitForClose()
        }
        for expect in [ExpectContinue.automatic, .always, .never] {
            let record = try await CurlTransport().fetch(server.url(), method: .put, body: .bytes(body)) {
                $0.httpVersion = .http2PriorKnowledge
                $0.expectContinue = expect
            }
            #expect(record.failure == nil)
            #expect(record.heads.map(\.response.statusCode) == [100, 103, 413])
        }
    }
}
