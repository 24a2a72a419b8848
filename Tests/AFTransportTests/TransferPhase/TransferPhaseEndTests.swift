import AFHTTP
import CCurl
import Testing

@testable import AFTransport

/// The outcome of a transfer, by libcurl's code and everything that was received before.
struct TransferPhaseEndTests {
    private let losses = [
        CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_COULDNT_CONNECT,
        CURLE_ABORTED_BY_CALLBACK,
    ]

    /// Creates the state of an upload with a complete response.
    private func early(_ status: Int = 413) throws -> TransferPhase {
        var phase = try TransferPhase.connected(.post, body: [1, 2])
        try phase.receive(status, ["Content-Length": "2"])
        try phase.receive("no")
        return phase
    }

    // Early responses

    @Test func `a lost connection is no failure after an early response`() throws {
        for code in losses {
            var phase = try early()
            #expect(phase.end(code) == .finish(CURLE_OK))
        }
    }

    @Test func `other failures remain after an early response`() throws {
        for code in [CURLE_OPERATION_TIMEDOUT, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY, CURLE_GOT_NOTHING] {
            var phase = try early()
            #expect(phase.end(code) == .finish(code))
        }
    }

    @Test func `a lost connection is a failure before the response is complete`() throws {
        for code in losses {
            var phase = try TransferPhase.connected(.post, body: [1, 2])
            try phase.receive(413, ["Content-Length": "3"])
            try phase.receive("no")
            #expect(phase.end(code) == .finish(code))
        }
    }

    @Test func `a lost connection is a failure if nothing is sent, or after one, or during a pause`() throws {
        var get = try TransferPhase.connected()
        try get.receive(200, ["Content-Length": "2"])
        try get.receive("no")
        #expect(get.end(CURLE_RECV_ERROR) == .finish(CURLE_RECV_ERROR))
        var failed = try early()
        failed.fail(TransferFailure(.bodyUnreadable, "gone"))
        #expect(failed.end(CURLE_SEND_ERROR) == .finish(CURLE_SEND_ERROR))
        var paused = try early()
        _ = paused.suspend()
        #expect(paused.end(CURLE_SEND_ERROR) == .finish(CURLE_SEND_ERROR))
    }

    @Test func `a lost connection shows that an undecided header is final`() throws {
        var phase = try TransferPhase.connected(.post, body: [1]) { $0.authentication = .of(.ntlm) }
        let fields: HTTPHeaders = ["Content-Length": "0"]
        try phase.receive(401, fields)
        #expect(phase.end(CURLE_SEND_ERROR) == .report(.head(401, fields)))
        #expect(phase.end(CURLE_SEND_ERROR) == .finish(CURLE_OK))
    }

    @Test func `an upgraded connection may end without a byte`() throws {
        for status in [101, 200] {
            var phase = try TransferPhase.connected(upgrades: true)
            try phase.receive(status)
            #expect(phase.end(CURLE_GOT_NOTHING) == .finish(status == 101 ? CURLE_OK : CURLE_GOT_NOTHING))
        }
    }

    // Ends that libcurl considers complete

    @Test func `a response that ends within its header is a lost connection`() throws {
        let phase = try TransferPhase.connected()
        let failure = phase.failureAtEnd(isCutOff: false, protocolError: nil)
        #expect(failure?.kind == .connectionLost)
        #expect(failure?.detail == "the connection was closed inside the response head")
    }

    @Test func `only a body that the connection ends needs close_notify`() throws {
        for (method, status, fields, isTruncated) in [
            (.get, 200, [:], true), (.get, 200, ["Content-Length": "0"], false), (.head, 200, [:], false),
            (.get, 200, ["Transfer-Encoding": "chunked"], false), (.get, 204, [:], false), (.get, 304, [:], false),
        ] as [(HTTPMethod, Int, HTTPHeaders, Bool)] {
            var phase = try TransferPhase.connected(method, "https://a/")
            try phase.receive(status, fields)
            #expect(phase.failureAtEnd(isCutOff: false, protocolError: nil) == nil)
            #expect(phase.failureAtEnd(isCutOff: true, protocolError: nil)?.kind == (isTruncated ? .truncated : nil))
        }
    }

