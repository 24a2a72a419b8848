import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct NetworkOptionsTests {
    let transport = CurlTransport()

    @Test func `a unix socket stands in for the host`() async throws {
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

    @Test func `an address given by hand is used for that transfer alone`() async throws {
        let server = try LocalServer { .ok($0["Host"] ?? "none") }
        let url = "http://name.invalid:\(server.port)/"
        let record = try await transport.fetch(url) { $0.network.resolve = ["name.invalid:\(server.port):127.0.0.1"] }
        #expect(record.text == "name.invalid:\(server.port)")
        #expect(try await transport.fetch(url) { $0.timeouts.connect = 15 }.failure?.kind == .unresolvedHost)
    }

    @Test func `another place can be connected to`() async throws {
        let server = try LocalServer { .ok($0["Host"] ?? "none") }
        let record = try await transport.fetch("http://name.invalid/") {
            $0.network.connectTo = ["name.invalid:80:127.0.0.1:\(server.port)"]
        }
        #expect(record.text == "name.invalid")
    }

    @Test func `the address to send from can be chosen`() async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await transport.fetch(server.url()) { $0.network.interface = "127.0.0.2" }
        #expect(record.outcome?.metrics.localAddress == "127.0.0.2")
        let missing = try await transport.fetch(server.url()) { $0.network.interface = "if!nosuch" }
        #expect(missing.failure?.kind == .cannotConnect)
    }

    @Test func `the family of the address can be chosen`() async throws {
        let ipv4 = try LocalServer { _ in .ok() }
        let ipv6 = try LocalServer(on: .ipv6(port: 0)) { _ in .ok() }
        let four = try await transport.fetch("http://localhost:\(ipv4.port)/") { $0.network.addressFamily = .ipv4 }
        #expect(four.outcome?.metrics.remoteAddress == "127.0.0.1")
        let six = try await transport.fetch("http://localhost:\(ipv6.port)/") { $0.network.addressFamily = .ipv6 }
        #expect(six.outcome?.metrics.remoteAddress == "::1")
        let none = try await transport.fetch("http://127.0.0.1:\(ipv4.port)/") { $0.network.addressFamily = .ipv6 }
        #expect(none.failure != nil)
    }

    @Test func `receiving and sending can be slowed down`() async throws {
        let server = try LocalServer { $0.method == "PUT" ? .ok() : .bytes(Array(repeating: 1, count: 4 << 20)) }
        let clock = ContinuousClock()
        let receiving = try await clock.measure {
            let record = try await transport.fetch(server.url()) { $0.network.maximumReceiveRate = 3 << 20 }
            #expect(record.body.count == 4 << 20)
        }
        #expect(receiving > .milliseconds(400))
        let sending = try await clock.measure {
            let body = BodySource.bytes(pattern(200_000))
            let record = try await transport.fetch(server.url(), method: .put, body: body) {
                $0.network.maximumSendRate = 150_000
            }
            #expect(record.failure == nil)
        }
        #expect(sending > .milliseconds(400))
    }

    @Test func `content is decoded unless it shall not be`() async throws {
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

    @Test func `everything that passes is shown to an event handler`() async throws {
        let events = Mutex<[TransferEvent]>([])
        let server = try LocalServer { .ok("answer to \($0.text)") }
        _ = try await transport.fetch(server.url(), method: .post, body: .bytes(Array("question".utf8))) {
            $0.eventHandler = { event in events.withLock { $0.append(event) } }
        }
        func text(_ kind: TransferEvent.Kind) -> String {
            String(decoding: events.withLock(\.self).filter { $0.kind == kind }.flatMap(\.bytes), as: UTF8.self)
        }
        #expect(text(.requestHead) == server.requests.first?.headText)
        #expect(text(.requestBody) == "question")
        #expect(text(.responseHeadLine).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text(.responseBody) == "answer to question")
        #expect(text(.remark).contains("Connected"))
    }
}
