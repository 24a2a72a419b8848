import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct InterceptorTests {
    static let url = "http://scripted.test/"

    private func naming(_ name: String, _ journal: Journal) -> Interceptor {
        Interceptor(
            adaptHandler: { request, _, completion in
                journal.note("adapt \(name)")
                var request = request
                request.headers.append(name: "X-Adapted", value: name)
                completion(.success(request))
            },
            retryHandler: { _, _, _, completion in
                journal.note("retry \(name)")
                completion(.doNotRetry)
            }
        )
    }

    @Test func `the session's interceptor is called before the request's`() async {
        let journal = Journal()
        let transport = ScriptedTransport { $0.respond(500) }
        let session = Session(transport: transport, interceptor: naming("session", journal))
        let request = session.request(Self.url, interceptor: naming("request", journal)).validate()
        #expect(await request.serializingData().response.error?.responseCode == 500)
        #expect(journal.all == ["adapt session", "adapt request", "retry session", "retry request"])
        #expect(transport.exchanges.first?.transfer.headers.values(for: "X-Adapted") == ["session", "request"])
    }

    @Test func `both the initial and the adapted request are stored, the adapted last`() async {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url, interceptor: naming("a", Journal()))
        let response = await request.serializingData().response
        #expect(request.requests.count == 2)
        #expect(request.firstRequest?.headers.isEmpty == true)
        #expect(response.request?.headers["X-Adapted"] == "a")
    }

    @Test func `adapting ends at the first failure`() async {
        let journal = Journal()
        let failing = Adapter { $2(.failure(Refused())) }
        let chain = Interceptor(adapters: [failing, naming("late", journal)])
        let session = Session(transport: ScriptedTransport())
        let response = await session.request(Self.url, interceptor: chain).serializingData().response
        #expect(response.error?.isRequestAdaptationError == true)
        #expect(journal.all.isEmpty)
    }

    @Test func `any result except doNotRetry ends the chain of retriers`() async {
        let journal = Journal()
        let deciding = Retrier { _, _, _, completion in completion(.doNotRetryWithError(Refused())) }
        let chain = Interceptor(retriers: [naming("first", journal), deciding, naming("last", journal)])
        let session = Session(transport: ScriptedTransport { $0.respond(500) })
        let response = await session.request(Self.url, interceptor: chain).validate().serializingData().response
        #expect(journal.all.filter { $0.hasPrefix("retry") } == ["retry first"])
        guard case .requestRetryFailed(let retryError, let original)? = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(retryError is Refused)
        #expect(original.asAFError?.responseCode == 500)
    }

    @Test func `a retrier's error for a failed serializer is received only by its handler`() async throws {
        let deciding = Retrier { _, _, _, completion in completion(.doNotRetryWithError(Refused())) }
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, interceptor: deciding)
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        let text = request.serializingString()
        let numbers = request.serializingDecodable([Int].self)
        request.resume()
        #expect(try await text.value == "x")
        #expect(await numbers.response.error?.isRequestRetryError == true)
    }

    @Test func `the retrier is called for a failure before any transfer`() async {
        let retrier = CountingRetrier(limit: 2)
        let session = Session(transport: ScriptedTransport(), interceptor: retrier)
        let request = session.request(Self.url, requestModifier: { _ in throw Refused() })
        #expect(await request.serializingData().response.error?.isCreateURLRequestError == true)
        #expect(retrier.count == 3)
    }

    @Test func `a retry waits for the retrier's delay`() async {
        let session = Session(
            transport: ScriptedTransport { $0.respond(500) },
            interceptor: CountingRetrier(limit: 1, delay: 0.2)
        )
        let start = ContinuousClock.now
        let request = session.request(Self.url).validate()
        _ = await request.serializingData().response
        #expect(request.retryCount == 1)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    @Test func `Retry-After is respected up to a limit`() async throws {
        let transport = ScriptedTransport { $0.respond(503, headers: ["Retry-After": "3600"]) }
        let policy = RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0, maximumRetryAfter: 0.2)
        let start = ContinuousClock.now
        let session = Session(transport: transport, interceptor: policy)
        _ = await session.request(Self.url).validate().serializingData().response
        #expect(transport.exchanges.count == 2)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    @Test(arguments: [(HTTPMethod.post, 1), (.patch, 1), (.put, 3), (.delete, 3), (.get, 3)])
    func `only requests with idempotent methods are retried`(method: HTTPMethod, attempts: Int) async {
        let transport = ScriptedTransport { $0.respond(503) }
        let session = Session(transport: transport, interceptor: RetryPolicy(exponentialBackoffScale: 0))
        _ = await session.request(Self.url, method: method).validate().serializingData().response
        #expect(transport.exchanges.count == attempts)
    }

    @Test func `a retry discards the body, error and progress of the failed attempt`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 1))
        let request = session.request(Self.url)
        let task = request.serializingData()
        let first = try await transport.exchange(1)
        first.receiveHead(200)
        first.receive(Array("lost".utf8))
        first.finish(TransferFailure(.connectionLost, "gone"))
        try await transport.exchange(2).respond(200, body: "kept")
        #expect(try await task.value == Data("kept".utf8))
        #expect(request.error == nil)
        #expect(request.allMetrics.count == 2)
        #expect(request.downloadProgress.completedUnitCount == 4)
    }
}