    /// Creates the state of a response over HTTP/2 with four bytes.
    private func stream(_ fields: HTTPHeaders = [], isLast: Bool = false) throws -> TransferPhase {
        var phase = try TransferPhase.connected()
        try phase.receive(200, fields, version: "HTTP/2")
        phase.receiveFrame(4, isLast: isLast)
        try phase.receive("body")
        return phase
    }

    @Test func `a stream without END_STREAM is truncated`() throws {
        let phase = try stream()
        let failure = phase.failureAtEnd(isCutOff: false, protocolError: nil)
        #expect(failure?.kind == .truncated)
        #expect(failure?.detail == "the connection failed before the end of the stream")
        let broken = phase.failureAtEnd(isCutOff: false, protocolError: "bad frame")
        #expect(broken?.kind == .truncated)
        #expect(broken?.detail == "the server broke the HTTP/2 protocol: bad frame")
    }

    @Test func `a stream that is reset before END_STREAM is truncated, with any code`() throws {
        for (code, name) in [(0, "NO_ERROR"), (2, "INTERNAL_ERROR"), (8, "CANCEL")] as [(UInt32, String)] {
            var phase = try stream()
            phase.receiveReset(code)
            let failure = phase.failureAtEnd(isCutOff: false, protocolError: "bad frame")
            #expect(failure?.kind == .truncated)
            #expect(failure?.detail == "the server reset the stream before the end of the body (\(name))")
        }
    }

    @Test func `a stream is complete at END_STREAM or its announced length, and may be reset then`() throws {
        for var phase in [try stream(isLast: true), try stream(["Content-Length": "4"])] {
            #expect(phase.failureAtEnd(isCutOff: false, protocolError: nil) == nil)
            phase.receiveReset(0)
            #expect(phase.failureAtEnd(isCutOff: false, protocolError: nil) == nil)
        }
    }

    // Failures of libcurl

    @Test func `a failure outside libcurl takes precedence`() throws {
        var phase = try TransferPhase.connected()
        phase.fail(TransferFailure(.stopped, "the receiver stopped the transfer"))
        #expect(phase.cause(of: CurlReport(code: CURLE_WRITE_ERROR)).kind == .stopped)
    }

    @Test func `a lost connection truncates a response, and loses a request`() throws {
        let report = CurlReport(code: CURLE_RECV_ERROR, explanation: "Recv failure", osErrorNumber: 104)
        var phase = try TransferPhase.connected()
        #expect(phase.cause(of: report).kind == .connectionLost)
        #expect(phase.cause(of: report).osErrorNumber == 104)
        let first = CurlReport(code: CURLE_SSL_CONNECT_ERROR, fatalAlert: 40)
        #expect(phase.cause(of: first).kind == .secureConnectionFailed && phase.cause(of: first).reason == nil)
        try phase.receive(200)
        #expect(phase.cause(of: report).kind == .truncated)
        let proxied = try TransferPhase.ready { $0.proxy = ProxyOptions(url: "http://b:1") }
        #expect(proxied.cause(of: report).kind == .proxyRefused)
    }

