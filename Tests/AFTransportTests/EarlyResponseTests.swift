import AFHTTP
import AFTransport
import Glibc
import Synchronization
import TestSupport
import Testing

/// Servers that respond and reset the connection just before more of the body is sent.
@Suite(.timeLimit(.minutes(5))) struct EarlyResponseTests {
    /// Sends a body whose second chunk is sent on a connection that was reset after the response.
    private func send(
        against answer: [UInt8],
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        let isSending = Gate()
        let isReset = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.wait(for: isSending)
            try connection.send(answer)
            // Unread bytes turn the closing into a reset.
            connection.close()
            isReset.open()
        }
        let body = HaltingStream {
            isSending.open()
            isReset.block(atMost: Deadline.timeout)
        }
        return try await CurlTransport().fetch(
            server.url(), method: .put, body: .stream(body, length: 1 << 20), configure: configure)
    }

    private func send(
        against answer: String,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        try await send(against: Array(answer.utf8), configure: configure)
    }

    @Test func `neither the final response nor interim responses are lost`() async throws {
        let record = try await send(
            against: "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 413 Early\r\nContent-Length: 5\r\n\r\nearly"
        )
        #expect(record.failure == nil)
        #expect(record.heads.map(\.kind) == [.informational, .final])
        #expect(record.status == 413)
        #expect(record.text == "early")
        #expect(record.outcome?.metrics.statusCode == 413)
        #expect(record.outcome?.metrics.protocolName == "HTTP/1.1")
    }

    /// Sends a body whose second chunk is sent on a connection that was reset after a response, of which the first part
    /// was received before.
    private func send(against first: String, then rest: String) async throws -> Collector.Record {
        let isSending = Gate()
        let isReset = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.send(first)
            try connection.wait(for: isSending)
            try connection.send(rest)
            connection.close()
            isReset.open()
        }
        let body = HaltingStream(waits: true) {
            isSending.open()
            isReset.block(atMost: Deadline.timeout)
        }
        let collector = Collector { _, _ in
            body.proceed()
            return .proceed
        }
        let transfer = Transfer(
            method: .put, url: try HTTPURL(parsing: server.url()), body: .stream(body, length: 1 << 20))
        let transport = CurlTransport()
        defer { withExtendedLifetime((transport, server)) {} }
        _ = transport.start(transfer, into: collector)
        return await collector.end()
    }

    @Test(
        arguments: ["200 OK", "303 Other"],
        ["HTTP/1.1 400 Bad Request\r\n", "HTTP/1.1 200 OK\r\n", "no HTTP\r\n"])
    func `a second response is ignored`(status: String, second: String) async throws {
        let record = try await send(
            against: "HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\nearly",
            then: "\(second)Content-Length: 6\r\n\r\nsecond")
        #expect(record.failure == nil)
        #expect(record.heads.map(\.response.statusCode) == [Int(status.prefix(3))])
        #expect(record.text == "early")
    }

    @Test(arguments: ["200 OK", "201 Created"])
    func `a response of which a part was received is continued`(status: String) async throws {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\n"
        let whole = try await send(against: "\(head)ear", then: "ly")
        #expect(whole.failure == nil)
        #expect(whole.status == Int(status.prefix(3)))
        #expect(whole.text == "early")
        let followed = try await send(against: "\(head)ear", then: "lyHTTP/1.1 400 Bad Request\r\n\r\n")
        #expect(followed.failure == nil)
        #expect(followed.text == "early")
        let cut = try await send(against: "\(head)ear", then: "l")
        #expect(cut.failure?.kind == .truncated)
        #expect(cut.status == Int(status.prefix(3)))
    }

    @Test func `an encoded early response is decoded, and fails if it is truncated`() async throws {
        let body = CodedBody.zstd(holding: Array("early".utf8))
        let whole = try await send(against: encoded(body))
        #expect(whole.failure == nil)
        #expect(whole.text == "early")
        let cut = try await send(against: encoded(body.dropLast()))
        #expect(cut.failure?.kind == .truncated)
        #expect(cut.status == 413)
    }

    private func encoded(_ body: [UInt8]) -> [UInt8] {
        Array("HTTP/1.1 413 Early\r\nContent-Length: \(body.count)\r\nContent-Encoding: zstd\r\n\r\n".utf8) + body
    }

    @Test(arguments: [
        "Content-Length: 6\r\n\r\nearly", "Connection: close\r\n\r\nearly",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n0\r\n\r\n",
    ])
    func `a body not completed by Content-Length is omitted, and the response is truncated`(rest: String) async throws {
        let record = try await send(against: "HTTP/1.1 413 Early\r\n\(rest)")
        #expect(record.status == 413)
        // libcurl 8.14 reads the response to its end.
        guard CurlFeatures.version.hasPrefix("7.") else {
            #expect(record.text == "early")
            #expect(record.failure?.kind == (rest.hasPrefix("Content-Length") ? .truncated : nil))
            return
        }
        #expect(record.failure?.kind == .truncated)
        #expect(record.body.isEmpty)
    }

    @Test(arguments: ["", "HTTP/1.1 413 Early\r\nContent-", "no HTTP at all\r\n\r\n", "HTTP/1.1 103 Hints\r\n\r\n"])
    func `a missing, incomplete or invalid final response is a lost connection`(answer: String) async throws {
        let record = try await send(against: answer)
        // Newer versions read the response, and find that it is not HTTP.
        let isInvalid = answer.hasPrefix("no") && !CurlFeatures.version.hasPrefix("7.")
        #expect(record.failure?.kind == (isInvalid ? .malformedResponse : .connectionLost))
        #expect(record.head == nil)
    }

    /// Sends over TLS, where the response is encrypted in the socket.
    private func sendSecurely(against answer: String) async throws -> Collector.Record {
        let isSending = Gate()
        let isReset = Gate()
        let body = HaltingStream {
            isSending.open()
            isReset.block(atMost: Deadline.timeout)
        }
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.wait(for: isSending)
            var left = body.firstCount
            while left > 0 { left -= try connection.receive(atMost: left).count }
            try connection.send(answer)
        }
        let certificates = try await TestCertificates.shared
        let front = try TLSFront(to: server.port, identity: certificates.server, whenReset: isReset)
        defer { withExtendedLifetime((front, server)) {} }
        return try await CurlTransport().fetch(
            "https://localhost:\(front.port)/", method: .put, body: .stream(body, length: 1 << 20)
        ) {
            $0.tls.authorities = .file(certificates.root)
            $0.expectContinue = .never
        }
    }

    @Test(arguments: [
        "200 Early\r\nContent-Length: 5\r\n\r\nearly", "413 Early\r\nContent-Length: 5\r\n\r\nearly",
        "413 Early\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n0\r\n\r\n",
    ])
    func `the response is not lost over TLS either`(answer: String) async throws {
        let record = try await sendSecurely(against: "HTTP/1.1 \(answer)")
        #expect(record.failure == nil)
        #expect(record.status == Int(answer.prefix(3)))
        #expect(record.text == "early")
    }

    @Test(arguments: ["", "HTTP/1.1 413 Early\r\nContent-"])
    func `a missing or incomplete response over TLS is a lost connection`(answer: String) async throws {
        let record = try await sendSecurely(against: answer)
        #expect(record.failure?.kind == .connectionLost)
        #expect(record.head == nil)
    }

    @Test func `the limits for response heads apply to an early response`() async throws {
        let record = try await send(against: "HTTP/1.1 413 Early\r\nA: b\r\nC: d\r\nContent-Length: 0\r\n\r\n") {
            $0.limits.headLines = 2
        }
        #expect(record.failure?.kind == .headTooLarge)
    }
}

