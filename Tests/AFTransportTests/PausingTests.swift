import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PausingTests {
    let transport = CurlTransport()

    /// Returns a sink that accepts only every second chunk.
    private func refusingCollector(until drained: @escaping @Sendable () -> Void) -> Collector {
        let offers = Mutex(0)
        return Collector { _, _ in
            let offer = offers.withLock { offers in
                offers += 1
                return offers
            }
            if offer.isMultiple(of: 2) { return .proceed }
            drained()
            return .pause
        }
    }

    @Test(arguments: ["length", "chunked", "close"])
    func `a sink that pauses at every second chunk receives every byte exactly once`(framing: String) async throws {
        let body = pattern(700_000)
        let server = try LocalServer { _ in
            switch framing {
            case "length": .bytes(body)
            case "chunked": .bytes(body).chunked(of: 9000)
            default: .bytes(body).endingWithClose()
            }
        }
        let control = Mutex<(any TransferControl)?>(nil)
        let collector = refusingCollector { control.withLock { $0?.drain() } }
        let transfer = Transfer(url: try HTTPURL(parsing: server.url()))
        control.withLock { $0 = transport.start(transfer, into: collector) }
        let record = await collector.end()
        #expect(record.failure == nil)
        #expect(record.body == body)
        control.withLock { $0 = nil }
    }

    @Test func `a paused sink receives the same bytes again, but only after drain`() async throws {
        let offered = Mutex<[[UInt8]]>([])
        let server = try LocalServer { _ in .ok("abc") }
        let collector = Collector { bytes, _ in
            offered.withLock { offered in
                offered.append(Array(bytes))
                return offered.count == 1 ? .pause : .proceed
            }
        }
        let control = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
        try await eventually("the body is offered") { offered.withLock { !$0.isEmpty } }
        control.resume()
        _ = try await transport.fetch(server.url())
        #expect(offered.withLock { $0.count } == 1)
        control.drain()
        #expect(await collector.end().text == "abc")
        #expect(offered.withLock { $0 } == [Array("abc".utf8), Array("abc".utf8)])
    }

    @Test func `a sink that stops after a pause ends the transfer`() async throws {
        let isDraining = Mutex(false)
        let server = try LocalServer { _ in .bytes(pattern(100_000)) }
        let collector = Collector { _, _ in isDraining.withLock { $0 } ? .stop : .pause }
        let control = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
        try await eventually("the head is there") { collector.record.head != nil }
        _ = try await transport.fetch(server.url())
        isDraining.withLock { $0 = true }
        control.drain()
        let record = await collector.end()
        #expect(record.failure?.kind == .stopped)
        #expect(record.body.isEmpty)
    }

    @Test func `a body limit that is exceeded after a pause ends the transfer`() async throws {
        let isDraining = Mutex(false)
        let server = try LocalServer { _ in .bytes(pattern(100_000)) }
        let collector = Collector { _, _ in isDraining.withLock { $0 } ? .proceed : .pause }
        var transfer = Transfer(url: try HTTPURL(parsing: server.url()))
        transfer.options.limits.bodyBytes = 20_000
        let control = transport.start(transfer, into: collector)
        try await eventually("the head is there") { collector.record.head != nil }
        _ = try await transport.fetch(server.url())
        isDraining.withLock { $0 = true }
        control.drain()
        let record = await collector.end()
        #expect(record.failure?.kind == .bodyTooLarge)
        #expect(record.body.count <= 20_000)
    }

    @Test func `a transfer suspended at the start delivers no body until it is resumed`() async throws {
        let server = try LocalServer { _ in .ok("abc") }
        let collector = Collector()
        let control = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
        control.suspend()
        _ = try await transport.fetch(server.url())
        try await remains("nothing was handed on") { collector.record.body.isEmpty }
        control.resume()
        #expect(await collector.end().text == "abc")
    }

    @Test(arguments: [
        "HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nA: b\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    ])
    func `a transfer suspended during its head delivers the body only after resuming`(beginning: String) async throws {
        let whole =
            "HTTP/1.1 200 OK\r\n" + (beginning.contains("A: b") ? "A: b\r\n" : "")
            + "Content-Length: 9\r\n\r\n123456789"
        let rest = String(whole.dropFirst(beginning.count))
        #expect(beginning + rest == whole || beginning == "HTTP/1.1 200 ")
        let goesOn = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send(beginning)
            try connection.wait(for: goesOn)
            try connection.send(rest)
            try connection.waitForClose()
        }
        let collector = Collector()
        let control = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
        try await server.waitForRequests(1)
        control.suspend()
        // Commands are executed in order: this one ends after the other.
        _ = try await transport.fetch("http://127.0.0.1:1/")
        goesOn.open()
        try await remains("nothing was handed on") { collector.record.body.isEmpty }
        control.resume()
        #expect(await collector.end().text == "123456789")
    }

    @Test func `a suspended upload sends nothing more, and completes after it is resumed`() async throws {
        let body = pattern(16 << 20)
        let server = try LocalServer { .ok("\($0.body == body)") }
        let collector = Collector()
        var transfer = Transfer(method: .put, url: try HTTPURL(parsing: server.url()), body: .bytes(body))
        transfer.options.expectContinue = .never
        let control = transport.start(transfer, into: collector)
        try await eventually("something was sent") { (collector.record.sent.last ?? 0) > 0 }
        control.suspend()
        _ = try await transport.fetch(server.url("/other"))
        let sent = collector.record.sent.last
        try await remains("nothing more was sent") { collector.record.sent.last == sent }
        control.resume()
        let record = await collector.end()
        #expect(record.failure == nil)
        #expect(record.text == "true")
        #expect(record.sent == record.sent.sorted())
        #expect(record.sent.last == Int64(body.count))
    }

    @Test func `the idle timeout is stopped while the transfer is suspended and runs again afterwards`() async throws {
        let server = try LocalServer { _ in .silence }
        let collector = Collector()
        var transfer = Transfer(url: try HTTPURL(parsing: server.url()))
        transfer.options.timeouts.idle = 0.2
        let control = transport.start(transfer, into: collector)
        control.suspend()
        try await remains("it has not timed out", for: .milliseconds(500)) { collector.record.outcome == nil }
        control.resume()
        #expect(await collector.end().failure?.kind == .idleTimedOut)
    }

    @Test func `the idle timeout is stopped while the sink is full and runs again afterwards`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123")
            try connection.waitForClose()
        }
        let offers = Mutex(0)
        let collector = Collector { _, _ in
            offers.withLock { offers in
                offers += 1
                return offers == 1 ? .pause : .proceed
            }
        }
        var transfer = Transfer(url: try HTTPURL(parsing: server.url()))
        transfer.options.timeouts.idle = 0.2
        let control = transport.start(transfer, into: collector)
        try await remains("it has not timed out", for: .milliseconds(500)) { collector.record.outcome == nil }
        control.drain()
        let record = await collector.end()
        #expect(record.failure?.kind == .idleTimedOut)
        #expect(record.text == "123")
    }

    @Test(arguments: [nil, Int64(60_000)])
    func `a body produced on another thread is sent as it arrives`(length: Int64?) async throws {
        let server = try LocalServer { .ok("\($0["Content-Length"] ?? "none") \($0["Transfer-Encoding"] ?? "none")") }
        let stream = PiecewiseStream(hasEnded: false)
        let collector = Collector()
        let transfer = Transfer(
            method: .post,
            url: try HTTPURL(parsing: server.url()),
            body: .stream(stream, length: length)
        )
        _ = transport.start(transfer, into: collector)
        let pieces = (0..<6).map { number in [UInt8](repeating: UInt8(number), count: 10_000) }
        for piece in pieces {
            try await eventually("the body is awaited") { stream.isAwaited }
            stream.give(piece)
        }
        if length == nil {
            try await eventually("the body is awaited") { stream.isAwaited }
            stream.end()
        }
        let record = await collector.end()
        #expect(record.failure == nil)
        #expect(record.text == (length == nil ? "none chunked" : "60000 none"))
        #expect(server.requests.last?.body == pieces.flatMap(\.self))
    }

    @Test func `an upload suspended while it waits for its body continues only after it is resumed`() async throws {
        let server = try LocalServer { .ok($0.text) }
        let stream = PiecewiseStream([Array("ab".utf8)], hasEnded: false)
        let collector = Collector()
        let transfer = Transfer(method: .post, url: try HTTPURL(parsing: server.url()), body: .stream(stream))
        let control = transport.start(transfer, into: collector)
        try await eventually("the body is awaited") { stream.isAwaited }
        control.suspend()
        stream.give(Array("cd".utf8))
        stream.end()
        try await remains("the server waits for the body") { server.requests.first?.isComplete != true }
        control.resume()
        #expect(await collector.end().text == "abcd")
    }

    @Test func `memory does not grow while a transfer is paused, nor with the size of the body`() async {
        await #expect(processExitsWith: .success) {
            let server = try LocalServer.scripted { connection in
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(400 << 20)\r\n\r\n")
                let piece = [UInt8](repeating: 1, count: 1 << 20)
                for _ in 0..<400 { try connection.send(piece) }
                try connection.waitForClose()
            }
            let nginx = try await NginxServer(files: ["big": .zeros(size: 400 << 20)])
            let transport = CurlTransport()
            for url in [server.url(), nginx.secureURL("/big")] {
                let sink = CountingSink()
                var transfer = Transfer(url: try HTTPURL(parsing: url))
                transfer.options.tls.authorities = .file(nginx.root)
                let before = peakMemory()
                let control = transport.start(transfer, into: sink)
                try await eventually("the sink is full") { sink.isPaused }
                try await remains("nothing piles up", for: .milliseconds(300)) { peakMemory() - before < 24 << 20 }
                sink.open()
                control.drain()
                try await eventually("the body is through") { sink.outcome != nil }
                #expect(sink.outcome?.failure == nil)
                #expect(sink.count == 400 << 20)
                #expect(peakMemory() - before < 24 << 20)
            }
        }
    }
}

/// Counts the received bytes, and pauses until it is opened.
private final class CountingSink: TransferSink {
    private let state = Mutex((isOpen: false, isPaused: false, count: 0, outcome: TransferOutcome?.none))

    var isPaused: Bool { state.withLock(\.isPaused) }
    var count: Int { state.withLock(\.count) }
    var outcome: TransferOutcome? { state.withLock(\.outcome) }
    func open() { state.withLock { $0.isOpen = true } }

    func receive(_ head: TransferHead) {}
    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        state.withLock { state in
            state.isPaused = !state.isOpen
            if state.isOpen { state.count += bytes.count }
            return state.isOpen ? .proceed : .pause
        }
    }
    func finish(_ outcome: TransferOutcome) { state.withLock { $0.outcome = outcome } }
}
