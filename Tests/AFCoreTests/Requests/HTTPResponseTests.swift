import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPResponseTests {
    static let url = "http://scripted.test/"
    private let queue = DispatchQueue(label: "heads")

    @Test func `rejecting the header stops an endless body`() async throws {
        let sent = Mutex(0)
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            while true {
                try connection.send([UInt8](repeating: 0, count: 1 << 16))
                sent.withLock { $0 += 1 << 16 }
            }
        } _: { server in
            let session = Session()
            let request = session.request(server.url())
            request.onHTTPResponse(on: queue) { response, answer in
                answer(response.statusCode == 200 ? .cancel : .allow)
            }
            let response = await request.serializingData().response
            #expect(response.error?.isExplicitlyCancelledError == true)
            #expect(response.response?.statusCode == 200)
            #expect(response.data == nil)
            #expect(request.isCancelled)
        }
        // At most the contents of the socket buffers.
        #expect(sent.withLock(\.self) < 100 << 20)
    }

    @Test func `the body is delivered only after the handler's decision, and completely`() async throws {
        let server = try LocalServer { _ in .ok(String(repeating: "x", count: 300_000)) }
        let session = Session()
        let verdict = Mutex<(@Sendable (Request.ResponseDisposition) -> Void)?>(nil)
        let request = session.streamRequest(server.url())
        let asked = Gate()
        request.onHTTPResponse(on: queue) { _, answer in
            verdict.withLock { $0 = answer }
            asked.open()
        }
        let pieces = request.streamTask().streamingData()
        try await asked.waitUntilOpen()
        #expect(request.downloadProgress.completedUnitCount == 0)
        verdict.withLock({ $0.take() })?(.allow)
        var count = 0
        for await piece in pieces { count += piece.value?.count ?? 0 }
        #expect(count == 300_000)
    }

    @Test func `a response without a body waits for the decision, too`() async throws {
        for disposition in [Request.ResponseDisposition.allow, .cancel] {
            let transport = ScriptedTransport { $0.respond(204) }
            let session = Session(transport: transport)
            let verdict = Mutex<(@Sendable (Request.ResponseDisposition) -> Void)?>(nil)
            let request = session.request(Self.url)
            request.onHTTPResponse(on: queue) { _, answer in verdict.withLock { $0 = answer } }
            let task = request.serializingData()
            try await eventually("the transfer is over") { transport.exchanges.first?.isFinished == true }
            try await eventually("the handler was called") { verdict.withLock { $0 != nil } }
            #expect(request.isResumed && request.metrics == nil)
            verdict.withLock({ $0.take() })?(disposition)
            let error = await task.response.error
            #expect(error?.isExplicitlyCancelledError == (disposition == .cancel ? true : nil))
        }
    }

    @Test func `canceling ends a request that waits for a decision about its header`() async throws {
        let transport = ScriptedTransport { $0.respond(200) }
        let session = Session(transport: transport)
        let verdict = Mutex<(@Sendable (Request.ResponseDisposition) -> Void)?>(nil)
        let request = session.request(Self.url)
        request.onHTTPResponse(on: queue) { _, answer in verdict.withLock { $0 = answer } }
        let task = request.serializingData()
        try await eventually("the handler was called") { verdict.withLock { $0 != nil } }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        verdict.withLock({ $0.take() })?(.allow)
        #expect(request.metrics != nil)
    }

    @Test func `a handler that drops its closure accepts the body`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url)
        request.onHTTPResponse(on: queue) { _, _ in }
        #expect(try await request.serializingString().value == "x")
    }

    @Test func `a failed transfer does not wait for a decision`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let verdict = Mutex<(@Sendable (Request.ResponseDisposition) -> Void)?>(nil)
        let request = session.request(Self.url)
        request.onHTTPResponse(on: queue) { _, answer in verdict.withLock { $0 = answer } }
        let task = request.serializingData()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.finish(TransferFailure(.connectionLost, "gone"))
        #expect(await task.response.error?.isSessionTaskError == true)
    }

    @Test func `the handler is called for every attempt, and only its first reply is used`() async throws {
        let transport = ScriptedTransport { exchange in exchange.respond(503, body: "x") }
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 2))
        let request = session.request(Self.url).validate()
        let heads = Journal()
        request.onHTTPResponse(on: queue) { response, answer in
            heads.note("\(response.statusCode)")
            answer(heads.all.count < 3 ? .allow : .cancel)
            answer(.cancel)
        }
        #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        #expect(heads.all == ["503", "503", "503"])
        #expect(request.retryCount == 2)
    }

    @Test func `an asynchronous handler may cancel the request, and runs before a stream's body`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let heads = Journal()
        let request = session.request(Self.url)
        request.onHTTPResponse { response async -> Request.ResponseDisposition in
            await Task.yield()
            heads.note("\(response.statusCode)")
            return .cancel
        }
        #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        let stream = session.streamRequest(Self.url)
        stream.onHTTPResponse { response async in
            await Task.yield()
            heads.note("stream \(response.statusCode)")
        }
        let heard = stream.streamTask().streamingStrings()
        for await event in heard { heads.note(event.value ?? "end") }
        #expect(heads.all == ["200", "stream 200", "x", "end"])
    }

    @Test func `the last handler replaces earlier ones`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let heads = Journal()
        let request = session.request(Self.url)
        request.onHTTPResponse(on: queue) { _, answer in answer(.cancel) }
        request.onHTTPResponse(on: queue) { heads.note("\($0.statusCode)") }
        #expect(try await request.serializingString().value == "x")
        try await heads.waitFor(1)
        let stream = session.streamRequest(Self.url)
        stream.onHTTPResponse(on: queue) { _ in heads.note("never") }
        let responses = stream.httpResponses()
        for await _ in stream.streamTask().streamingData() {}
        var statuses: [Int] = []
        for await response in responses { statuses.append(response.statusCode) }
        #expect(statuses == [200])
        #expect(heads.all == ["200"])
    }
}
