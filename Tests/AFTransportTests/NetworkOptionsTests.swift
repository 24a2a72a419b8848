import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NetworkOptionsTests {
    let transport = CurlTransport()

    @Test func `a Unix socket replaces the host`() async throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(on: .unix(path: folder.file("s"))) { .ok($0["Host"] ?? "none") }
        let record = try await transport.fetch("http://any.example/") { $0.network.unixSocketPath = folder.file("s") }
        #expect(record.text == "any.example")
        let missing = try await transport.fetch("http://any.example/") {
            $0.network.unixSocketPath = folder.file("missing")
        }
        #expect(missing.failure?.kind == .cannotConnect)
        _ = server
    }

    @Test func `an address set with the resolve option is used only for that transfer`() async throws {
        let server = try LocalServer { .ok($0["Host"] ?? "none") }
        let url = "http://name.invalid:\(server.port)/"
        let record = try await transport.fetch(url) { $0.network.resolve = ["name.invalid:\(server.port):127.0.0.1"] }
        #expect(record.text == "name.invalid:\(server.port)")
        #expect(try await transport.fetch(url) { $0.timeouts.connect = 15 }.failure?.kind == .unresolvedHost)
    }

    @Test func `connectTo connects to another host and port`() async throws {
        let server = try LocalServer { .ok($0["Host"] ?? "none") }
        let record = try await transport.fetch("http://name.invalid/") {
            $0.network.connectTo = ["name.invalid:80:127.0.0.1:\(server.port)"]
        }
        #expect(record.text == "name.invalid")
    }

    @Test func `the local address can be chosen`() async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await transport.fetch(server.url()) { $0.network.interface = "127.0.0.2" }
        #expect(record.outcome?.metrics.localAddress == "127.0.0.2")
        let missing = try await transport.fetch(server.url()) { $0.network.interface = "if!nosuch" }
        #expect(missing.failure?.kind == .cannotConnect)
    }

    @Test func `the address family can be chosen`() async throws {
        let ipv4 = try LocalServer { _ in .ok() }
        let ipv6 = try LocalServer(on: .ipv6(port: 0)) { _ in .ok() }
        let four = try await transport.fetch("http://localhost:\(ipv4.port)/") { $0.network.addressFamily = .ipv4 }
        #expect(four.outcome?.metrics.remoteAddress == "127.0.0.1")
        let six = try await transport.fetch("http://localhost:\(ipv6.port)/") { $0.network.addressFamily = .ipv6 }
        #expect(six.outcome?.metrics.remoteAddress == "::1")
        let none = try await transport.fetch("http://127.0.0.1:\(ipv4.port)/") { $0.network.addressFamily = .ipv6 }
        #expect(none.failure != nil)
    }

    /// Returns the duration of a transfer in seconds.
    private func time(
        _ url: String,
        body: BodySource? = nil,
        configure: (inout TransferOptions) -> Void
    ) async throws -> Double {
        let start = ContinuousClock.now
        let record = try await transport.fetch(url, method: body == nil ? .get : .put, body: body) {
            $0.receiveBufferSize = 128 * 1024
            $0.expectContinue = .never
            configure(&$0)
        }
        #expect(record.failure == nil)
        return start.duration(to: .now) / .seconds(1)
    }

    /// Expects transfers of about three seconds and a fast one. Measures again if a busy machine takes longer.
    private func expectRates(_ measure: () async throws -> (slow: [Double], fast: Double)) async throws {
        var times = try await measure()
        for _ in 0..<4 where times.slow.contains(where: { $0 > 6 }) || times.fast >= 1 { times = try await measure() }
        #expect(times.slow.allSatisfy { (2...6).contains($0) }, "\(times)")
        #expect(times.fast < 1)
    }

    @Test func `a response is received no faster than the rate limit`() async throws {
        let server = try LocalServer { _ in .bytes(pattern(300_000)) }
        let nginx = try await NginxServer(files: ["f": .pattern(size: 300_000), "g": .pattern(size: 30_000)])
        try await expectRates {
            async let inClear = time(server.url()) { $0.network.maximumReceiveRate = 100_000 }
            async let secure = time(nginx.secureURL("/f")) {
                $0.network.maximumReceiveRate = 100_000
                $0.tls.authorities = .file(nginx.root)
            }
            async let small = time(nginx.url("/g")) { $0.network.maximumReceiveRate = 10_000 }
            async let fast = time(nginx.url("/g")) { $0.network.maximumReceiveRate = 1_000_000 }
            return (try await [inClear, secure, small], try await fast)
        }
    }

    @Test func `a request body is sent no faster than the rate limit`() async throws {
        let server = try LocalServer { .ok("\($0.body.count)") }
        try await expectRates {
            async let large = time(server.url(), body: .bytes(pattern(300_000))) {
                $0.network.maximumSendRate = 100_000
            }
            async let small = time(server.url(), body: .bytes(pattern(60_000))) { $0.network.maximumSendRate = 20_000 }
            async let huge = time(server.url(), body: .bytes(pattern(3_000_000))) {
                $0.network.maximumSendRate = 1_000_000
            }
            async let fast = time(server.url(), body: .bytes(pattern(60_000))) {
                $0.network.maximumSendRate = 1_000_000
            }
            return (try await [large, small, huge], try await fast)
        }
    }

    @Test func `content is decoded unless decoding is disabled`() async throws {
        let packed: [UInt8] = [
            0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x4b, 0x4c, 0x4a, 0x06, 0, 0xc2, 0x41, 0x24, 0x35, 0x03, 0, 0, 0,
        ]
        let server = try LocalServer { _ in .bytes(packed).header("Content-Encoding", "gzip") }
        let decoded = try await transport.fetch(server.url())
        #expect(decoded.text == "abc")
        #expect(decoded.head?.headers["Content-Encoding"] == "gzip")
        #expect(decoded.outcome?.metrics.responseBodyBytes == Int64(packed.count))
        #expect(decoded.outcome?.metrics.decodedBodyBytes == 3)
        #expect(try await transport.fetch(server.url()) { $0.decodesContent = false }.body == packed)
        #expect(server.requests.allSatisfy { $0["Accept-Encoding"] == nil })
    }

    @Test func `an event handler receives heads, bodies and information messages`() async throws {
        let events = Mutex<[TransferEvent]>([])
        let server = try LocalServer { .ok("answer to \($0.text)") }
        _ = try await transport.fetch(server.url(), method: .post, body: .bytes(Array("question".utf8))) {
            $0.eventHandler = TransferEventHandler { event in events.withLock { $0.append(event) } }
        }
        func text(_ kind: TransferEvent.Kind) -> String {
            String(decoding: events.withLock(\.self).filter { $0.kind == kind }.flatMap(\.bytes), as: UTF8.self)
        }
        #expect(text(.requestHead) == server.requests.first?.headText)
        #expect(text(.requestBody) == "question")
        #expect(text(.responseHeadLine).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text(.responseBody) == "answer to question")
        #expect(text(.information).contains("Connected"))
    }

    @Test func `the events of a header have its bytes, however they arrive`() async throws {
        let heads =
            "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 302 Found\r\nLocation: /2\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.sendSlowly(heads + "2\r\nno\r\n0\r\nX-Sum: 1\r\n\r\n")
        }
        let events = Mutex<[TransferEvent]>([])
        let record = try await transport.fetch(server.url()) {
            $0.eventHandler = TransferEventHandler([.responseHeadLine]) { event in events.withLock { $0.append(event) }
            }
        }
        #expect(record.failure == nil)
        #expect(record.text == "no")
        let lines = events.withLock(\.self).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(lines.joined() == heads + "X-Sum: 1\r\n")
        #expect(lines.allSatisfy { $0.hasSuffix("\r\n") })
    }

    @Test func `an event handler receives only the observed kinds`() async throws {
        let events = Mutex<[TransferEvent]>([])
        let server = try LocalServer { .ok("answer to \($0.text)") }
        _ = try await transport.fetch(server.url(), method: .post, body: .bytes(Array("question".utf8))) {
            $0.eventHandler = TransferEventHandler([.requestHead, .responseBody]) { event in
                events.withLock { $0.append(event) }
            }
        }
        #expect(events.withLock { $0.map(\.kind) } == [.requestHead, .responseBody])
    }
}
