import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventStreamTests {
    static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"

    static let cutHead = head.replacing("Connection", with: "Content-Length: 900\r\nConnection")

    /// Options that reconnect at once, and not after a connection without an event.
    static var quick: EventStream.Options {
        var options = EventStream.Options()
        options.reconnectionTime = 0
        options.maximumFailures = 1
        return options
    }

    /// The events of one connection with a body in chunks of a size.
    private func events(_ body: [UInt8], chunks size: Int = 1 << 20) async throws -> [ServerSentEvent] {
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead(headers: ["Content-Type": "text/event-stream"])
            for start in stride(from: 0, to: body.count, by: size) {
                exchange.receive(Array(body[start..<min(start + size, body.count)]))
            }
            exchange.finish()
        }
        var options = Self.quick
        options.maximumFailures = 0
        var events: [ServerSentEvent] = []
        let stream = Session(transport: transport).eventStream("http://scripted.test/", options: options)
        for try await event in stream { events.append(event) }
        return events
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `fields become events, in any chunks`(size: Int) async throws {
        let text =
            "\u{FEFF}: comment\r\nevent: added\rid: 1\ndata: tw\u{F6}\r\ndata:  lines\n\n"
            + "data\n\ndata:{\"a\":1}\r\revent: lost\n\nunknown: x\ndata: \u{FEFF}last\nid\n\nid: 9\ndata: incomplete"
        #expect(
            try await events(Array(text.utf8), chunks: size) == [
                ServerSentEvent(id: "1", event: "added", data: "tw\u{F6}\n lines"),
                ServerSentEvent(id: "1", data: ""),
                ServerSentEvent(id: "1", data: "{\"a\":1}"),
                ServerSentEvent(data: "\u{FEFF}last"),
            ]
        )
    }

    @Test func `an ID with control characters is ignored, invalid UTF-8 replaced`() async throws {
        let body = Array("id: 1\nid: a\0b\nid: c\u{1}\ndata: ".utf8) + [0xC3, 0x28] + Array("\n\n".utf8)
        #expect(try await events(body) == [ServerSentEvent(id: "1", data: "\u{FFFD}(")])
    }

    @Test func `data can be decoded as JSON`() throws {
        struct Price: Decodable { let amount: Int }
        #expect(try ServerSentEvent(data: "{\"amount\":3}").decode(Price.self).amount == 3)
        #expect(throws: DecodingError.self) { try ServerSentEvent(data: "3").decode(Price.self) }
    }

    @Test func `a lost connection is resumed after the last event, until status 204`() async throws {
        try await withServer { request in
            switch request["Last-Event-ID"] {
            case nil: .raw("\(Self.head)retry: 1\nid: \u{E9}1\ndata: a\n\nid: 2\ndata: incomplete\n")
            case "\u{E9}1": .raw("\(Self.cutHead)data: b\nid: 3\n\n")
            case "3": .raw("\(Self.head)data: c\n\n")
            default: .status(500)
            }
        } _: { server in
            let seen = Journal()
            let stream = AF.eventStream(server.url(), headers: ["X-App": "1"], options: Self.quick)
            for try await event in stream {
                seen.note("\(event.id) \(event.data)")
                if seen.all.count == 4 { break }
            }
            #expect(seen.all == ["\u{E9}1 a", "3 b", "3 c", "3 c"])
            #expect(server.requests.first?["Accept"] == "text/event-stream")
            #expect(server.requests.allSatisfy { $0["Cache-Control"] == "no-store" && $0["X-App"] == "1" })
        }
    }

    @Test func `status 204 ends the sequence`() async throws {
        try await withServer { request in
            request["Last-Event-ID"] == "5" ? .raw("\(Self.head)id: 6\ndata: a\n\n") : .status(204)
        } _: { server in
            var options = Self.quick
            options.lastEventID = "5"
            var iterator = AF.eventStream(server.url(), options: options).makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first?.data == "a" && iterator.lastEventID == "6")
            let (second, third) = (try await iterator.next(), try await iterator.next())
            #expect(second == nil && third == nil)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `another status or media type is a permanent error`() async throws {
        try await withServer { request in
            request.path == "/missing" ? .status(404) : .ok("data: no event\n\n")
        } _: { server in
            let missing = await #expect(throws: AFError.self) {
                for try await _ in AF.eventStream(server.url("/missing")) {}
            }
            #expect(missing?.responseCode == 404)
            let page = await #expect(throws: AFError.self) {
                for try await event in AF.eventStream(server.url()) { Issue.record("\(event)") }
            }
            #expect(page?.responseContentType == "text/plain")
            #expect(server.requests.count == 2)
        }
    }

    @Test func `connections without an event are limited, and the last error thrown`() async throws {
        try await withServer { _ in
            .reset
        } _: { server in
            var options = Self.quick
            options.maximumFailures = 3
            options.maximumReconnectionDelay = 0.001
            let error = await #expect(throws: AFError.self) {
                for try await _ in AF.eventStream(server.url(), options: options) {}
            }
            #expect(error?.transferFailure != nil)
            #expect(server.acceptedConnections >= 3)
        }
    }

    @Test(arguments: [
        ("data: 123456789\n\n", StreamLimitExceeded.Unit.line), ("data: 1234567\ndata: 1234567\n\n", .event),
    ])
    func `an event that is too large throws`(body: String, unit: StreamLimitExceeded.Unit) async throws {
        try await withServer { _ in
            .raw("\(Self.head)data: 12345\n\n\(body)")
        } _: { server in
            var options = Self.quick
            options.maximumEventSize = 14
            var count = 0
            let error = await #expect(throws: AFError.self) {
                for try await _ in AF.eventStream(server.url(), options: options) { count += 1 }
            }
            let limit = StreamLimitExceeded(unit: unit, limit: options.maximumEventSize)
            #expect(error?.underlyingError as? StreamLimitExceeded == limit)
            #expect(count == 1)
        }
    }

    @Test func `canceling the task ends the request and the wait for a reconnection`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let reader = Task { for try await _ in session.eventStream("http://scripted.test/") {} }
        let exchange = try await transport.exchange()
        reader.cancel()
        let error = await #expect(throws: AFError.self) { try await reader.value }
        #expect(error?.isExplicitlyCancelledError == true)
        try await eventually("the request has ended") { exchange.isFinished }

        let closing = ScriptedTransport { $0.respond(200, headers: ["Content-Type": "text/event-stream"]) }
        let waiting = Session(transport: closing)
        var options = EventStream.Options()
        options.reconnectionTime = 1000
        options.maximumReconnectionDelay = 1000
        let waiter = Task { [options] in
            for try await _ in waiting.eventStream("http://scripted.test/", options: options) {}
        }
        _ = try await closing.exchange()
        waiter.cancel()
        await #expect(throws: AFError.self) { try await waiter.value }
        #expect(closing.exchanges.count == 1)
    }

    @Test func `a request with a body is sent again with it`() async throws {
        try await withServer { request in
            request["Last-Event-ID"] == nil ? .raw("\(Self.head)id: 1\ndata: a\n\n") : .status(204)
        } _: { server in
            var request = try URLRequest(url: server.url(), method: .post)
            request.httpBody = Data("{}".utf8)
            var count = 0
            for try await _ in AF.eventStream(request, options: Self.quick) { count += 1 }
            #expect(count == 1)
            #expect(server.requests.map(\.text) == ["{}", "{}"])
        }
    }
}
