import AFHTTP
import AFTransport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    let transport = CurlTransport()

    @Test func `times are in order and sizes are those of the wire`() async throws {
        let server = try LocalServer { _ in
            // A wait that the measured times must show.
            usleep(30_000)
            return .ok("0123456789")
        }
        let record = try await transport.fetch(server.url("/x"), method: .post, body: .bytes(pattern(70_000)))
        let metrics = try #require(record.outcome?.metrics)
        let times = [
            metrics.nameLookupEnd, metrics.connectEnd, metrics.secureConnectEnd, metrics.requestStart,
            metrics.responseStart, metrics.responseEnd,
        ]
        #expect(times == times.sorted())
        #expect(metrics.responseStart - metrics.requestStart > 0.025)
        #expect(metrics.waiting > 0.025)
        #expect(metrics.responseEnd < 10)
        #expect(metrics.requestHeadBytes == Int64(server.requests[0].head.count))
        #expect(metrics.requestBodyBytes == 70_000)
        #expect(metrics.responseHeadBytes == Int64(record.head?.rawHead.count ?? 0))
        #expect(metrics.responseBodyBytes == 10)
        #expect(metrics.decodedBodyBytes == 10)
        #expect(metrics.statusCode == 200)
        #expect(metrics.protocolName == "HTTP/1.1")
        #expect(metrics.url == server.url("/x"))
        #expect(metrics.tlsVersion == nil)
        #expect(metrics.certificates.isEmpty)
    }

    @Test(arguments: [HTTPHeaders(), [HTTPHeader(name: "Transfer-Encoding", value: "chunked")]] as [HTTPHeaders])
    func `a body that was sent is complete, from any source`(headers: HTTPHeaders) async throws {
        let server = try LocalServer { _ in .ok() }
        let bodies: [(source: BodySource, length: Int64?)] = [
            (.bytes([]), 0), (.bytes([1]), 1), (.bytes(pattern(70_000)), 70_000), (.bytes(pattern(2 << 20)), 2 << 20),
            (.parts([.bytes(pattern(70_000)), .bytes([])]), 70_000),
            (.stream(PiecewiseStream([pattern(2 << 20)])), nil),
        ]
        for (source, length) in bodies {
            let record = try await transport.fetch(server.url(), method: .put, headers: headers, body: source)
            let metrics = try #require(record.outcome?.metrics)
            #expect(metrics.isRequestBodyComplete, "\(metrics.requestBodyBytes) of \(String(describing: length))")
            #expect(metrics.requestBodyLength == length)
            // Without the framing of chunks, which libcurl counts.
            #expect(metrics.requestBodyBytes == length ?? 2 << 20)
        }
    }

    @Test(arguments: [nil, 4 << 20] as [Int64?], [200, 413])
    func `a body of which the server did not want all is incomplete`(length: Int64?, status: Int) async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 \(status) Early\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
        let record = try await transport.fetch(
            server.url(), method: .put, body: .stream(PiecewiseStream([pattern(4 << 20)]), length: length)
        ) { $0.expectContinue = .always }
        #expect(record.failure == nil)
        #expect(record.status == status)
        let metrics = try #require(record.outcome?.metrics)
        #expect(!metrics.isRequestBodyComplete)
        #expect(metrics.requestBodyBytes == 0)
        #expect(metrics.requestBodyLength == length)
    }

    @Test func `an expectation is unanswered if no 100 precedes the response`() async throws {
        func isUnanswered(
            after interim: String = "",
            body: BodySource? = .bytes(pattern(2 << 20)),
            _ expect: ExpectContinue = .automatic
        ) async throws -> Bool? {
            let server = try LocalServer.scripted { connection in
                _ = try connection.readHead()
                try connection.send(interim + "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            }
            let record = try await transport.fetch(server.url(), method: .put, body: body) {
                $0.expectContinue = expect
            }
            #expect(record.status == 503)
            return record.outcome?.metrics.lacksContinue
        }
        #expect(try await isUnanswered() == true)
        #expect(try await isUnanswered(after: "HTTP/1.1 103 Hints\r\n\r\n") == true)
        #expect(try await isUnanswered(after: "HTTP/1.1 100 Continue\r\n\r\n") == false)
        #expect(try await isUnanswered(.never) == false)
        #expect(try await isUnanswered(body: .bytes([1])) == false)
        #expect(try await isUnanswered(body: .bytes([1]), .always) == true)
        #expect(try await isUnanswered(body: nil) == false)
    }

    @Test func `endpoints and connection reuse are reported`() async throws {
        let server = try LocalServer { _ in .ok() }
        let first = try #require(try await transport.fetch(server.url()).outcome?.metrics)
        let second = try #require(try await transport.fetch(server.url()).outcome?.metrics)
        #expect(!first.isReusedConnection)
        #expect(second.isReusedConnection)
        #expect(first.remoteAddress == "127.0.0.1")
        #expect(first.remotePort == Int(server.port))
        #expect(first.localAddress == "127.0.0.1")
        #expect(first.localPort == second.localPort)
        #expect(!first.isProxyConnection)
    }

    @Test func `the TLS parameters are reported, and the chain if the server is evaluated`() async throws {
        let nginx = try await NginxServer()
        func metrics(_ configure: (inout TransferOptions) -> Void = { _ in }) async throws -> TransactionMetrics? {
            try await transport.fetch(nginx.secureURL("/sink")) {
                $0.tls.authorities = .file(nginx.root)
                configure(&$0)
            }.outcome?.metrics
        }
        let plain = try #require(try await metrics())
        #expect(plain.tlsVersion?.hasPrefix("TLSv1.") == true)
        #expect(plain.tlsCipher?.isEmpty == false)
        #expect(plain.certificates.isEmpty)
        #expect(plain.secureConnectEnd > plain.connectEnd)
        let judged = try #require(try await metrics { $0.tls.evaluation = TrustEvaluation(name: "any") { _ in } })
        #expect(judged.certificates.count == 1)
        #expect(judged.certificates.first?.first == 0x30)
    }

    @Test func `both headers are reported, the request's only if it is observed`() async throws {
        let server = try LocalServer { _ in .ok().header("X-A", "1") }
        let silent = try #require(try await transport.fetch(server.url("/x")).outcome?.metrics)
        #expect(silent.response?.headers.value(for: "X-A") == "1")
        #expect(silent.requestHead.isEmpty)
        #expect(silent.certificateVerification == nil)
        let heard = try await transport.fetch(server.url("/x")) {
            $0.eventHandler = TransferEventHandler([.requestHead]) { _ in }
        }
        #expect(heard.outcome?.metrics.requestHead == server.requests.last?.head)
    }

    @Test func `the verification result of trusted and untrusted certificates is reported`() async throws {
        let nginx = try await NginxServer()
        let unknown = try await transport.fetch(nginx.secureURL("/sink")).outcome
        #expect(unknown?.failure?.kind == .untrustedCertificate)
        #expect(unknown?.metrics.certificateVerification ?? 0 != 0)
        let trusted = try await transport.fetch(nginx.secureURL("/sink")) { $0.tls.authorities = .file(nginx.root) }
        #expect(trusted.outcome?.metrics.certificateVerification == 0)
    }

    @Test func `a refused connection has metrics without a response`() async throws {
        let port = try RefusingPort()
        let refused = try #require(try await transport.fetch(port.url()).outcome?.metrics)
        #expect(refused.statusCode == nil)
        #expect(refused.protocolName == nil)
        #expect(refused.url == port.url())
        #expect(!refused.isReusedConnection)
    }
}
