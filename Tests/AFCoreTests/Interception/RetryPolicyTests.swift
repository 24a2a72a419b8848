import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryPolicyTests {
    static let url = "http://scripted.test/"

    /// Returns the number of attempts that a policy allows for a request with the same failure each time.
    nonisolated(nonsending) private func attempts(
        _ policy: any RequestInterceptor,
        _ method: HTTPMethod = .get,
        script: @escaping ScriptedTransport.Script
    ) async -> Int {
        let transport = ScriptedTransport(script)
        let session = Session(transport: transport, interceptor: policy)
        _ = await session.request(Self.url, method: method).validate().serializingData().response
        return transport.exchanges.count
    }

    @Test func `the defaults are Alamofire's`() {
        let policy = RetryPolicy()
        #expect(policy.retryLimit == 2 && policy.retryLimit == RetryPolicy.defaultRetryLimit)
        #expect(policy.exponentialBackoffBase == 2 && RetryPolicy.defaultExponentialBackoffBase == 2)
        #expect(policy.exponentialBackoffScale == 0.5 && RetryPolicy.defaultExponentialBackoffScale == 0.5)
        #expect(policy.retryableHTTPMethods == [.delete, .get, .head, .options, .put, .trace])
        #expect(policy.retryableHTTPStatusCodes == [408, 500, 502, 503, 504])
        #expect(policy.retryableFailures == RetryPolicy.defaultRetryableFailures)
        #expect(RetryPolicy(rules: RetryRules { _ in true }).retryableFailures == nil)
    }

    @Test func `static functions create policies with the given parameters`() async {
        let quick = { @Sendable (exchange: ScriptedTransport.Exchange) in exchange.respond(503) }
        #expect(await attempts(.retryPolicy(retryLimit: 3, exponentialBackoffScale: 0.001), script: quick) == 4)
        let others: some RequestInterceptor = .retryPolicy(
            exponentialBackoffScale: 0.001, retryableHTTPMethods: [.post], retryableHTTPStatusCodes: [429])
        #expect(await attempts(others, script: quick) == 1)
        #expect(await attempts(others, .post) { $0.respond(429) } == 3)
        let kinds: some RequestInterceptor = .retryPolicy(
            exponentialBackoffScale: 0.001, retryableFailures: [.malformedResponse])
        #expect(await attempts(kinds) { $0.finish(TransferFailure(.malformedResponse, "not HTTP")) } == 3)
        #expect(await attempts(kinds) { $0.finish(TransferFailure(.connectionLost, "gone")) } == 1)
    }

    @Test func `the connection-lost policy retries only lost connections`() async {
        let policy = ConnectionLostRetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.001)
        #expect(await attempts(policy) { $0.finish(TransferFailure(.connectionLost, "gone")) } == 3)
        #expect(await attempts(policy) { $0.finish(TransferFailure(.truncated, "short")) } == 3)
        #expect(await attempts(policy) { $0.finish(TransferFailure(.cannotConnect, "refused")) } == 1)
        #expect(await attempts(policy) { $0.respond(503) } == 1)
        #expect(await attempts(policy, .post) { $0.finish(TransferFailure(.connectionLost, "gone")) } == 1)
        let posts: some RequestInterceptor = .connectionLostRetryPolicy(
            retryLimit: 1, exponentialBackoffScale: 0.001, retryableHTTPMethods: [.post])
        #expect(await attempts(posts, .post) { $0.finish(TransferFailure(.connectionLost, "gone")) } == 2)
        let defaults: [RetryPolicy] = [ConnectionLostRetryPolicy.connectionLostRetryPolicy, .retryPolicy]
        #expect(defaults.map { $0.retryableHTTPStatusCodes.count } == [0, 5])
    }

    @Test func `a damaged content coding is not retried, and a truncated one is`() async throws {
        let damaged = Array("no coding at all".utf8)
        for (body, attempts) in [(damaged, 1), (Array(CodedBody.gzip.bytes.dropLast()), 3)] {
            try await withServer { _ in
                .bytes(body).header("Content-Encoding", "gzip")
            } _: { (server) async throws in
                let session = Session(interceptor: RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.001))
                let response = await session.request(server.url()).serializingData().response
                #expect(response.error != nil)
                #expect(server.requests.count == attempts)
            }
        }
    }

    @Test func `an attempt rejected by an adapter is not retried for an earlier response`() async {
        struct Refusal: Error {}
        let journal = Journal()
        let adapter = Adapter { request, _, completion in
            journal.note("adapt")
            completion(journal.all.count == 1 ? .success(request) : .failure(Refusal()))
        }
        let policy = RetryPolicy(retryLimit: 5, exponentialBackoffScale: 0.001)
        let chain = Interceptor(adapters: [adapter], retriers: [policy])
        #expect(await attempts(chain) { $0.respond(503) } == 1)
        #expect(journal.all.count == 2)
    }

    @Test func `the properties of a retry result match its case`() {
        struct Cause: Error {}
        let results: [RetryResult] = [.retry, .retryWithDelay(2), .doNotRetry, .doNotRetryWithError(Cause())]
        #expect(results.map(\.retryRequired) == [true, true, false, false])
        #expect(results.map(\.delay) == [nil, 2, nil, nil])
        #expect(results.map { $0.error is Cause } == [false, false, false, true])
    }
}

@Suite(.timeLimit(.minutes(5))) struct InterceptorFactoryTests {
    @Test func `static functions create adapters, retriers and interceptors`() async throws {
        let journal = Journal()
        let transport = ScriptedTransport { $0.respond($0.transfer.headers["X"] == "2" ? 200 : 500, body: "x") }
        let adapter: AdaptHandler = { request, _, completion in
            journal.note("adapt")
            var request = request
            request.headers["X"] = "\(journal.count("adapt"))"
            completion(.success(request))
        }
        let retrier: RetryHandler = { _, _, _, completion in completion(.retry) }
        let session = Session(transport: transport)
        func check(_ interceptor: any RequestInterceptor) async throws {
            let before = journal.all.count
            let request = session.request("http://scripted.test/", interceptor: interceptor).validate()
            _ = try await request.serializingData().value
            #expect(request.retryCount == (before == 0 ? 1 : 0))
        }
        try await check(.interceptor(adapter: adapter, retrier: retrier))
        #expect(journal.all == ["adapt", "adapt"])

        let fixed: any RequestAdapter = .adapter { request, _, completion in
            var request = request
            request.headers["X"] = "2"
            completion(.success(request))
        }
        let both: Interceptor = .interceptor(adapter: fixed, retrier: .retrier(using: retrier))
        #expect(both.adapters.count == 1 && both.retriers.count == 1)
        try await check(both)
        let several: Interceptor = .interceptor(adapters: [.adapter(using: adapter)], interceptors: [both])
        #expect(several.adapters.count == 2 && several.retriers.count == 1)
        try await check(several)
        #expect(journal.all.count == 3)
    }

    @Test func `a subclass of Adapter may change the request`() async throws {
        // `@unchecked` like its superclass; it adds no mutable state.
        final class Marking: Adapter, @unchecked Sendable {
            override func adapt(
                _ urlRequest: URLRequest,
                for session: Session,
                completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
            ) {
                var urlRequest = urlRequest
                urlRequest.headers["X"] = "marked"
                super.adapt(urlRequest, for: session, completion: completion)
            }
        }
        let transport = ScriptedTransport { $0.respond(200, body: $0.transfer.headers["X"] ?? "") }
        let session = Session(transport: transport, interceptor: Marking { $2(.success($0)) })
        #expect(try await session.request("http://scripted.test/").serializingString().value == "marked")
    }
}
