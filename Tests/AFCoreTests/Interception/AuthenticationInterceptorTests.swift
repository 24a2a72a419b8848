import AFCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AuthenticationInterceptorTests {
    typealias Interceptor = AuthenticationInterceptor<TokenAuthenticator>

    /// Accepts only the token "new".
    private static func answer(_ request: RecordedRequest) -> LocalServer.Response {
        request["Authorization"] == "Bearer new" ? .ok("hello") : .status(401, "who?")
    }

    @Test func `a rejected request is sent again with a new credential`() async throws {
        let server = try LocalServer(Self.answer)
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let session = Session(interceptor: interceptor)
        let request = session.request(server.url()).validate()
        #expect(try await request.serializingString().value == "hello")
        #expect(request.retryCount == 1)
        #expect(authenticator.refreshes == [BearerToken(name: "old")])
        #expect(interceptor.credential == BearerToken(name: "new"))
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test func `a thousand concurrent rejections cause one refresh`() async throws {
        let count = 1000
        let refused = Atomic(0)
        let held = HeldAnswer()
        let server = try LocalServer(keepsBodies: false) { request in
            if request["Authorization"] != "Bearer new" { refused.add(1, ordering: .relaxed) }
            return Self.answer(request)
        }
        let authenticator = TokenAuthenticator { _, _, answer in held.hold(answer) }
        let interceptor = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let session = Session(interceptor: interceptor)
        let values = try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { try await session.request(server.url()).validate().serializingString().value }
            }
            try await eventually("every request was refused") { refused.load(ordering: .relaxed) == count }
            held.give(.success(BearerToken(name: "new")))
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(values == ["hello": count])
        #expect(authenticator.refreshes.count == 1)
        #expect(server.requests.count == 2 * count)
    }

    @Test func `no request is sent before a required refresh`() async throws {
        let server = try LocalServer(Self.answer)
        let held = HeldAnswer()
        let authenticator = TokenAuthenticator { _, _, answer in held.hold(answer) }
        let expired = BearerToken(name: "old", requiresRefresh: true)
        let session = Session(interceptor: Interceptor(authenticator: authenticator, credential: expired))
        async let first = session.request(server.url()).validate().serializingString().value
        async let second = session.request(server.url()).validate().serializingString().value
        try await held.waitUntilOwed()
        try await remains("nothing was sent") { server.acceptedConnections == 0 }
        held.give(.success(BearerToken(name: "new")))
        #expect(try await [first, second] == ["hello", "hello"])
        #expect(authenticator.refreshes.count == 1)
        #expect(server.requests.count == 2)
    }

    @Test func `a rejected request with an older credential is retried without a refresh`() async throws {
        let late = Gate()
        let server = try LocalServer.scripted { connection in
            while let request = try connection.readRequest() {
                let isGood = request["Authorization"] == "Bearer new"
                if !isGood { try connection.wait(for: late) }
                let body = isGood ? "hello" : "who??"
                try connection.send("HTTP/1.1 \(isGood ? 200 : 401) X\r\nContent-Length: 5\r\n\r\n\(body)")
            }
        }
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let session = Session(interceptor: interceptor)
        async let value = session.request(server.url()).validate().serializingString().value
        try await server.waitForRequests(1)
        interceptor.credential = BearerToken(name: "new")
        late.open()
        #expect(try await value == "hello")
        #expect(authenticator.refreshes.isEmpty)
    }

    @Test func `a failed refresh fails the request that waited for it`() async throws {
        let server = try LocalServer(Self.answer)
        let authenticator = TokenAuthenticator { _, _, answer in answer(.failure(Refused())) }
        let refused = Session(
            interceptor: Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        )
        let late = await refused.request(server.url()).validate().serializingString().response
        guard case .requestRetryFailed(let retryError, let original)? = late.error else {
            Issue.record("\(String(describing: late.error))")
            return
        }
        #expect(retryError is Refused)
        #expect(original.asAFError?.responseCode == 401)

        let expired = BearerToken(name: "old", requiresRefresh: true)
        let waiting = Session(interceptor: Interceptor(authenticator: authenticator, credential: expired))
        let early = await waiting.request(server.url()).validate().serializingString().response
        #expect(early.error?.isRequestAdaptationError == true)
        #expect(early.error?.underlyingError is Refused)
        #expect(server.requests.count == 1)
    }

    @Test func `a request that is rejected after every refresh fails after the limit`() async throws {
        let server = try LocalServer { _ in
            .status(401)
        }
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(
            authenticator: authenticator,
            credential: BearerToken(name: "old"),
            refreshWindow: Interceptor.RefreshWindow(interval: .infinity, maximumAttempts: 3)
        )
        let session = Session(interceptor: interceptor)
        let request = session.request(server.url()).validate()
        let error = await request.serializingData().response.error
        #expect(error?.isRequestRetryError == true)
        #expect(error?.underlyingError as? AuthenticationError == .excessiveRefresh)
        #expect(authenticator.refreshes.count == 3)
        #expect(server.requests.count == 4)
    }

    @Test func `a new credential that needs a refresh itself is refreshed before anything is sent`() async throws {
        let server = try LocalServer(Self.answer)
        let names = Mutex(["newer", "new"])
        let authenticator = TokenAuthenticator { _, _, answer in
            let name = names.withLock { $0.removeFirst() }
            answer(.success(BearerToken(name: name, requiresRefresh: name != "new")))
        }
        let expired = BearerToken(name: "old", requiresRefresh: true)
        let session = Session(interceptor: Interceptor(authenticator: authenticator, credential: expired))
        #expect(try await session.request(server.url()).validate().serializingString().value == "hello")
        #expect(authenticator.refreshes.map(\.name) == ["old", "newer"])
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer new"])
    }

    @Test func `credentials that always require a refresh fail after the limit`() async throws {
        let server = try LocalServer(Self.answer)
        let authenticator = TokenAuthenticator { _, _, answer in
            answer(.success(BearerToken(name: "new", requiresRefresh: true)))
        }
        let interceptor = Interceptor(
            authenticator: authenticator,
            credential: BearerToken(name: "old", requiresRefresh: true),
            refreshWindow: Interceptor.RefreshWindow(interval: .infinity, maximumAttempts: 3)
        )
        let session = Session(interceptor: interceptor)
        async let first = session.request(server.url()).serializingData().response.error
        async let second = session.request(server.url()).serializingData().response.error
        for error in await [first, second] {
            #expect(error?.underlyingError as? AuthenticationError == .excessiveRefresh)
        }
        #expect(authenticator.refreshes.count == 3)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `without a credential nothing is sent`() async throws {
        let server = try LocalServer(Self.answer)
        let interceptor = Interceptor(authenticator: TokenAuthenticator())
        let session = Session(interceptor: interceptor)
        let request = session.request(server.url()).validate()
        let error = await request.serializingData().response.error
        #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a request fails if the credential is removed before its rejection arrives`() async throws {
        let (asked, late) = (Gate(), Gate())
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            asked.open()
            try connection.wait(for: late)
            try connection.send("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
        }
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let session = Session(interceptor: interceptor)
        async let response = session.request(server.url()).validate().serializingData().response
        try await asked.waitUntilOpen()
        interceptor.credential = nil
        late.open()
        let error = await response.error
        #expect(error?.isRequestRetryError == true)
        #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
        #expect(authenticator.refreshes.isEmpty)
    }

    @Test(arguments: [403, 500])
    func `other failures cause no refresh`(status: Int) async throws {
        let server = try LocalServer { _ in
            .status(status)
        }
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let session = Session(interceptor: interceptor)
        let request = session.request(server.url()).validate()
        let response = await request.serializingData().response
        #expect(response.error?.responseCode == status)
        #expect(authenticator.refreshes.isEmpty)
    }

    @Test func `a rejection by an origin without the credential causes no refresh`() async throws {
        let other = try LocalServer { _ in
            .status(401, "not you")
        }
        let server = try LocalServer { _ in
            .redirect(to: other.url("/there"))
        }
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let session = Session(interceptor: interceptor)
        let request = session.request(server.url()).validate()
        let response = await request.serializingData().response
        #expect(response.error?.responseCode == 401)
        #expect(authenticator.refreshes.isEmpty)
        #expect(request.retryCount == 0)
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test func `an attempt rejected by an adapter causes no refresh for an earlier response`() async throws {
        let server = try LocalServer(Self.answer)
        let authenticator = TokenAuthenticator()
        let authentication = Interceptor(authenticator: authenticator, credential: BearerToken(name: "old"))
        let once = Adapter { request, _, completion in
            completion(authentication.credential?.name == "old" ? .success(request) : .failure(Refused()))
        }
        let chain = AFCore.Interceptor(adapters: [authentication, once], retriers: [authentication])
        let session = Session(interceptor: chain)
        let response = await session.request(server.url()).validate().serializingData().response
        #expect(response.error?.underlyingError is Refused)
        #expect(authenticator.refreshes.count == 1)
        #expect(server.requests.count == 1)
    }

    // Waiting

    @Test(arguments: [true, false])
    func `a request canceled during a refresh ends immediately and is released`(expires: Bool) async throws {
        let server = try LocalServer(Self.answer)
        let held = HeldAnswer()
        let authenticator = TokenAuthenticator { _, _, answer in held.hold(answer) }
        let token = BearerToken(name: "old", requiresRefresh: expires)
        let interceptor = Interceptor(authenticator: authenticator, credential: token)
        let session = Session(interceptor: AFCore.Interceptor(interceptors: [interceptor]))
        weak let request = try await cancelledRequest(of: session, server.url(), held, interceptor)
        try await eventually("the request is gone") { request == nil }
        held.give(.success(BearerToken(name: "new")))
        #expect(try await session.request(server.url()).validate().serializingString().value == "hello")
    }

    /// Cancels a request that waits for a refresh. It has its own interceptor, which must not retain it either.
    private nonisolated(nonsending) func cancelledRequest(
        of session: Session,
        _ url: String,
        _ held: HeldAnswer,
        _ interceptor: Interceptor
    ) async throws -> DataRequest {
        let request = session.request(url, interceptor: Adapter { $2(.success($0)) }).validate()
        let task = request.serializingString()
        try await held.waitUntilOwed()
        request.cancel()
        // An earlier failure remains.
        let error = await task.response.error
        #expect(error?.isExplicitlyCancelledError == true || error?.responseCode == 401)
        return request
    }

    @Test(arguments: [true, false])
    func `a session and interceptor are deallocated while a request waits for a refresh`(expires: Bool) async throws {
        let server = try LocalServer(Self.answer)
        let held = HeldAnswer()
        let authenticator = TokenAuthenticator { _, _, answer in held.hold(answer) }
        let token = BearerToken(name: "old", requiresRefresh: expires)
        var interceptor: Interceptor? = Interceptor(authenticator: authenticator, credential: token)
        weak let kept = interceptor
        var session: Session? = interceptor.map { Session(interceptor: AFCore.Interceptor(interceptors: [$0])) }
        weak let keptSession = session
        let task = try #require(session).request(server.url()).validate().serializingString()
        try await held.waitUntilOwed()
        (interceptor, session) = (nil, nil)
        let error = await task.response.error
        #expect(expires ? error?.isSessionDeinitializedError == true : error?.responseCode == 401)
        try await eventually("session and interceptor are gone") { kept == nil && keptSession == nil }
        // No request is left.
        held.give(.success(BearerToken(name: "new")))
    }
}
