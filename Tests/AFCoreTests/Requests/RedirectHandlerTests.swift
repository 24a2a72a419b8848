import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectHandlerTests {
    /// Redirects from `/` to `/there`, which returns the request that it received.
    private static func answer(_ request: RecordedRequest) -> LocalServer.Response {
        guard request.path == "/" else { return .ok("\(request.method) \(request.target)") }
        return LocalServer.Response.status(302, "moved").header("Location", "/there")
    }

    /// Stores each call until the test replies.
    private final class HeldHandler: RedirectHandler {
        private let question = Mutex<(@Sendable (URLRequest?) -> Void, URLRequest)?>(nil)

        func task(
            _ task: TransferTask,
            willBeRedirectedTo request: URLRequest,
            for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            question.withLock { $0 = (completion, request) }
        }

        nonisolated(nonsending) func waitUntilAsked() async throws {
            try await eventually("the handler was asked") { question.withLock { $0 != nil } }
        }

        func follow() { if let (answer, request) = question.withLock(\.self) { answer(request) } }
        func stay() { if let (answer, _) = question.withLock(\.self) { answer(nil) } }
    }

    @Test func `the predefined handlers follow, do not follow, and change the request`() async throws {
        let server = try LocalServer(Self.answer)
        let session = Session()
        let followed = session.request(server.url()).redirect(using: .follow)
        #expect(try await followed.serializingString().value == "GET /there")
        let stayed = await session.request(server.url()).redirect(using: .doNotFollow).serializingString().response
        #expect(stayed.response?.statusCode == 302)
        #expect(stayed.value == "moved")
        #expect(stayed.metrics?.redirectCount == 0)
        let modified = session.request(server.url()).redirect(
            using: .modify { task, request, response in
                #expect(task.response == response)
                #expect(response.statusCode == 302)
                #expect(request.url?.absoluteString == server.url("/there"))
                var request = request
                request.url = URL(string: server.url("/elsewhere"))
                request.method = .delete
                return request
            }
        )
        #expect(try await modified.serializingString().value == "DELETE /elsewhere")
    }

    @Test func `a handler that returns nil makes the redirect the final response`() async throws {
        let server = try LocalServer(Self.answer)
        let handler = Redirector(behavior: .modify { _, _, _ in nil })
        let session = Session()
        let request = session.request(server.url()).redirect(using: handler)
        #expect(try await request.serializingString().value == "moved")
    }

    @Test func `the request's handler replaces the session's`() async throws {
        let server = try LocalServer(Self.answer)
        let session = Session(redirectHandler: .doNotFollow)
        #expect(try await session.request(server.url()).serializingString().value == "moved")
        let own = session.request(server.url()).redirect(using: .follow)
        #expect(try await own.serializingString().value == "GET /there")
        #expect((own.redirectHandler as? Redirector)?.behavior.isFollow == true)
    }

    @Test func `the handler is called for each hop`() async throws {
        let journal = Journal()
        let server = try LocalServer { request in
            switch request.path {
            case "/": .redirect(to: "/2")
            case "/2": .redirect(to: "/3", status: 307)
            default: .ok("there")
            }
        }
        let handler = Redirector.modify { task, request, response in
            let paths = [task.currentRequest, request].map { $0.url?.path ?? "" }
            journal.note("\(response.statusCode) from \(paths[0]) to \(paths[1])")
            return request
        }
        let session = Session(redirectHandler: handler)
        let request = session.request(server.url())
        #expect(try await request.serializingString().value == "there")
        #expect(journal.all == ["302 from / to /2", "307 from /2 to /3"])
    }

    @Test func `two handlers are a programming error`() async {
        await #expect(processExitsWith: .failure) {
            let session = Session()
            session.request("http://scripted.test/").redirect(using: .follow).redirect(using: .follow)
        }
    }

    // Late replies

    @Test(arguments: [0, 5, 300_000])
    func `a handler's late reply is used for bodies of any length, and a second one ignored`(length: Int) async throws {
        let body = String(repeating: "m", count: length)
        let server = try LocalServer { request in
            request.path == "/" ? .status(302, body).header("Location", "/there") : .ok("there")
        }
        for follows in [true, false] {
            let handler = HeldHandler()
            let session = Session(redirectHandler: handler)
            let request = session.request(server.url())
            async let response = request.serializingString(emptyResponseCodes: [302]).response
            try await handler.waitUntilAsked()
            try await remains("nothing came of it yet") { request.downloadProgress.completedUnitCount == 0 }
            if follows { handler.follow() } else { handler.stay() }
            handler.stay()
            let isExpected = await response.value == (follows ? "there" : body)
            #expect(isExpected)
        }
    }

    @Test(arguments: ["", "half of a body"])
    func `a request can be canceled while a handler decides`(body: String) async throws {
        let server = try LocalServer { _ in
            .status(302, body).header("Location", "/there")
        }
        let handler = HeldHandler()
        let session = Session(redirectHandler: handler)
        let request = session.request(server.url())
        async let error = request.serializingData().response.error
        try await handler.waitUntilAsked()
        // The transfer may be over, or wait with its body.
        try await remains("it waits") { !request.isFinished }
        request.cancel()
        #expect(await error?.isExplicitlyCancelledError == true)
        handler.follow()
        #expect(server.requests.count == 1)
    }

    @Test func `a handler may cancel its task without a reply`() async {
        struct Cancelling: RedirectHandler {
            func task(
                _ task: TransferTask,
                willBeRedirectedTo request: URLRequest,
                for response: HTTPURLResponse,
                completion: @escaping @Sendable (URLRequest?) -> Void
            ) {
                task.cancel()
            }
        }
        // The response is complete before the transfer is canceled.
        let transport = ScriptedTransport { $0.respond(302, headers: ["Location": "/there"]) }
        let session = Session(transport: transport, redirectHandler: Cancelling())
        let response = await session.request("http://scripted.test/").serializingData().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(transport.exchanges.count == 1)
    }

    @Test func `a handler that drops its closure makes the redirect the final response`() async throws {
        struct Forgetful: RedirectHandler {
            func task(
                _ task: TransferTask,
                willBeRedirectedTo request: URLRequest,
                for response: HTTPURLResponse,
                completion: @escaping @Sendable (URLRequest?) -> Void
            ) {}
        }
        let server = try LocalServer(Self.answer)
        let session = Session(redirectHandler: Forgetful())
        let response = await session.request(server.url()).serializingString().response
        #expect(response.value == "moved")
        #expect(response.response?.statusCode == 302)
    }

    @Test func `a slow handler delays no other transfer`() async throws {
        let server = try LocalServer(Self.answer)
        let (isAsked, mayAnswer) = (Gate(), Gate())
        let slow = Redirector.modify { _, request, _ in
            isAsked.open()
            mayAnswer.block(atMost: Deadline.timeout)
            return request
        }
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let session = Session(transport: transport, redirectHandler: slow)
        let request = session.request(server.url())
        async let redirected = request.serializingString().value
        try await isAsked.waitUntilOpen()
        let other = Session(transport: transport)
        let text = try await other.request(server.url("/there")).serializingString().value
        #expect(!mayAnswer.isOpen)
        mayAnswer.open()
        #expect(try await redirected == text)
    }

    @Test func `monitors receive the redirect after the decision`() async throws {
        let server = try LocalServer(Self.answer)
        let monitor = RedirectMonitor()
        let session = Session(redirectHandler: .doNotFollow, eventMonitors: [monitor])
        _ = await session.request(server.url()).serializingString().response
        let followed = session.request(server.url()).redirect(using: .follow)
        _ = await followed.serializingString().response
        try await monitor.journal.waitFor(4)
        #expect(monitor.journal.all == ["final 302", "redirect 302", "to /there", "final 200"])
    }

    private final class RedirectMonitor: EventMonitor {
        let journal = Journal()
        let queue = DispatchQueue(label: "monitor")

        func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
            journal.note("final \(response.statusCode)")
        }

        func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse) {
            journal.note("redirect \(response.statusCode)")
        }

        func request(
            _ request: Request,
            task: TransferTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest: URLRequest
        ) {
            journal.note("to \(newRequest.url?.path ?? "")")
        }
    }

    // Redirect targets and forwarded headers

    @Test func `a redirect to the scheme of an app is an error only if the handler follows it`() async throws {
        let scheme = "app.example://done?code=1"
        let server = try LocalServer { _ in
            .redirect(to: scheme)
        }
        let session = Session()
        let stayed = session.request(server.url()).redirect(using: .doNotFollow)
        let response = await stayed.serializingData(emptyResponseCodes: [302]).response
        #expect(response.error == nil)
        #expect(response.response?.value(forHTTPHeaderField: "Location") == scheme)
        let shown = Journal()
        let refused = session.request(server.url()).redirect(
            using: .modify { _, request, _ in
                shown.note(request.url?.absoluteString ?? "")
                return request
            }
        )
        let failure = await refused.serializingData().response.error?.underlyingError as? RedirectFailure
        #expect(failure?.reason == .unsupportedScheme("app.example"))
        #expect(shown.all == [scheme])
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://127.0.0.1/x", "nonsense"])
    func `a handler cannot redirect to an unsupported URL`(place: String) async throws {
        let server = try LocalServer(Self.answer)
        let handler = Redirector.modify { _, request, _ in
            var request = request
            request.url = URL(string: place)
            return request
        }
        let session = Session(redirectHandler: handler)
        let response = await session.request(server.url()).serializingData().response
        #expect(response.error?.underlyingError is RedirectFailure)
        #expect(server.requests.count == 1)
    }

    @Test func `the body of a rejected redirect is not awaited`() async {
        // The body never ends.
        let transport = ScriptedTransport { $0.receiveHead(302, headers: ["Location": "gopher://scripted.test/"]) }
        let session = Session(transport: transport)
        let response = await session.request("http://scripted.test/").serializingData().response
        let failure = response.error?.underlyingError as? RedirectFailure
        #expect(failure?.reason == .unsupportedScheme("gopher"))
    }

    @Test func `secrets are not forwarded by any handler`() async throws {
        let other = try LocalServer { _ in
            .ok("there")
        }
        let server = try LocalServer { _ in
            .redirect(to: "/same")
        }
        let handler = Redirector.modify { _, request, response in
            var request = request
            // To another origin than the server's target, with all secrets added again.
            request.url = URL(string: other.url("/handled"))
            request.headers.update(name: "Authorization", value: "Bearer secret")
            request.headers.update(name: "Cookie", value: "session=secret")
            request.headers.update(name: "X-Api-Key", value: "secret")
            request.headers.update(name: "X-Plain", value: "1")
            return request
        }
        let headers: HTTPHeaders = ["Authorization": "Bearer secret", "X-Api-Key": "secret"]
        let session = Session(redirectHandler: handler)
        let request = session.request(server.url(), headers: headers)
            .authenticate(username: "user", password: "secret")
        #expect(try await request.serializingString().value == "there")
        let seen = try #require(other.requests.first)
        #expect(!seen.headText.contains("secret"))
        #expect(!seen.headText.lowercased().contains("authorization"))
        #expect(seen["X-Plain"] == "1")
    }

    @Test func `a policy that trusts other origins lets a handler send secrets there`() async throws {
        let other = try LocalServer {
            .ok($0["Authorization"] ?? "")
        }
        let server = try LocalServer { _ in
            .redirect(to: other.url())
        }
        var configuration = SessionConfiguration()
        configuration.redirects.trustsOtherOrigins = true
        let handler = Redirector.modify { _, request, _ in
            var request = request
            request.headers.update(.authorization(bearerToken: "theirs"))
            return request
        }
        let session = Session(configuration: configuration, redirectHandler: handler)
        let request = session.request(server.url(), headers: [.authorization(bearerToken: "mine")])
        #expect(try await request.serializingString().value == "Bearer theirs")
    }

    @Test func `the body set by a handler replaces the body that would be sent again`() async throws {
        let server = try LocalServer { request in
            request.path == "/" ? .redirect(to: "/there", status: 307) : .ok("\(request.method) \(request.text)")
        }
        let session = Session()
        let upload = session.upload(Data("old".utf8), to: server.url()).redirect(
            using: .modify { _, request, _ in
                var request = request
                request.httpBody = Data("new".utf8)
                return request
            }
        )
        #expect(try await upload.serializingString().value == "POST new")
        let dropped = session.upload(Data("old".utf8), to: server.url()).redirect(
            using: .modify { _, request, _ in
                var request = request
                request.method = .get
                return request
            }
        )
        #expect(try await dropped.serializingString().value == "GET ")
        let kept = session.upload(Data("old".utf8), to: server.url(), method: .put).redirect(using: .follow)
        #expect(try await kept.serializingString().value == "PUT old")
    }
}

extension Redirector.Behavior {
    fileprivate var isFollow: Bool { if case .follow = self { true } else { false } }
}
