import AFHTTP
import AFTransport
import TestSupport
import Testing

/// Where a response over HTTP/2 ends: at END_STREAM, and nowhere else (RFC 9113 §8.1).
@Suite(.timeLimit(.minutes(5))) struct HTTP2EndTests {
    /// - Parameter isTogether: Whether all frames are sent in one write.
    private func fetch(
        method: HTTPMethod = .get,
        _ frames: [HTTP2Frame],
        isTogether: Bool = false,
        closes: Bool = false
    ) async throws -> Collector.Record {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            if isTogether { try connection.send(frames) } else { try connection.sendApart(frames) }
            if !closes { try connection.waitForClose() }
        }
        return try await CurlTransport().fetch(server.url(), method: method) {
            $0.httpVersion = .http2PriorKnowledge
            $0.timeouts.idle = 10
        }
    }

    @Test func `the 101 of an upgrade to HTTP 2 is an interim response`() async throws {
        let server = try LocalServer.scripted { connection in
            guard try connection.readHead()?["Upgrade"] == "h2c" else { return }
            try connection.upgradeToHTTP2()
            try connection.send(.head(200), .body("all", isLast: true))
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url()) { $0.httpVersion = .http2 }
        #expect(record.failure == nil)
        #expect(record.text == "all")
        #expect(record.heads.map(\.kind) == [.informational, .final])
        #expect(record.heads.map(\.response.statusCode) == [101, 200])
    }

    @Test(arguments: [1024, 16 << 10, 100 << 10])
    func `a long response together with the 101 of an upgrade is received`(bufferSize: Int) async throws {
        let chunk = String(repeating: "x", count: 16_000)
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            // No more than the initial window of a connection.
            let chunks = (1...4).map { HTTP2Frame.body(chunk, isLast: $0 == 4) }
            try connection.upgradeToHTTP2(sending: [.head(200)] + chunks)
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url()) {
            $0.httpVersion = .http2
            $0.receiveBufferSize = bufferSize
        }
        #expect(record.failure == nil)
        #expect(record.body.count == 4 * 16_000)
    }

    @Test func `a request for an upgrade has one Connection field`() async throws {
        let server = try LocalServer { .ok($0.values(for: "Connection").joined(separator: "; ")) }
        for (value, expected) in [
            ("keep-alive", "Upgrade, HTTP2-Settings"), ("Keep-Alive", "Upgrade, HTTP2-Settings"),
            ("close", "Upgrade, HTTP2-Settings; close"),
        ] {
            let headers: HTTPHeaders = [HTTPHeader(name: "Connection", value: value)]
            let upgrade = try await CurlTransport().fetch(server.url(), headers: headers) { $0.httpVersion = .http2 }
            #expect(upgrade.text.split(separator: "; ").sorted() == expected.split(separator: "; ").sorted())
            #expect(try await CurlTransport().fetch(server.url(), headers: headers).text == value)
        }
    }

    @Test func `a 417 to a request without Expect is the final response`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.send(.head(417), .body("no", isLast: true))
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url(), method: .post, body: .bytes([1])) {
            $0.httpVersion = .http2PriorKnowledge
        }
        #expect(record.heads.map(\.response.statusCode) == [417])
        #expect(record.text == "no")
    }

    /// libcurl 8.14 itself would repeat the request, and drop the body of the 417.
    @Test func `a 417 to a request with Expect is followed by one without it`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            guard connection.number == 1 else {
                try connection.send(.head(200), .body("yes", isLast: true))
                try connection.waitForClose()
                return
            }
            try connection.send(.head(417), .body("no", isLast: true))
            // libcurl 7.88 opens another connection.
            try connection.skipFrames(through: .headers)
            try connection.send(.head(200, stream: 3), .body("yes", isLast: true, stream: 3))
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url(), method: .post, body: .bytes([1])) {
            $0.httpVersion = .http2PriorKnowledge
            $0.expectContinue = .always
        }
        #expect(record.heads.map(\.response.statusCode) == [417, 200])
        #expect(record.text == "yes")
    }

    @Test func `a request on a refused stream is retried once`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.send(.reset(.refusedStream))
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url()) { $0.httpVersion = .http2PriorKnowledge }
        #expect(record.failure?.kind == .connectionLost)
        #expect(record.failure?.reason == .streamRefused)
        #expect(record.failure?.detail.hasSuffix("without processing the request (REFUSED_STREAM)") == true)
        #expect(server.acceptedConnections == 2)
    }

    @Test func `a response reset in the same packet is reported as a reset`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.send(.head(200), .body("half"), .reset(.cancel))
            try connection.waitForClose()
        }
        let failure = try await CurlTransport().fetch(server.url()) { $0.httpVersion = .http2PriorKnowledge }.failure
        #expect([.connectionLost, .truncated].contains(failure?.kind))
        #expect(failure?.detail.contains("reset the") == true, "\(String(describing: failure))")
    }

    @Test func `stream resets can be detected in this program`() { #expect(CurlFeatures.detectsStreamEnds) }

    @Test(arguments: [[], [("content-length", "6")]], HTTP2Frame.ErrorCode.allCases)
    func `a stream that is reset before its end is truncated`(
        fields: [(name: String, value: String)],
        code: HTTP2Frame.ErrorCode
    ) async throws {
        let record = try await fetch([.head(200, fields), .body("early"), .reset(code)])
        #expect(record.failure?.kind == .truncated)
        #expect(record.failure?.detail.contains(code.name) == true, "\(record.failure.debugDescription)")
        #expect(record.status == 200)
        #expect(record.text == "early")
    }

    @Test func `a response reset directly after its head is truncated`() async throws {
        let record = try await fetch([.head(200), .reset(.noError)])
        #expect(record.failure?.kind == .truncated)
        #expect(record.status == 200)
    }

    @Test func `a response is truncated if the connection ends before the stream`() async throws {
        for frames in [[], [HTTP2Frame.goAway()]] {
            let record = try await fetch([.head(200), .body("early")] + frames, closes: true)
            #expect(record.failure?.kind == .truncated)
            #expect(record.text == "early")
        }
    }

    @Test(arguments: HTTP2Frame.connectionErrors.indices, [[], [("content-length", "9")]])
    func `a response is truncated if the server breaks the protocol before END_STREAM`(
        index: Int,
        fields: [(name: String, value: String)]
    ) async throws {
        for isTogether in [false, true] {
            let record = try await fetch(
                [.head(200, fields), .body("early"), HTTP2Frame.connectionErrors[index]], isTogether: isTogether)
            #expect(record.failure?.kind == .truncated, "\(String(describing: record.failure))")
            let detail = record.failure?.detail ?? ""
            #expect(detail.hasPrefix("the server broke the HTTP/2 protocol: "), "\(detail)")
        }
    }

    @Test(arguments: ["connection", "upgrade", "keep-alive", "transfer-encoding", "proxy-connection", "Link", ""])
    func `a response with a field that HTTP 2 forbids is malformed, and only its name is reported`(
        name: String
    ) async throws {
        let field = (name: name, value: "SECRET")
        for frames: [HTTP2Frame] in [
            [.head(200, [field], isLast: true)], [.head(103, [field]), .head(200), .body("late", isLast: true)],
        ] {
            let failure = try await fetch(frames, isTogether: true).failure
            #expect(failure?.kind == .malformedResponse, "\(String(describing: failure))")
            #expect(failure?.reason == .protocolError)
            #expect(failure?.detail == "it breaks the HTTP/2 protocol: the field '\(name)' is invalid")
        }
    }

    @Test func `a response without a status is malformed`() async throws {
        let failure = try await fetch([.trailers([("a", "b")])], isTogether: true).failure
        #expect(failure?.kind == .malformedResponse)
        #expect(failure?.detail == "it breaks the HTTP/2 protocol: PROTOCOL_ERROR")
    }

    @Test(arguments: HTTP2Frame.connectionErrors.indices)
    func `a server that breaks the protocol before its response has sent a malformed one`(index: Int) async throws {
        let failure = try await fetch([HTTP2Frame.connectionErrors[index]], isTogether: true).failure
        #expect(failure?.kind == .malformedResponse, "\(String(describing: failure))")
        #expect(failure?.reason == .protocolError)
    }

    @Test func `a stream that the server resets before its response is not malformed`() async throws {
        for code in [HTTP2Frame.ErrorCode.internalError, .cancel] {
            let failure = try await fetch([.reset(code)], isTogether: true).failure
            #expect(failure?.kind == .connectionLost)
            #expect(failure?.reason == .streamReset)
        }
    }

    @Test func `a request is not repeated over HTTP 1 after a part of its response`() async throws {
        let server = try LocalServer.scripted { connection in
            guard connection.number == 1 else {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nSECOND")
                return
            }
            try connection.acceptHTTP2()
            try connection.sendApart([.head(200), .body("hello"), .requiresHTTP1])
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url()) {
            $0.httpVersion = .http2PriorKnowledge
            $0.timeouts.idle = 10
        }
        #expect(record.failure?.kind == .truncated, "\(String(describing: record.failure))")
        #expect(record.text == "hello")
    }

    @Test func `a response with END_STREAM is complete, regardless of later frames`() async throws {
        let endings: [[HTTP2Frame]] = [
            [.body("all", isLast: true)], [.body("all"), .body("", isLast: true)],
            [.body("all"), .trailers([("a", "b")])], [.body("all", isLast: true), .reset(.noError)],
            [.body("all"), .trailers([("a", "b")]), .goAway()],
        ]
        for ending in endings {
            let record = try await fetch([.head(200)] + ending)
            #expect(record.failure == nil)
            #expect(record.text == "all")
        }
        let empty = try await fetch([.head(200, isLast: true)])
        #expect(empty.failure == nil)
        #expect(empty.body.isEmpty)
    }

    @Test func `a reset after a response that is complete according to its head is ignored`() async throws {
        #expect(try await fetch([.head(204), .reset(.noError)]).failure == nil)
        #expect(try await fetch([.head(200, [("content-length", "3")]), .body("all"), .reset(.noError)]).text == "all")
        let head = try await fetch(method: .head, [.head(200, [("content-length", "3")]), .reset(.noError)])
        #expect(head.failure == nil)
    }

    @Test func `a reset affects only its own stream`() async throws {
        let certificates = try await TestCertificates.shared
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.sendApart([.head(200), .body("early"), .reset(.noError)])
            try connection.skipFrames(through: .headers)
            try connection.sendApart([.head(200, stream: 3), .body("all", isLast: true, stream: 3)])
            try connection.waitForClose()
        }
        let front = try TLSFront(to: server.port, identity: certificates.server, speaksHTTP2: true)
        let transport = CurlTransport()
        for text in ["early", "all"] {
            let record = try await transport.fetch("https://localhost:\(front.port)/") {
                $0.tls.authorities = .file(certificates.root)
            }
            #expect(record.failure?.kind == (text == "early" ? .truncated : nil))
            #expect(record.text == text)
        }
        #expect(server.acceptedConnections == 1)
    }

    /// libcurl 7.88 fails when it sends a second request on such a connection; libcurl 8 sends all on one.
    @Test func `prior knowledge supports consecutive and concurrent requests`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            for stream: UInt8 in [1, 3, 5, 7] {
                if stream > 1 { try connection.skipFrames(through: .headers) }
                try connection.send(.head(200, stream: stream), .body("all", isLast: true, stream: stream))
            }
            try connection.waitForClose()
        }
        let transport = CurlTransport()
        func fetch() async throws -> Collector.Record {
            try await transport.fetch(server.url()) { $0.httpVersion = .http2PriorKnowledge }
        }
        for _ in 0..<2 { #expect(try await fetch().text == "all") }
        async let first = fetch()
        async let second = fetch()
        let records = try await [first, second]
        #expect(records.map(\.text) == ["all", "all"])
    }
}
