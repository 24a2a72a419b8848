import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Every caller is called back exactly once, in all circumstances.
@Suite(.timeLimit(.minutes(5))) struct RequestEndingTests {
    static let url = "http://scripted.test/"

    /// Adds a handler, and returns the journal of its results.
    private func ends(_ request: DataRequest) -> Journal {
        let ends = Journal()
        request.responseData(queue: DispatchQueue(label: "ends")) { response in
            ends.note(response.error.map { "\($0)" } ?? "value")
        }
        return ends
    }

    private func expectOne(_ ends: Journal, _ end: String) async throws {
        try await ends.waitFor(1)
        try await remains("the handler was called once", for: .milliseconds(20)) { ends.all.count == 1 }
        #expect(ends.all == [end])
    }

    // Canceling

    @Test func `a request canceled before its start sends nothing and ends`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, startRequestsImmediately: false)
        let request = session.request(Self.url)
        let ends = ends(request)
        request.cancel()
        try await expectOne(ends, "explicitlyCancelled")
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `a request canceled while an adapter never replies ends`() async throws {
        let asked = Gate()
        let session = Session(transport: ScriptedTransport(), interceptor: Adapter { _, _, _ in asked.open() })
        let request = session.request(Self.url)
        let ends = ends(request)
        try await asked.waitUntilOpen()
        request.cancel()
        try await expectOne(ends, "explicitlyCancelled")
    }

    @Test func `a request canceled during its transfer ends with its metrics`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let ends = ends(request)
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        request.cancel()
        try await expectOne(ends, "explicitlyCancelled")
        #expect(exchange.commands == [.cancel])
        #expect(request.metrics != nil)
        #expect(request.isCancelled)
    }

    @Test func `a request canceled with a task that never ran ends`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, startRequestsImmediately: false, requestSetup: .eager)
        let request = session.request(Self.url)
        let ends = ends(request)
        try await eventually("there is a task") { request.task != nil }
        request.cancel()
        try await expectOne(ends, "explicitlyCancelled")
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `a request canceled while a validator runs ends as canceled and is not retried`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let retrier = CountingRetrier(limit: 9)
        let session = Session(transport: transport, interceptor: retrier)
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        request.validate { [weak request] _, _, _ in
            request?.cancel()
            return .failure(Refused())
        }
        let ends = ends(request)
        request.resume()
        try await expectOne(ends, "explicitlyCancelled")
        #expect(retrier.count == 0)
    }

    @Test func `a request canceled while a retrier never replies ends with its error`() async throws {
        let asked = Gate()
        let transport = ScriptedTransport { $0.respond(500) }
        let session = Session(transport: transport, interceptor: Retrier { _, _, _, _ in asked.open() })
        let request = session.request(Self.url).validate()
        let ends = Journal()
        request.response(queue: DispatchQueue(label: "ends")) { ends.note("\($0.error?.responseCode ?? 0)") }
        try await asked.waitUntilOpen()
        request.cancel()
        try await expectOne(ends, "500")
    }

    @Test func `a request canceled during the delay of a retry ends immediately as canceled`() async throws {
        let transport = ScriptedTransport { $0.respond(500) }
        let retrier = CountingRetrier(limit: 1, delay: 3600)
        let session = Session(transport: transport, interceptor: retrier)
        let request = session.request(Self.url).validate()
        let ends = ends(request)
        try await eventually("the retrier was asked") { retrier.count == 1 }
        await session.catchUp()
        request.cancel()
        try await expectOne(ends, "explicitlyCancelled")
        #expect(transport.exchanges.count == 1)
    }

    @Test func `canceling a request whose serializer failed ends all its handlers as canceled`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "no json") }
        let retrier = CountingRetrier(limit: 1, delay: 3600)
        let session = Session(transport: transport, interceptor: retrier)
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        let tasks = (0..<2).map { _ in request.serializingDecodable([Int].self) }
        request.resume()
        try await eventually("the retrier was asked") { retrier.count == 1 }
        await session.catchUp()
        request.cancel()
        for task in tasks { #expect(await task.response.error?.isExplicitlyCancelledError == true) }
    }

    @Test func `a request canceled while a serializer runs ends`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        let serializer = CallingSerializer { [weak request] in request?.cancel() }
        let ends = Journal()
        request.response(queue: DispatchQueue(label: "ends"), responseSerializer: serializer) { _ in ends.note("end") }
        request.resume()
        try await expectOne(ends, "end")
        #expect(request.isCancelled)
    }

    // The session and its transport

    @Test func `a deallocated session ends a request that was not started`() async throws {
        var session: Session? = Session(transport: ScriptedTransport(), startRequestsImmediately: false)
        let request = try #require(session?.request(Self.url))
        let ends = ends(request)
        session = nil
        try await expectOne(ends, "sessionDeinitialized")
    }

    @Test func `a deallocated session ends a request whose adapter never replies`() async throws {
        let asked = Gate()
        let adapter = Adapter { _, _, _ in asked.open() }
        var session: Session? = Session(transport: ScriptedTransport(), interceptor: adapter)
        let request = try #require(session?.request(Self.url))
        let ends = ends(request)
        try await asked.waitUntilOpen()
        session = nil
        try await expectOne(ends, "sessionDeinitialized")
    }

    @Test func `a deallocated session ends running and suspended transfers`() async throws {
        let transport = ScriptedTransport()
        var session: Session? = Session(transport: transport, requestSetup: .eager)
        let running = try #require(session?.request(Self.url))
        let suspended = try #require(session?.request(Self.url, shouldAutomaticallyResume: false))
        let ends = [ends(running), ends(suspended)]
        _ = try await transport.exchange()
        try await eventually("both have tasks") { running.task != nil && suspended.task != nil }
        session = nil
        for ends in ends { try await expectOne(ends, "sessionDeinitialized") }
    }

    @Test func `a deallocated session ends a request that waits for another attempt`() async throws {
        let retrier = CountingRetrier(limit: 1, delay: 3600)
        var session: Session? = Session(transport: ScriptedTransport { $0.respond(500) }, interceptor: retrier)
        let request = try #require(session?.request(Self.url).validate())
        let ends = ends(request)
        try await eventually("the retrier was asked") { retrier.count == 1 }
        session = nil
        try await expectOne(ends, "sessionDeinitialized")
    }

    @Test func `a deallocated session ends a request whose retrier never replies, with its error`() async throws {
        let asked = Gate()
        var session: Session? = Session(
            transport: ScriptedTransport { $0.respond(500) },
            interceptor: Retrier { _, _, _, _ in asked.open() }
        )
        let request = try #require(session?.request(Self.url).validate())
        let task = request.serializingData()
        try await asked.waitUntilOpen()
        session = nil
        #expect(await task.response.error?.responseCode == 500)
    }

    @Test func `a request resumed after its session was deallocated ends`() async throws {
        var session: Session? = Session(transport: ScriptedTransport())
        let request = try #require(session?.request(Self.url))
        session = nil
        #expect(await request.serializingData().response.error?.isSessionDeinitializedError == true)
    }

    @Test func `a transport that shuts down ends every request, and accepts no more`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let task = request.serializingData()
        _ = try await transport.exchange()
        transport.shutdown()
        #expect(await task.response.error?.isSessionInvalidatedError == true)
        #expect(await session.request(Self.url).serializingData().response.error?.isSessionInvalidatedError == true)
    }

    @Test func `a shared transport outlives a session`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        weak var weakSession: Session?
        do {
            let session = Session(transport: transport)
            _ = try await session.request(Self.url).serializingData().value
            weakSession = session
        }
        try await eventually("the session is gone") { weakSession == nil }
        #expect(!transport.isShutDown)
    }

    @Test func `all requests can be listed and canceled`() async throws {
        let session = Session(transport: ScriptedTransport())
        let requests = (0..<3).map { _ in session.request(Self.url) }
        let tasks = requests.map { $0.serializingData() }
        let listed = await withCheckedContinuation { waiter in
            session.withAllRequests { waiter.resume(returning: $0) }
        }
        #expect(listed == Set(requests))
        await withCheckedContinuation { waiter in
            session.cancelAllRequests(completingOnQueue: .global()) { waiter.resume() }
        }
        for task in tasks { #expect(await task.response.error?.isExplicitlyCancelledError == true) }
        let left = await withCheckedContinuation { waiter in
            session.withAllRequests { waiter.resume(returning: $0.count) }
        }
        #expect(left == 0)
    }

    // No leftovers

    @Test func `unused sessions, requests and closures are deallocated`() async throws {
        let token = Mutex<[WeakToken]>([])
        weak var weakSession: Session?
        weak var weakRequest: DataRequest?
        weak var weakStream: DataStreamRequest?
        do {
            let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
            let held = Token()
            token.withLock { $0.append(WeakToken(held)) }
            let request = session.request(Self.url).validate { [held] _, _, _ in
                _ = held
                return .success(())
            }
            request.downloadProgress { [held] _ in _ = held }
            let stream = session.streamRequest(Self.url)
            let ended = Gate()
            stream.responseStream(on: DispatchQueue(label: "stream")) { [held] event in
                _ = held
                if case .complete = event.event { ended.open() }
            }
            _ = try await request.serializingData().value
            try await ended.waitUntilOpen()
            (weakSession, weakRequest, weakStream) = (session, request, stream)
        }
        try await eventually("the request is gone") { weakRequest == nil }
        try await eventually("the stream is gone") { weakStream == nil }
        try await eventually("the session is gone") { weakSession == nil }
        try await eventually("what closures held is gone") { token.withLock { $0.allSatisfy { $0.token == nil } } }
    }

    @Test func `handlers that retain their request release it at its end`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        weak var weakRequest: DataRequest?
        weak var weakStream: DataStreamRequest?
        do {
            let request = session.request(Self.url)
            request.onHTTPResponse { [request] _ in _ = request }.downloadProgress { [request] _ in _ = request }
            let stream = session.streamRequest(Self.url)
            stream.onHTTPResponse { [stream] _ in _ = stream }
            let ended = Gate()
            stream.responseStream(on: .global()) { [stream] event in
                if event.completion != nil { ended.open() }
                _ = stream
            }
            _ = try await request.serializingData().value
            try await ended.waitUntilOpen()
            (weakRequest, weakStream) = (request, stream)
        }
        try await eventually("the request is gone") { weakRequest == nil }
        try await eventually("the stream is gone") { weakStream == nil }
    }

    @Test func `validators that retain their request release it at its end`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        weak var weakRequest: DataRequest?
        weak var weakStream: DataStreamRequest?
        weak var weakDownload: DownloadRequest?
        do {
            let request = session.request(Self.url)
            request.validate { [request] _, _, _ in request.error.map(Result.failure) ?? .success(()) }
            let stream = session.streamRequest(Self.url)
            stream.validate { [stream] _, _ in stream.error.map(Result.failure) ?? .success(()) }
            let download = session.download(Self.url)
            download.validate { [download] _, _, _ in download.error.map(Result.failure) ?? .success(()) }
            let digest = try #require(
                Checksum(
                    .sha256,
                    hexadecimal: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
                ))
            download.validate(checksums: { [download] _ in download.isCancelled ? [] : [digest] })
            for await event in stream.streamTask().streamingData() where event.completion != nil {
                #expect(event.completion?.error == nil)
            }
            _ = try await request.serializingData().value
            _ = try await download.serializingData().value
            // A handler added too late is neither called nor retained.
            request.validate { [request] _, _, _ in request.error.map(Result.failure) ?? .success(()) }
            (weakRequest, weakStream, weakDownload) = (request, stream, download)
        }
        try await eventually("the request is gone") { weakRequest == nil }
        try await eventually("the stream is gone") { weakStream == nil }
        try await eventually("the download is gone") { weakDownload == nil }
    }

    @Test func `a late handler causes no retry after the validators were released`() async throws {
        let retrier = CountingRetrier(limit: 5)
        let transport = ScriptedTransport { $0.respond(200, body: "no number") }
        let session = Session(transport: transport, interceptor: retrier)
        let request = session.request(Self.url).validate()
        _ = try await request.serializingData().value
        #expect(await request.serializingDecodable(Int.self).response.error?.isResponseSerializationError == true)
        #expect(retrier.count == 0 && transport.exchanges.count == 1)
        // Without validators, the request is still retried.
        let plain = session.request(Self.url)
        _ = try await plain.serializingData().value
        _ = await plain.serializingDecodable(Int.self).response
        #expect(retrier.count == 6)
    }

    @Test func `requests released before their start are deallocated`() {
        let session = Session(transport: ScriptedTransport(), startRequestsImmediately: false)
        weak var weakRequest: DataRequest?
        weak var weakStream: DataStreamRequest?
        do {
            let request = session.request(Self.url).responseData { _ in }
            let stream = session.streamRequest(Self.url).responseStream { _ in }
            (weakRequest, weakStream) = (request, stream)
        }
        #expect(weakRequest == nil)
        #expect(weakStream == nil)
    }

    @Test func `a canceled request is released before its retry would have been due`() async throws {
        let retrier = CountingRetrier(limit: 1, delay: 3600)
        let session = Session(transport: ScriptedTransport { $0.respond(500) }, interceptor: retrier)
        weak var weakRequest: DataRequest?
        do {
            let request = session.request(Self.url).validate()
            let task = request.serializingData()
            try await eventually("the retrier was asked") { retrier.count == 1 }
            request.cancel()
            _ = await task.response
            weakRequest = request
        }
        try await eventually("the request is gone") { weakRequest == nil }
    }
}

private final class Token: Sendable {}

private struct WeakToken: Sendable {
    weak let token: Token?
    init(_ token: Token) { self.token = token }
}

/// Calls a closure during serialization.
private struct CallingSerializer: DataResponseSerializerProtocol {
    let call: @Sendable () -> Void

    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws {
        call()
    }
}
