import AFHTTP
import AFTransport
import TestSupport
import Testing

/// HTTP/2 servers that respond while the body is still being sent, and reset the stream after the response (RFC 9113
/// §8.1).
@Suite(.timeLimit(.minutes(5))) struct EarlyResponseHTTP2Tests {
    /// Sends a body that exceeds the stream's window, which is not extended: the response arrives when half of it was
    /// sent.
    ///
    /// - Parameter isTogether: Whether the complete response is sent in one write.
    private func send(against answer: [HTTP2Frame], isTogether: Bool = false) async throws -> Collector.Record {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.skipFrames(through: .data)
            if isTogether { try connection.send(answer) } else { try connection.sendApart(answer) }
            try connection.waitForClose()
        }
        return try await CurlTransport().fetch(server.url(), method: .put, body: .bytes(pattern(1 << 20))) {
            $0.httpVersion = .http2PriorKnowledge
            $0.expectContinue = .never
            $0.timeouts.idle = 10
        }
    }

    @Test(arguments: [200, 413], HTTP2Frame.ErrorCode.allCases)
    func `a response of the announced length is complete for any reset code`(
        status: Int,
        code: HTTP2Frame.ErrorCode
    ) async throws {
        let head = HTTP2Frame.head(status, [("content-length", "5")])
        let record = try await send(against: [head, .body("early", isLast: true), .reset(code)])
        #expect(record.failure == nil)
        #expect(record.status == status)
        #expect(record.text == "early")
        #expect(record.outcome?.metrics.protocolName == "HTTP/2")
    }

    @Test(arguments: [200, 413])
    func `a response of unknown length is complete if END_STREAM precedes the reset`(status: Int) async throws {
        let text = try await send(against: [.head(status), .body("early", isLast: true), .reset(.noError)])
        #expect(text.failure == nil)
        #expect(text.status == status)
        #expect(text.text == "early")
        let head = try await send(against: [.head(status, isLast: true), .reset(.noError)])
        #expect(head.failure == nil)
        #expect(head.status == status)
        #expect(head.body.isEmpty)
    }

    @Test(arguments: [[], [("content-length", "5")]])
    func `a complete response is not requested again over HTTP 1`(
        fields: [(name: String, value: String)]
    ) async throws {
        let server = try LocalServer.scripted { connection in
            guard connection.number == 1 else {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nSECOND")
                return
            }
            try connection.acceptHTTP2()
            try connection.skipFrames(through: .data)
            try connection.sendApart([.head(413, fields), .body("early", isLast: true), .requiresHTTP1])
            try connection.waitForClose()
        }
        let record = try await CurlTransport().fetch(server.url(), method: .put, body: .bytes(pattern(1 << 20))) {
            $0.httpVersion = .http2PriorKnowledge
            $0.expectContinue = .never
            $0.timeouts.idle = 10
        }
        #expect(record.failure == nil)
        #expect(record.status == 413)
        #expect(record.text == "early")
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: HTTP2Frame.ErrorCode.allCases)
    func `a response without a body is complete with its header`(code: HTTP2Frame.ErrorCode) async throws {
        let record = try await send(against: [.head(204, isLast: true), .reset(code)])
        #expect(record.failure == nil)
        #expect(record.status == 204)
    }

    @Test(arguments: [200, 413], HTTP2Frame.ErrorCode.allCases)
    func `a response shorter than announced is truncated`(status: Int, code: HTTP2Frame.ErrorCode) async throws {
        let head = HTTP2Frame.head(status, [("content-length", "6")])
        let record = try await send(against: [head, .body("early"), .reset(code)])
        #expect(record.failure?.kind == .truncated)
        #expect(record.status == status)
        #expect(record.text == "early")
    }

    @Test(arguments: [200, 413], [HTTP2Frame.ErrorCode.noError, .internalError, .cancel])
    func `an interrupted response of unknown length is truncated`(
        status: Int,
        code: HTTP2Frame.ErrorCode
    ) async throws {
        let record = try await send(against: [.head(status), .body("early"), .reset(code)])
        #expect(record.failure?.kind == .truncated)
        #expect(record.status == status)
        #expect(record.text == "early")
    }

    /// libcurl 7.88 drops the data that it has just read if the reset arrives in the same read.
    @Test func `a response with an immediate reset is either delivered or reported as lost`() async throws {
        let head = HTTP2Frame.head(413, [("content-length", "5")])
        let record = try await send(against: [head, .body("early", isLast: true), .reset(.noError)], isTogether: true)
        if let failure = record.failure {
            #expect(failure.kind == .connectionLost)
            #expect(failure.reason == .responseLost)
            #expect(
                failure.detail.hasSuffix("responded before it had the complete body, and libcurl dropped the response"))
        } else {
            #expect(record.status == 413)
            #expect(record.text == "early")
        }
    }

    @Test(arguments: [HTTP2Frame.ErrorCode.noError, .internalError, .cancel])
    func `a stream that is reset before its response is a failure`(code: HTTP2Frame.ErrorCode) async throws {
        let record = try await send(against: [.reset(code)])
        #expect(record.failure?.kind == .connectionLost)
        #expect(record.head == nil)
        let hinted = try await send(against: [.head(103), .reset(code)])
        #expect(hinted.failure?.kind == .connectionLost)
        #expect(hinted.heads.map(\.kind) == [.informational])
    }

    @Test func `the response of nginx to a long body over HTTP 2 is received, even if it is early`() async throws {
        let nginx = try await NginxServer(directives: "location = /small { client_max_body_size 1k; return 405; }")
        let transport = CurlTransport()
        for path in ["/small", "/sink"] {
            for _ in 0..<20 {
                let record = try await transport.fetch(
                    nginx.secureURL(path), method: .post, body: .stream(PiecewiseStream([pattern(2 << 20)]))
                ) { $0.tls.authorities = .file(nginx.root) }
                #expect(record.failure == nil, "\(path)")
                #expect(record.status == (path == "/sink" ? 200 : 405))
                #expect(record.outcome?.metrics.protocolName == "HTTP/2")
            }
        }
    }
}
