import AFCore
import AFHTTP
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CachedResponseHandlerTests {
    private let cache = ResponseCache()

    private func session(_ handler: (any CachedResponseHandler)? = nil, _ monitors: [any EventMonitor] = []) -> Session
    {
        var configuration = SessionConfiguration()
        configuration.urlCache = cache
        return Session(configuration: configuration, cachedResponseHandler: handler, eventMonitors: monitors)
    }

    private func server() throws -> LocalServer {
        try LocalServer { _ in .ok("from the server").header("Cache-Control", "max-age=60") }
    }

    private func cached(_ server: LocalServer) throws -> String? {
        let request = URLRequest(url: try #require(URL(string: server.url())))
        return cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func `a session's handler decides which responses are stored`() async throws {
        let server = try server()
        let refusing = session(.doNotCache)
        #expect(refusing.cachedResponseHandler is ResponseCacher)
        _ = try await refusing.request(server.url()).serializingString().value
        #expect(try cached(server) == nil)
        let keeping = session(.cache)
        _ = try await keeping.request(server.url()).serializingString().value
        #expect(try cached(server) == "from the server")
    }

    @Test func `a request's handler has priority over the session's`() async throws {
        let server = try server()
        let (refusing, keeping) = (session(.doNotCache), session(.cache))
        let request = refusing.request(server.url()).cacheResponse(using: .cache)
        #expect(request.cachedResponseHandler is ResponseCacher)
        _ = try await request.serializingString().value
        #expect(try cached(server) == "from the server")
        cache.removeAllCachedResponses()
        let other = keeping.request(server.url()).cacheResponse(using: ResponseCacher(behavior: .doNotCache))
        _ = try await other.serializingString().value
        #expect(try cached(server) == nil)
    }

    @Test func `a response changed by a handler is served from the cache`() async throws {
        let server = try server()
        let journal = Journal()
        let modifier = ResponseCacher.modify { task, proposal in
            journal.note("task \(task.currentRequest.url?.path ?? "")")
            journal.note("\(proposal.storagePolicy) \(String(decoding: proposal.data, as: UTF8.self))")
            return CachedURLResponse(
                response: proposal.response,
                data: Data("changed".utf8),
                userInfo: ["by": "handler"],
                storagePolicy: .allowedInMemoryOnly
            )
        }
        let session = session(modifier)
        #expect(try await session.request(server.url()).serializingString().value == "from the server")
        #expect(try await session.request(server.url()).serializingString().value == "changed")
        #expect(journal.all == ["task /", "allowed from the server"])
        #expect(server.requests.count == 1)
        let request = URLRequest(url: try #require(URL(string: server.url())))
        #expect(cache.cachedResponse(for: request)?.userInfo?["by"] as? String == "handler")
    }

    @Test func `a handler may discard a response, or reply later`() async throws {
        let server = try server()
        let refusing = session(ResponseCacher(behavior: .modify { _, _ in nil }))
        _ = try await refusing.request(server.url()).serializingString().value
        #expect(try cached(server) == nil)
        let late = LateHandler()
        let patient = session(late)
        _ = try await patient.request(server.url()).serializingString().value
        #expect(try cached(server) == nil)
        late.answer.open()
        try await eventually("the response is kept") { (try? cached(server)) == "from the server" }
    }

    @Test func `a late handler does not restore an invalidated response`() async throws {
        let server = try server()
        let late = LateHandler()
        let session = session(late)
        _ = try await session.request(server.url()).serializingString().value
        _ = try await session.request(server.url(), method: .post).serializingString().value
        late.answer.open()
        try await eventually("it has answered") { late.hasAnswered.isOpen }
        #expect(try cached(server) == nil)
    }

    @Test func `only the first reply of a handler counts`() async throws {
        let server = try server()
        let session = session(TwofoldHandler())
        _ = try await session.request(server.url()).serializingString().value
        #expect(try cached(server) == "first")
    }

    @Test(arguments: [("Cache-Control", "no-store"), ("Vary", "*")])
    func `a handler may return a response whose policy forbids storing`(field: (name: String, value: String))
        async throws
    {
        let server = try server()
        let session = session(
            .modify { _, proposal in
                var headers = proposal.response.headers
                headers.update(name: field.name, value: field.value)
                let head = HTTPURLResponse(url: proposal.response.url, statusCode: 200, headers: headers)
                return CachedURLResponse(response: head, data: proposal.data)
            }
        )
        _ = try await session.request(server.url()).serializingString().value
        #expect(try cached(server) == nil)
    }

    @Test func `handlers are called for uploads and streams, not for downloads and uncacheable responses`() async throws
    {
        let server = try LocalServer { request in
            .ok("x").header("Cache-Control", request.path == "/no" ? "no-store" : "max-age=60")
        }
        let journal = Journal()
        let session = session(
            .modify { task, proposal in
                journal.note(task.currentRequest.url?.path ?? "")
                return proposal
            }
        )
        _ = try await session.request(server.url("/no")).serializingString().value
        _ = try await session.upload(Data(), to: server.url("/post")).serializingString().value
        _ = try await session.download(server.url("/file")).serializingData().value
        _ = try await session.upload(Data(), to: server.url("/got"), method: .get).serializingString().value
        await withCheckedContinuation { waiter in
            session.streamRequest(server.url("/stream")).responseStream(on: DispatchQueue(label: "stream")) { stream in
                if case .complete = stream.event { waiter.resume() }
            }
        }
        #expect(journal.all == ["/got", "/stream"])
    }

    @Test func `monitors receive only the responses that will be stored`() async throws {
        let server = try server()
        let monitor = CacheMonitor()
        let session = session(nil, [monitor])
        for _ in 1...2 { _ = try await session.request(server.url()).serializingString().value }
        _ = try await session.upload(Data("x".utf8), to: server.url()).serializingString().value
        try await monitor.journal.waitFor(4)
        #expect(monitor.journal.all == ["will cache 15 bytes", "finished", "finished", "finished"])
    }

    @Test func `a closure monitor is called before the handler`() async throws {
        let server = try server()
        let journal = Journal()
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        monitor.dataTaskWillCacheResponse = { request, task, response in
            let isOwn = request.lastTask === task
            journal.note("\(isOwn) \(String(decoding: response.data, as: UTF8.self))")
        }
        let session = session(.doNotCache, [monitor])
        _ = try await session.request(server.url()).serializingString().value
        try await journal.waitFor(1)
        #expect(journal.all == ["true from the server"])
        #expect(try cached(server) == nil)
    }

    @Test func `a second handler for one request is a programming error`() async {
        await #expect(processExitsWith: .failure) {
            Session().request("http://127.0.0.1/").cacheResponse(using: .cache).cacheResponse(using: .doNotCache)
        }
    }
}

/// Replies when the test requests it.
private final class LateHandler: CachedResponseHandler {
    let answer = Gate()
    let hasAnswered = Gate()

    func dataTask(
        _ task: TransferTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        Task {
            try await answer.waitUntilOpen()
            completion(response)
            hasAnswered.open()
        }
    }
}

/// Cannot decide.
private final class TwofoldHandler: CachedResponseHandler {
    func dataTask(
        _ task: TransferTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completion(CachedURLResponse(response: response.response, data: Data("first".utf8)))
        completion(CachedURLResponse(response: response.response, data: Data("second".utf8)))
        completion(nil)
    }
}

private final class CacheMonitor: EventMonitor {
    let queue = DispatchQueue(label: "monitor")
    let journal = Journal()

    func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {
        journal.note("will cache \(response.data.count) bytes")
    }

    func requestDidFinish(_ request: Request) { journal.note("finished") }
}
