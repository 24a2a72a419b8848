import AFHTTP
import AFTransport
import Glibc
import Synchronization
import TestSupport
import Testing

/// Bodies that have to be sent again, and `Expect: 100-continue`, which avoids sending them in vain.
@Suite(.timeLimit(.minutes(5))) struct ReplayTests {
    let transport = CurlTransport()
    private let challenge = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5"

    private func logIn(_ options: inout TransferOptions) {
        options.authentication = AuthenticationOptions(
            credential: URLCredential(user: "u", password: "p"),
            kinds: [.basic, .digest]
        )
    }

    /// Returns a server that responds with 401 to requests without `Authorization`.
    private func challenger() throws -> LocalServer {
        try LocalServer { [challenge] request in
            request["Authorization"] == nil
                ? .status(401, "who?").header("WWW-Authenticate", challenge)
                : .ok("\(request.body.count)")
        }
    }

    @Test func `a challenged body is sent again, and the first response is intermediate`() async throws {
        let server = try challenger()
        let body = pattern(200_000)
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(body), configure: logIn)
        #expect(record.text == "200000")
        #expect(record.heads.map(\.kind) == [.intermediate, .final])
        #expect(record.heads.map(\.response.statusCode) == [401, 200])
        #expect(server.requests.last?.body == body)
        #expect(server.requests.last?["Authorization"]?.hasPrefix("Digest ") == true)
    }

    @Test func `a challenged stream that can rewind is sent again`() async throws {
        let server = try challenger()
        let stream = PiecewiseStream([pattern(100_000)], canRewind: true)
        let record = try await transport.fetch(
            server.url(),
            method: .put,
            body: .stream(stream, length: 100_000),
            configure: logIn
        )
        #expect(record.text == "100000")
        #expect(server.requests.last?.body == pattern(100_000))
    }

    @Test func `a challenged stream that cannot rewind fails the transfer`() async throws {
        let server = try challenger()
        let record = try await transport.fetch(
            server.url(),
            method: .put,
            body: .stream(PiecewiseStream([pattern(100_000)]), length: 100_000),
            configure: logIn
        )
        #expect(record.failure?.kind == .bodyNotRewindable)
        #expect(server.requests.count == 1)
    }

    @Test func `rejected credentials end with the second response`() async throws {
        let server = try LocalServer { [challenge] _ in .status(401, "no").header("WWW-Authenticate", challenge) }
        let record = try await transport.fetch(server.url(), configure: logIn)
        #expect(record.failure == nil)
        #expect(record.text == "no")
        #expect(record.heads.map(\.kind) == [.intermediate, .final])
    }

    @Test func `a body is sent again on a new connection if the server resets the reused one`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
            if connection.number == 1 {
                // Discards the next request with the connection, like a server whose keep-alive timeout expires.
                _ = try connection.readRequest()
                connection.reset()
            } else {
                try connection.waitForClose()
            }
        }
        _ = try await transport.fetch(server.url())
        let body = pattern(100_000)
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(body))
        #expect(record.failure == nil)
        #expect(record.text == "first")
        #expect(server.requests.last?.body == body)
        #expect(server.acceptedConnections == 2)
    }

    @Test func `a stream that cannot rewind fails if the server resets the reused connection`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
            guard let request = try connection.readHead() else { return }
            _ = try connection.readBody(of: request)
            connection.reset()
        }
        _ = try await transport.fetch(server.url())
        let stream = PiecewiseStream([pattern(100_000)])
        let record = try await transport.fetch(server.url(), method: .put, body: .stream(stream, length: 100_000))
        #expect(record.failure?.kind == .bodyNotRewindable)
    }

    // Expect: 100-continue

    @Test func `a body above one mebibyte is sent with Expect, a smaller one without`() async throws {
        let server = try LocalServer { .ok("\($0.body.count) \($0["Expect"] ?? "none")") }
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(pattern(1 << 20 + 1)))
        #expect(record.text == "\(1 << 20 + 1) 100-continue")
        #expect(record.heads.map(\.kind) == [.informational, .final])
        let small = try await transport.fetch(server.url(), method: .put, body: .bytes(pattern(1 << 20)))
        #expect(small.text == "\(1 << 20) none")
    }

    @Test func `the body is sent after a second if the server does not respond to Expect`() async throws {
        let server = try LocalServer.scripted { connection in
            guard let request = try connection.readHead() else { return }
            _ = try connection.readBody(of: request)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let body = pattern(2 << 20)
        let start = ContinuousClock.now
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(body))
        #expect(record.text == "ok")
        #expect(start.duration(to: .now) > .milliseconds(900))
    }

    @Test(arguments: [true, false], [ExpectContinue.automatic, .always])
    func `a 417 to Expect makes the transport send the body without Expect`(
        closes: Bool,
        expect: ExpectContinue
    ) async throws {
        let server = try LocalServer.scripted { connection in
            while let request = try connection.readHead() {
                if request["Expect"] != nil {
                    let closing = closes ? "Connection: close\r\n" : ""
                    try connection.send("HTTP/1.1 417 No\r\nContent-Length: 2\r\n\(closing)\r\nno")
                    if closes { return }
                } else {
                    _ = try connection.readBody(of: request)
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }
        // Without line ends, so that a body sent without waiting for 100 is not parsed as another head.
        let body = [UInt8](repeating: UInt8(ascii: "a"), count: 2 << 20)
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(body)) {
            $0.expectContinue = expect
        }
        #expect(record.text == "ok")
        #expect(record.heads.first?.response.statusCode == 417)
        #expect(record.heads.dropLast().allSatisfy { $0.kind == .intermediate })
        #expect(record.status == 200)
        #expect(server.requests.last?.body.count == 2 << 20)
    }

    /// Returns a server that responds to a head with `Expect` with 417, and to other requests after their body.
    ///
    /// - Parameters:
    ///   - startsBody: Whether the server first waits for the start of the body, which libcurl sends after a second.
    ///   - gate: Another event that the server waits for.
    private func questionRefuser(
        startsBody: Bool = false,
        after gate: Gate? = nil,
        other status: Int = 200
    ) throws -> LocalServer {
        try LocalServer.scripted { connection in
            while let request = try connection.readHead() {
                if request["Expect"] != nil {
                    if startsBody, request["Content-Length"] != "0" { _ = try connection.receive(atMost: 1) }
                    if let gate { try connection.wait(for: gate) }
                    try connection.send("HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno")
                    // The sent part of the body must not be parsed as a request.
                    while try !connection.receive(atMost: 1 << 20).isEmpty {}
                    return
                }
                _ = try connection.readBody(of: request)
                try connection.send("HTTP/1.1 \(status) Well\r\nContent-Length: 4\r\n\r\nwell")
            }
        }
    }

    // libcurl repeats a request with the same fields, including an `Expect` set by the caller.
    @Test(arguments: [false, true], [ExpectContinue.always, .never])
    func `an Expect set by the caller is not repeated after a 417`(
        startsBody: Bool,
        expect: ExpectContinue
    ) async throws {
        try await concurrently([0, 10, 1 << 20, 2 << 20]) { length in
            let server = try questionRefuser(startsBody: startsBody)
            let fields: HTTPHeaders = expect == .never ? ["Expect": "100-continue"] : []
            let record = try await transport.fetch(
                server.url(), method: .post, headers: fields, body: .bytes(pattern(length))
            ) {
                $0.expectContinue = expect
            }
            #expect(record.failure == nil, "\(length)")
            #expect(record.text == "well", "\(length)")
            #expect(record.heads.map(\.response.statusCode) == [417, 200])
            #expect(record.heads.map(\.kind) == [.intermediate, .final])
            #expect(server.requests.map { $0["Expect"] } == ["100-continue", nil])
            #expect(server.requests.last?.body == pattern(length))
        }
    }

    // The connection is reset after the 417, which may still be unread in the socket when sending fails.
    @Test func `after a 417 during the upload the request is sent without Expect`() async throws {
        let server = try LocalServer.scripted { connection in
            while let request = try connection.readHead() {
                guard request["Expect"] != nil else {
                    _ = try connection.readBody(of: request)
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwell")
                    continue
                }
                try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
                _ = try connection.receive(atMost: 1000)
                try connection.send("HTTP/1.1 417 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
                return
            }
        }
        for _ in 0..<40 {
            let record = try await transport.fetch(server.url(), method: .put, body: .bytes(pattern(8 << 20)))
            #expect(record.failure == nil)
            #expect(record.text == "well")
        }
    }

    @Test func `a 417 to the repeated request without Expect is the final response`() async throws {
        let server = try questionRefuser(other: 417)
        let record = try await transport.fetch(server.url(), method: .post, body: .bytes([1])) {
            $0.expectContinue = .always
        }
        #expect(record.heads.map(\.response.statusCode) == [417, 417])
        #expect(record.text == "well")
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [false, true])
    func `after a 417 a partly sent stream is sent again only if it can rewind`(canRewind: Bool) async throws {
        let stream = PiecewiseStream([pattern(1000)], hasEnded: false, canRewind: canRewind)
        let (record, server) = try await refused(stream) { stream.end() }
        #expect(record.failure?.kind == (canRewind ? nil : .bodyNotRewindable))
        #expect(server.requests.map { $0["Expect"] } == (canRewind ? ["100-continue", nil] : ["100-continue"]))
        if canRewind { #expect(server.requests.last?.body == pattern(1000)) }
    }

    @Test func `after a 417 a stream that has delivered nothing yet is sent without Expect`() async throws {
        let stream = PiecewiseStream([], hasEnded: false)
        let (record, server) = try await refused(stream) {
            stream.give(pattern(1000))
            stream.end()
        }
        #expect(record.text == "well")
        #expect(server.requests.last?.body == pattern(1000))
    }

    /// Sends a stream to a server that responds with 417 when all chunks of it were read.
    ///
    /// - Parameter complete: Called when the request was repeated, or has failed.
    private func refused(
        _ stream: PiecewiseStream,
        complete: () -> Void
    ) async throws -> (Collector.Record, LocalServer) {
        let gate = Gate()
        let server = try questionRefuser(after: gate)
        let url = try HTTPURL(parsing: server.url())
        var transfer = Transfer(method: .post, url: url, body: .stream(stream, length: nil))
        transfer.options.expectContinue = .always
        let collector = Collector()
        _ = transport.start(transfer, into: collector)
        try await eventually("the stream is awaited") { stream.isAwaited }
        gate.open()
        try await eventually("the request is repeated or fails") {
            server.requests.count == 2 || collector.record.outcome != nil
        }
        complete()
        return (await collector.end(), server)
    }

    /// Returns a server that responds with 417 to every complete request.
    private func refuser(closes: Bool) throws -> LocalServer {
        try LocalServer.scripted { connection in
            while let request = try connection.readHead() {
                if request["Expect"] != nil { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                _ = try connection.readBody(of: request)
                let closing = closes ? "Connection: close\r\n" : ""
                try connection.send("HTTP/1.1 417 No\r\nContent-Length: 2\r\n\(closing)\r\nno")
                if closes { return }
            }
        }
    }

    @Test(arguments: [true, false], [ExpectContinue.automatic, .never])
    func `a 417 to a request without Expect is the final response`(closes: Bool, expect: ExpectContinue) async throws {
        for length in [10, 100_000] {
            let server = try refuser(closes: closes)
            let record = try await transport.fetch(server.url(), method: .post, body: .bytes(pattern(length))) {
                $0.expectContinue = expect
            }
            #expect(record.failure == nil)
            #expect(record.heads.map(\.response.statusCode) == [417])
            #expect(record.status == 417)
            #expect(record.text == "no")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a 417 is the final response if Expect is removed or has another value`() async throws {
        let server = try refuser(closes: true)
        let removed = try await transport.fetch(server.url(), method: .post, body: .bytes(pattern(2 << 20))) {
            $0.removedHeaders = ["expect"]
        }
        #expect(removed.text == "no")
        let other = try await transport.fetch(
            server.url(), method: .post, headers: ["Expect": "better"], body: .bytes([1]))
        #expect(other.text == "no")
        #expect(server.requests.map { $0["Expect"] } == [nil, "better"])
    }

    @Test(arguments: [true, false])
    func `a 417 after a completely sent stream is the final response`(closes: Bool) async throws {
        let server = try refuser(closes: closes)
        let stream = PiecewiseStream([pattern(1000)])
        let record = try await transport.fetch(server.url(), method: .post, body: .stream(stream, length: 1000)) {
            $0.expectContinue = .always
        }
        #expect(record.failure == nil)
        #expect(record.status == 417)
        #expect(record.text == "no")
        #expect(server.requests.count == 1)
    }

    @Test func `the body is not sent after a final response to Expect`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig")
            try connection.waitForClose()
        }
        let record = try await transport.fetch(server.url(), method: .put, body: .bytes(pattern(2 << 20)))
        #expect(record.failure == nil)
        #expect(record.status == 413)
        #expect(record.text == "big")
        #expect(server.requests.first?.body.isEmpty == true)
    }

    @Test func `Expect can be disabled for a large body and required for a small one`() async throws {
        let server = try LocalServer { .ok($0["Expect"] ?? "none") }
        let large = BodySource.bytes(pattern(2 << 20))
        let never = try await transport.fetch(server.url(), method: .put, body: large) { $0.expectContinue = .never }
        #expect(never.text == "none")
        let always = try await transport.fetch(server.url(), method: .put, body: .bytes([1])) {
            $0.expectContinue = .always
        }
        #expect(always.text == "100-continue")
    }

    // Responses before the end of the body

    @Test(arguments: [200, 413])
    func `the response of a server that stops reading is not lost`(status: Int) async throws {
        let body = pattern(2 << 20)
        for _ in 0..<10 {
            let server = try LocalServer.scripted { connection in
                _ = try connection.readHead()
                _ = try connection.receive(atMost: 10_000)
                try connection.send(
                    "HTTP/1.1 \(status) Early\r\nContent-Length: 5\r\nConnection: close\r\n\r\nearly"
                )
                // The response must reach the client's socket before the reset.
                try connection.waitUntilDelivered()
                // Unread bytes turn the closing into a reset.
            }
            let record = try await transport.fetch(server.url(), method: .put, body: .bytes(body)) {
                $0.expectContinue = .never
            }
            #expect(record.failure == nil)
            #expect(record.status == status)
            #expect(record.text == "early")
        }
    }
}