/// A body of zeros that calls a closure between its first chunk and its second.
private final class HaltingStream: BodyStream {
    private let readCount = Atomic(0)
    private let firstSize = Atomic(0)
    private let beforeSecond: @Sendable () -> Void
    private let waiting: Mutex<Waiting>

    private enum Waiting {
        case due
        case since(@Sendable () -> Void)
        case over
    }

    /// - Parameter waits: Whether the second chunk is ready only after ``proceed()``.
    init(waits: Bool = false, beforeSecond: @escaping @Sendable () -> Void) {
        waiting = Mutex(waits ? .due : .over)
        self.beforeSecond = beforeSecond
    }

    func proceed() {
        let whenReady: (@Sendable () -> Void)? = waiting.withLock { waiting in
            defer { waiting = .over }
            if case .since(let whenReady) = waiting { return whenReady }
            return nil
        }
        whenReady?()
    }

    /// Whether the chunk is not ready; then the closure is called as soon as it is.
    private func mustWait(_ whenReady: @escaping @Sendable () -> Void) -> Bool {
        waiting.withLock { waiting in
            if case .over = waiting { return false }
            waiting = .since(whenReady)
            return true
        }
    }

    /// The length of the first chunk, once it has been read.
    var firstCount: Int { firstSize.load(ordering: .acquiring) }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        if readCount.load(ordering: .relaxed) == 1, mustWait(whenReady) { return .notYet }
        switch readCount.add(1, ordering: .relaxed).newValue {
        case 1: firstSize.store(buffer.count, ordering: .releasing)
        case 2: beforeSecond()
        default: break
        }
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        return .bytes(buffer.count)
    }

    func rewind() -> Bool { false }
}