    @Test func `an undecided header does not count as a response`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.ntlm) }
        try phase.receive(401)
        #expect(phase.cause(of: CurlReport(code: CURLE_RECV_ERROR)).kind == .connectionLost)
    }

    @Test func `a reset is named, before and after the header`() throws {
        var phase = try TransferPhase.connected()
        phase.receiveReset(8)
        let failure = phase.cause(of: CurlReport(code: CURLE_HTTP2_STREAM))
        #expect(failure.kind == .connectionLost)
        #expect(failure.reason == .streamReset)
        #expect(failure.detail == "the server reset the HTTP/2 stream (CANCEL), and libcurl has no complete response")
        try phase.receive(200, version: "HTTP/2")
        for code in [CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR] {
            let failure = phase.cause(of: CurlReport(code: code))
            #expect(failure.kind == .truncated)
            #expect(failure.detail.hasSuffix("(CANCEL)"))
            #expect(failure.curlCode == Int32(code.rawValue))
        }
    }

    @Test func `a response that libcurl dropped is named`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        phase.receiveFrame(0, isLast: true)
        let failure = phase.cause(of: CurlReport(code: CURLE_HTTP2_STREAM))
        #expect(failure.kind == .connectionLost)
        #expect(failure.reason == .responseLost)
    }

    @Test func `a violation of HTTP 2 is named, before and after the header`() throws {
        var phase = try TransferPhase.connected()
        let report = CurlReport(code: CURLE_HTTP2, protocolError: "bad frame")
        #expect(phase.cause(of: report).kind == .malformedResponse)
        #expect(phase.cause(of: report).reason == .protocolError)
        #expect(phase.cause(of: report).detail == "it breaks the HTTP/2 protocol: bad frame")
        try phase.receive(200, version: "HTTP/2")
        #expect(phase.cause(of: report).kind == .truncated)
        #expect(phase.cause(of: report).detail == "the server broke the HTTP/2 protocol: bad frame")
        // The server's own reset is none.
        phase.receiveReset(2)
        let reset = phase.cause(of: CurlReport(code: CURLE_HTTP2_STREAM, protocolError: "bad frame"))
        #expect(reset.detail.contains("reset the stream"))
    }

    @Test(arguments: [
        "received invalid frame: FRAME_SIZE_ERROR", "nghttp2 recv error -505", "stream 1: PROTOCOL_ERROR (err 1)",
    ])
    func `libcurl's message about a violation of HTTP 2 is recognized`(message: String) throws {
        let phase = try TransferPhase.connected()
        let failure = phase.cause(of: CurlReport(code: CURLE_HTTP2_STREAM, explanation: message))
        #expect(failure.kind == .malformedResponse)
        #expect(failure.reason == .protocolError)
        #expect(failure.detail == "it breaks the HTTP/2 protocol: PROTOCOL_ERROR")
    }

    @Test(
        arguments: [
            (0, nil), (200, nil), (299, nil), (401, nil), (403, .tunnelRefused), (400, .tunnelRefused),
            (404, .targetUnreachable), (502, .targetUnreachable), (503, .targetUnreachable), (504, .targetUnreachable),
            (407, .proxyAuthentication),
        ] as [(Int, TransferFailure.Reason?)])
    func `a proxy's status is the cause of a refused tunnel`(status: Int, reason: TransferFailure.Reason?) throws {
        let phase = try TransferPhase.ready(.get, "https://a/") { $0.proxy = ProxyOptions(url: "http://b:1") }
        let failure = phase.cause(of: CurlReport(code: CURLE_RECV_ERROR, tunnelStatus: status))
        #expect(failure.kind == .proxyRefused)
        #expect(failure.reason == reason)
    }

    @Test func `a response of DNS over HTTPS without an address is an unresolved host`() throws {
        let phase = try TransferPhase.ready { $0.network.dohURL = "https://c/" }
        for report in [
            CurlReport(code: CURLE_OUT_OF_MEMORY, explanation: "x", hasOpenedSocket: false),
            CurlReport(code: CURLE_COULDNT_RESOLVE_HOST, hasOpenedSocket: false),
        ] {
            #expect(phase.cause(of: report).kind == .unresolvedHost)
            #expect(phase.cause(of: report).detail == "the response of the DNS-over-HTTPS server has no address")
        }
        let connected = CurlReport(code: CURLE_OUT_OF_MEMORY, hasOpenedSocket: true)
        #expect(phase.cause(of: connected).kind == .outOfResources)
    }

    @Test func `a fatal alert about the certificate is one before the response`() throws {
        var phase = try TransferPhase.connected(.get, "https://a/")
        // certificate_required (RFC 8446 §6.2).
        let report = CurlReport(code: CURLE_RECV_ERROR, fatalAlert: 116)
        #expect(phase.cause(of: report).reason == .certificateRequired)
        // handshake_failure ends a refused renegotiation of TLS 1.2.
        let refused = CurlReport(code: CURLE_RECV_ERROR, fatalAlert: 40)
        #expect(phase.cause(of: refused).reason == .certificateRejected)
        try phase.receive(200)
        #expect(phase.cause(of: report).kind == .truncated)
    }

    @Test func `a response to HEAD that does not begin as HTTP is named`() throws {
        let phase = try TransferPhase.connected(.head)
        #expect(phase.cause(of: CurlReport(code: CURLE_WEIRD_SERVER_REPLY)).reason == .notHTTP)
    }

    @Test func `missing authorities are named`() throws {
        let phase = try TransferPhase.ready(.get, "https://a/")
        let report = CurlReport(
            code: CURLE_PEER_FAILED_VERIFICATION, explanation: "unable", missingAuthorities: "there are none")
        #expect(phase.cause(of: report).kind == .untrustedCertificate)
        #expect(phase.cause(of: report).detail == "there are none")
    }
}
