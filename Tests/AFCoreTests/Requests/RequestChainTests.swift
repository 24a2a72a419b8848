import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestChainTests {
    static let url = "http://scripted.test/"

    // Alamofire calls interceptors added later before the one given with the request.
    @Test func `interceptors are called in the order they were added`() async throws {
        let asked = Journal()
        let session = Session(
            transport: ScriptedTransport { $0.respond(500, body: "x") },
            interceptor: Noting("session", asked)
        )
        let request = session.request(Self.url, interceptor: Noting("given", asked)).validate()
            .adapt(using: Noting("adapter", asked))
            .interceptor(Noting("interceptor", asked))
            .retry(using: Noting("retrier", asked))
            .adapt(using: Noting("last adapter", asked))
        #expect(await request.serializingData().response.error?.responseCode == 500)
        #expect(
            asked.all == [
                "adapt session", "adapt given", "adapt adapter", "adapt interceptor", "adapt last adapter",
                "retry session", "retry given", "retry interceptor", "retry retrier",
            ])
        #expect(request.interceptor is Interceptor)
    }

    @Test func `an interceptor can be added to a request without one`() async throws {
        let asked = Journal()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url)
        #expect(request.interceptor == nil)
        request.interceptor(Noting("own", asked))
        _ = try await request.serializingData().value
        #expect(asked.all == ["adapt own"])
    }

    @Test func `an added retrier causes another attempt`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let retrier = CountingRetrier(limit: 1)
        let task = session.request(Self.url).validate().retry(using: retrier).serializingString()
        try await transport.exchange(1).respond(500, body: "x")
        try await transport.exchange(2).respond(200, body: "y")
        #expect(try await task.value == "y")
        #expect(retrier.count == 1)
    }

    @Test func `a request's monitors receive only its events, after the session's`() async throws {
        let events = Journal()
        let queue = DispatchQueue(label: "monitors")
        let session = Session(
            transport: ScriptedTransport { $0.respond(200, body: "x") },
            eventMonitors: [EndMonitor("session", queue, events)]
        )
        let request = session.request(Self.url)
            .eventMonitor(EndMonitor("first", queue, events)).eventMonitor(EndMonitor("second", queue, events))
        _ = try await request.serializingData().value
        try await events.waitFor(3)
        _ = try await session.request(Self.url).serializingData().value
        try await events.waitFor(4)
        #expect(events.all == ["session", "first", "second", "session"])
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let monitorless = Session(transport: transport, eventMonitors: [])
        let own = monitorless.request(Self.url)
        #expect(own.eventMonitor == nil)
        _ = try await own.eventMonitor(EndMonitor("own", queue, events)).serializingData().value
        try await events.waitFor(5)
        #expect(events.all.last == "own")
    }
}

/// Records its calls, and changes nothing.
private struct Noting: RequestInterceptor {
    let name: String
    let journal: Journal

    init(_ name: String, _ journal: Journal) { (self.name, self.journal) = (name, journal) }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        journal.note("adapt \(name)")
        completion(.success(urlRequest))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        journal.note("retry \(name)")
        completion(.doNotRetry)
    }
}

/// Records the end of every request.
private struct EndMonitor: EventMonitor {
    let name: String
    let queue: DispatchQueue
    let journal: Journal

    init(_ name: String, _ queue: DispatchQueue, _ journal: Journal) {
        (self.name, self.queue, self.journal) = (name, queue, journal)
    }

    func requestDidFinish(_ request: Request) { journal.note(name) }
}
