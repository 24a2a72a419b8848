import AFHTTP
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCore

/// Sessions with a cache, against servers that tell what they were asked.
@Suite(.timeLimit(.minutes(1))) struct CachingTests {
    private let clock = TestClock()

    private func session(
        _ cache: ResponseCache? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        monitors: [any EventMonitor] = [],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> Session {
        var configuration = SessionConfiguration()
        configuration.urlCache = cache ?? self.cache()
        change(&configuration)
        return Session(configuration: configuration, interceptor: interceptor, eventMonitors: monitors)
    }

    private func cache(servesStale: Bool = false, directory: URL? = nil) -> ResponseCache {
        ResponseCache(directory: directory, servesStaleWhileRevalidating: servesStale, now: { [clock] in clock.now })
    }

    /// Says how often it was asked: `1`, `2`, …
    private func counter(_ fields: KeyValuePairs<String, String>) throws -> LocalServer {
        let fields = fields.map { ($0.key, $0.value) }
        let count = Shared()
        return try LocalServer { _ in
            fields.reduce(.ok("\(count.next())")) { $0.header($1.0, $1.1) }
        }
    }

    /// Like ``counter(_:)``, and confirms a tag of `"1"`.
    private func validator(_ fields: KeyValuePairs<String, String>) throws -> LocalServer {
        let fields = fields.map { ($0.key, $0.value) }
        let count = Shared()
        return try LocalServer { request in
            let answer: LocalServer.Response =
                request["If-None-Match"] == "\"1\"" ? .status(304) : .ok("\(count.next())").header("ETag", "\"1\"")
            return fields.reduce(answer) { $0.header($1.0, $1.1) }
        }
    }

    private func text(
        _ session: Session,
        _ url: String,
        _ headers: HTTPHeaders = [],
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) async throws -> String {
        try await session.request(url, headers: headers) { $0.cachePolicy = policy }.serializingString().value
    }

    @Test func `without a cache every request goes to the server`() async throws {
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = Session()
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url()) == "2")
    }

    @Test func `a fresh response is served without a word to the server`() async throws {
        let server = try counter(["Cache-Control": "max-age=60", "Date": TestClock.startText, "X-Field": "a"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        clock.pass(59)
        let response = await session.request(server.url()).validate().serializingString().response
        #expect(response.value == "1")
        #expect(response.response?.headers["X-Field"] == "a")
        #expect(response.response?.headers["Age"] == "59")
        #expect(response.response?.url?.absoluteString == server.url())
        let metrics = try #require(response.metrics?.transactionMetrics.first)
        #expect(metrics.resourceFetchType == .localCache)
        #expect(metrics.statusCode == 200)
        #expect(metrics.decodedBodyBytes == 1)
        #expect(server.requests.count == 1)
        clock.pass(1)
        #expect(try await text(session, server.url()) == "2")
        #expect(server.requests.count == 2)
    }

    @Test func `a response from the server says so`() async throws {
        let server = try counter([:])
        let session = session()
        let response = await session.request(server.url()).serializingData().response
        #expect(response.metrics?.transactionMetrics.map(\.resourceFetchType) == [.networkLoad])
    }

    @Test func `a stale response is served once the server has confirmed it`() async throws {
        let server = try validator(["Cache-Control": "max-age=10"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        clock.pass(11)
        let response = await session.request(server.url()).serializingString().response
        #expect(response.value == "1")
        #expect(response.response?.statusCode == 200)
        #expect(response.metrics?.transactionMetrics.map(\.statusCode) == [304])
        #expect(response.metrics?.transactionMetrics.map(\.resourceFetchType) == [.networkLoad])
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
        // Confirmed is as good as new.
        clock.pass(9)
        #expect(try await text(session, server.url()) == "1")
        #expect(server.requests.count == 2)
    }

    @Test func `a date is asked about where there is no tag`() async throws {
        let date = "Wed, 31 Dec 2025 00:00:00 GMT"
        let server = try LocalServer { request in
            request["If-Modified-Since"] == date ? .status(304) : .ok("x").header("Last-Modified", date)
        }
        let session = session()
        #expect(try await text(session, server.url()) == "x")
        clock.pass(100_000)
        #expect(try await text(session, server.url()) == "x")
        #expect(server.requests.map { $0["If-Modified-Since"] } == [nil, date])
    }

    @Test func `a new response takes the place of one that is not good any more`() async throws {
        let server = try counter(["Cache-Control": "max-age=10", "ETag": "\"x\""])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        clock.pass(11)
        #expect(try await text(session, server.url()) == "2")
        #expect(try await text(session, server.url()) == "2")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"x\""])
    }

    @Test func `a 304 about something else is answered by asking for all of it`() async throws {
        let server = try LocalServer { request in
            let answer: LocalServer.Response = request["If-None-Match"] == nil ? .ok("whole") : .status(304)
            return answer.header("ETag", request["If-None-Match"] == nil ? "\"1\"" : "\"2\"")
        }
        let session = session()
        #expect(try await text(session, server.url()) == "whole")
        #expect(try await text(session, server.url()) == "whole")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", nil])
    }

    @Test func `a server in trouble is heard, and costs nothing that is stored`() async throws {
        let server = try LocalServer { request in
            switch request["X-Step"] {
            case "1": .ok("x").header("ETag", "\"1\"").header("Cache-Control", "max-age=10")
            case "2": .status(503)
            default: .status(304).header("ETag", "\"1\"")
            }
        }
        let session = session()
        #expect(try await text(session, server.url(), ["X-Step": "1"]) == "x")
        clock.pass(11)
        let trouble = await session.request(server.url(), headers: ["X-Step": "2"]).serializingData().response
        #expect(trouble.response?.statusCode == 503)
        #expect(try await text(session, server.url(), ["X-Step": "3"]) == "x")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
    }

    @Test func `a connection that breaks while the server is asked is an error, and costs nothing that is stored`()
        async throws
    {
        let server = try LocalServer { request in
            switch request["X-Step"] {
            case "1": .ok("x").header("ETag", "\"1\"")
            case "2": .reset
            default: .status(304)
            }
        }
        let session = session()
        #expect(try await text(session, server.url(), ["X-Step": "1"]) == "x")
        await #expect(throws: AFError.self) { try await text(session, server.url(), ["X-Step": "2"]) }
        #expect(try await text(session, server.url(), ["X-Step": "3"]) == "x")
    }

    @Test func `a handler's refusal is nobody else's loss`() async throws {
        let server = try LocalServer { request in
            .ok(request["Authorization"] ?? "").header("Cache-Control", "max-age=60")
        }
        let session = session()
        #expect(try await text(session, server.url(), [.authorization("a")]) == "a")
        _ = try await session.request(server.url(), headers: [.authorization("b")]).cacheResponse(using: .doNotCache)
            .serializingString().value
        #expect(try await text(session, server.url(), [.authorization("a")]) == "a")
        #expect(server.requests.count == 2)
    }

    @Test func `the newest of the responses that answer is served`() async throws {
        let count = Shared()
        let server = try LocalServer { request in
            let answer = LocalServer.Response.ok("\(count.next())").header("Cache-Control", "max-age=60")
            return request["X-Kind"] == "a" ? answer.header("Vary", "X-Kind") : answer
        }
        let session = session()
        #expect(try await text(session, server.url(), ["X-Kind": "a"]) == "1")
        clock.pass(1)
        #expect(try await text(session, server.url(), ["X-Kind": "b"]) == "2")
        #expect(try await text(session, server.url(), ["X-Kind": "a"]) == "2")
    }

    @Test(arguments: [false, true])
    func `a server of the world is asked once while its file is fresh, and confirms it when asked to`(isSecure: Bool)
        async throws
    {
        let folder = try ScratchFolder()
        try await withNginx(
            files: ["a.txt": .text("hello")],
            directives: "location = /a.txt { add_header Cache-Control max-age=60; }"
        ) { nginx in
            let session = session(ResponseCache(directory: URL(filePath: folder.file("c")))) {
                $0.tls.authorities = .file(nginx.root)
            }
            let url = isSecure ? nginx.secureURL("/a.txt") : nginx.url("/a.txt")
            var answers: [String] = []
            for directive in ["", "", "no-cache", "", ""] {
                answers.append(try await text(session, url, ["Cache-Control": directive]))
            }
            #expect(answers == Array(repeating: "hello", count: 5))
            #expect(nginx.finalRequests().map(\.status) == [200, 304])
        }
    }

    @Test func `no-store is kept nowhere`() async throws {
        let folder = try ScratchFolder()
        let server = try counter(["Cache-Control": "max-age=60, no-store"])
        let cache = cache(directory: URL(filePath: folder.file("c")))
        let session = session(cache)
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url()) == "2")
        #expect(cache.currentMemoryUsage == 0)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func `the request's own directives count`() async throws {
        let server = try validator(["Cache-Control": "max-age=60"])
        let session = session()
        let missing = await session.request(server.url(), headers: ["Cache-Control": "only-if-cached"])
            .serializingData(emptyResponseCodes: [504]).response
        #expect(missing.response?.statusCode == 504)
        #expect(server.requests.isEmpty)
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url(), ["Cache-Control": "only-if-cached"]) == "1")
        #expect(server.requests.count == 1)
        #expect(try await text(session, server.url(), ["Cache-Control": "no-cache"]) == "1")
        #expect(server.requests.count == 2)
        #expect(try await text(session, server.url(), ["Cache-Control": "no-store"]) == "2")
    }

    @Test func `cache policies do what they are called`() async throws {
        let server = try validator(["Cache-Control": "max-age=60"])
        let session = session()
        let failure = await #expect(throws: AFError.self) {
            try await text(session, server.url(), policy: .returnCacheDataDontLoad)
        }
        #expect((failure?.underlyingError as? TransferFailure)?.kind == .notCached)
        #expect(server.requests.isEmpty)
        #expect(try await text(session, server.url(), policy: .returnCacheDataElseLoad) == "1")
        clock.pass(100)
        #expect(try await text(session, server.url(), policy: .returnCacheDataElseLoad) == "1")
        #expect(try await text(session, server.url(), policy: .returnCacheDataDontLoad) == "1")
        #expect(server.requests.count == 1)
        #expect(try await text(session, server.url(), policy: .reloadRevalidatingCacheData) == "1")
        #expect(try await text(session, server.url(), policy: .reloadRevalidatingCacheData) == "1")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
        #expect(try await text(session, server.url(), policy: .reloadIgnoringLocalCacheData) == "2")
        #expect(try await text(session, server.url()) == "2")
        #expect(server.requests.count == 4)
    }

    @Test func `the session's policy is for requests that name none`() async throws {
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = session { $0.requestCachePolicy = .reloadIgnoringLocalCacheData }
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url()) == "2")
        #expect(try await text(session, server.url(), policy: .returnCacheDataElseLoad) == "2")
    }

    @Test func `without a cache nothing can come out of it`() async throws {
        let server = try counter([:])
        await #expect(throws: AFError.self) {
            try await text(Session(), server.url(), policy: .returnCacheDataDontLoad)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a response is for requests with the same fields that it varies by`() async throws {
        let server = try counter(["Cache-Control": "max-age=60", "Vary": "X-Kind"])
        let session = session()
        #expect(try await text(session, server.url(), ["X-Kind": "a"]) == "1")
        #expect(try await text(session, server.url(), ["X-Kind": "b"]) == "2")
        #expect(try await text(session, server.url()) == "3")
        #expect(try await text(session, server.url(), ["x-kind": "a"]) == "1")
        #expect(try await text(session, server.url(), ["X-Kind": "b"]) == "2")
        #expect(try await text(session, server.url()) == "3")
    }

    @Test func `a response that varies by everything is for nobody else`() async throws {
        let server = try counter(["Cache-Control": "max-age=60", "Vary": "*"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url()) == "2")
    }

    /// Says by which cookie it knows the one who asks; `POST /login` gives one.
    private func cookieServer() throws -> LocalServer {
        let count = Shared()
        return try LocalServer { request in
            if request.path == "/login" { return .ok().header("Set-Cookie", "sid=\(count.next()); Path=/") }
            return .ok(request["Cookie"] ?? "nobody").header("Cache-Control", "max-age=60")
        }
    }

    private func cookie(_ value: String) -> HTTPCookie { HTTPCookie(name: "sid", value: value, domain: "127.0.0.1") }

    @Test func `what was answered to cookies goes with them`() async throws {
        let server = try cookieServer()
        let session = session()
        session.setCookies([cookie("alice")])
        #expect(try await text(session, server.url()) == "sid=alice")
        #expect(try await text(session, server.url()) == "sid=alice")
        #expect(server.requests.count == 1)
        session.setCookies([cookie("bob")])
        #expect(try await text(session, server.url()) == "sid=bob")
        session.deleteCookies([cookie("bob")])
        #expect(try await text(session, server.url()) == "nobody")
        session.setCookies([cookie("carol")])
        #expect(try await text(session, server.url()) == "sid=carol")
        session.deleteAllCookies()
        #expect(try await text(session, server.url()) == "nobody")
        #expect(try await text(session, server.url()) == "nobody")
        #expect(server.requests.count == 5)
    }

    @Test func `a login that brings a cookie parts what came before it from what comes after`() async throws {
        let server = try cookieServer()
        let session = session()
        #expect(try await text(session, server.url()) == "nobody")
        for user in ["sid=1", "sid=2"] {
            _ = await session.request(server.url("/login"), method: .post).serializingData().response
            #expect(try await text(session, server.url()) == user)
            #expect(try await text(session, server.url()) == user)
        }
        #expect(server.requests.count == 5)
    }

    @Test func `sessions that share a cache share nothing that came to their cookies`() async throws {
        let server = try cookieServer()
        let cache = cache()
        let (alice, bob, nobody, other) = (session(cache), session(cache), session(cache), session(cache))
        alice.setCookies([cookie("alice")])
        bob.setCookies([cookie("bob")])
        #expect(try await text(alice, server.url()) == "sid=alice")
        #expect(try await text(bob, server.url()) == "sid=bob")
        #expect(try await text(nobody, server.url()) == "nobody")
        #expect(try await text(other, server.url()) == "nobody")
        #expect(server.requests.count == 3)
    }

    @Test func `cookies that are set while a request is under way keep its response out of the cache`() async throws {
        let transport = ScriptedTransport()
        var configuration = SessionConfiguration()
        configuration.urlCache = cache()
        let session = Session(configuration: configuration, transport: transport)
        async let first = text(session, "http://scripted.test/")
        let exchange = try await transport.exchange(1)
        session.setCookies([cookie("alice")])
        exchange.respond(200, headers: ["Cache-Control": "max-age=60", "Content-Length": "1"], body: "1")
        #expect(try await first == "1")
        #expect(configuration.urlCache?.currentMemoryUsage == 0)
    }

    @Test func `another login gets another answer`() async throws {
        let server = try LocalServer { request in
            .ok(request["Authorization"] ?? "nobody").header("Cache-Control", "max-age=60")
        }
        let session = session()
        #expect(try await text(session, server.url(), [.authorization(bearerToken: "a")]) == "Bearer a")
        #expect(try await text(session, server.url(), [.authorization(bearerToken: "b")]) == "Bearer b")
        #expect(try await text(session, server.url()) == "nobody")
        #expect(try await text(session, server.url(), [.authorization(bearerToken: "a")]) == "Bearer a")
        #expect(server.requests.count == 3)
    }

    @Test func `a login by challenge counts as one`() async throws {
        let server = try LocalServer { request in
            guard let login = request["Authorization"] else {
                return .status(401).header("WWW-Authenticate", "Basic realm=\"r\"")
            }
            return .ok(login).header("Cache-Control", "max-age=60")
        }
        let session = session { $0.authenticationKinds = [.basic] }
        let url = server.url()
        func fetch(_ user: String) async throws -> String {
            try await session.request(url).authenticate(username: user, password: "p").serializingString().value
        }
        let alice = try await fetch("alice")
        #expect(try await fetch("bob") != alice)
        let count = server.requests.count
        #expect(try await fetch("alice") == alice)
        #expect(server.requests.count == count)
    }

    @Test func `what was loaded without verification is not for sessions that verify`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.respond(200, headers: ["Cache-Control": "max-age=60", "Content-Length": "1"], body: "x")
        }
        let cache = cache()
        var careless = SessionConfiguration()
        careless.urlCache = cache
        careless.tls.verifiesChain = false
        var careful = SessionConfiguration()
        careful.urlCache = cache
        for (configuration, count) in [(careless, 1), (careless, 1), (careful, 2), (careful, 2)] {
            let session = Session(configuration: configuration, transport: transport)
            #expect(try await text(session, "https://example.test/") == "x")
            #expect(transport.exchanges.count == count)
        }
    }

    @Test func `a request that changes something makes its places out of date`() async throws {
        let count = Shared()
        let server = try LocalServer { request in
            .ok("\(count.next())").header("Cache-Control", "max-age=60")
                .header("Location", "/other").header("Content-Location", "http://127.0.0.1:1/x")
        }
        let session = session()
        #expect(try await text(session, server.url("/a")) == "1")
        #expect(try await text(session, server.url("/other")) == "2")
        #expect(try await text(session, server.url("/third")) == "3")
        let answer = session.upload(Data("new".utf8), to: server.url("/a"), method: .put)
        #expect(try await answer.serializingString().value == "4")
        #expect(try await text(session, server.url("/a")) == "5")
        #expect(try await text(session, server.url("/other")) == "6")
        #expect(try await text(session, server.url("/third")) == "3")
    }

    @Test func `a request for a range goes by the cache`() async throws {
        let server = try LocalServer { request in
            guard request["Range"] != nil else { return .ok("whole").header("Cache-Control", "max-age=60") }
            return .status(206, "wh").header("Content-Range", "bytes 0-1/5").header("Cache-Control", "max-age=60")
        }
        let session = session()
        #expect(try await text(session, server.url(), ["Range": "bytes=0-1"]) == "wh")
        #expect(try await text(session, server.url()) == "whole")
        #expect(try await text(session, server.url(), ["Range": "bytes=0-1"]) == "wh")
        #expect(try await text(session, server.url()) == "whole")
        #expect(server.requests.count == 3)
    }

    @Test func `a caller's own condition is the caller's own`() async throws {
        let server = try validator(["Cache-Control": "max-age=60"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        let response = await session.request(server.url(), headers: ["If-None-Match": "\"1\""])
            .serializingData(emptyResponseCodes: [304]).response
        #expect(response.response?.statusCode == 304)
        #expect(server.requests.count == 2)
    }

    @Test func `HEAD is served from what GET brought, and tells whether that is still true`() async throws {
        let length = Shared(3)
        let server = try LocalServer { request in
            let body = String(repeating: "x", count: length.value)
            if request.method == "HEAD" {
                return .raw(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nCache-Control: max-age=60\r\n\r\n",
                    keepsOpen: true)
            }
            return .ok(body).header("Cache-Control", "max-age=60")
        }
        let session = session()
        func head(_ policy: URLRequest.CachePolicy) async -> String? {
            await session.request(server.url(), method: .head) { $0.cachePolicy = policy }
                .serializingData(emptyRequestMethods: [.head]).response.response?.headers["Content-Length"]
        }
        #expect(try await text(session, server.url()) == "xxx")
        #expect(await head(.useProtocolCachePolicy) == "3")
        #expect(server.requests.map(\.method) == ["GET"])
        // What is stale is renewed by a HEAD that agrees with it.
        clock.pass(61)
        #expect(await head(.useProtocolCachePolicy) == "3")
        #expect(try await text(session, server.url()) == "xxx")
        #expect(server.requests.map(\.method) == ["GET", "HEAD"])
        // One that does not agree makes it out of date.
        length.set(5)
        #expect(await head(.reloadIgnoringLocalCacheData) == "5")
        #expect(try await text(session, server.url()) == "xxxxx")
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "HEAD", "GET"])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\nhalf",
    ])
    func `a body that may be cut off is not kept`(raw: String) async throws {
        let server = try LocalServer { _ in .raw(raw) }
        let cache = cache()
        let session = session(cache)
        let response = await session.request(server.url()).serializingString().response
        #expect(response.response?.statusCode == 200)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `a body above the limit is delivered and not kept, however it comes`() async throws {
        let body = String(repeating: "x", count: 3000)
        let server = try LocalServer { request in
            let answer = LocalServer.Response.ok(body).header("Cache-Control", "max-age=60")
            return request.path == "/chunked" ? answer.chunked(of: 500) : answer
        }
        let cache = ResponseCache(memoryCapacity: 40_000)
        let session = session(cache)
        for path in ["/", "/chunked"] {
            #expect(try await text(session, server.url(path)) == body)
            #expect(try await text(session, server.url(path)) == body)
        }
        #expect(server.requests.count == 4)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `a decoded body is kept decoded`() async throws {
        let gzip: [UInt8] = [
            0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86, 0xa6, 0x10, 0x36,
            0x05,
            0, 0, 0,
        ]
        let server = try LocalServer { _ in
            .bytes(gzip).header("Content-Encoding", "gzip").header("Cache-Control", "max-age=60")
        }
        let cache = cache()
        let decoding = session(cache)
        #expect(try await text(decoding, server.url()) == "hello")
        #expect(try await text(decoding, server.url()) == "hello")
        #expect(server.requests.count == 1)
        // A session that wants bytes as they are must not get others.
        let raw = session(cache) { $0.decodesContent = false }
        #expect(try await raw.request(server.url()).serializingData().value == Data(gzip))
    }

    @Test func `redirects are kept where they may be, and followed from there`() async throws {
        let count = Shared()
        let server = try LocalServer { request in
            guard request.path == "/" else { return .ok("\(count.next())") }
            return .redirect(to: "/there").header("Cache-Control", "max-age=60")
        }
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        let response = await session.request(server.url()).serializingString().response
        #expect(response.value == "2")
        #expect(response.metrics?.transactionMetrics.map(\.resourceFetchType) == [.localCache, .networkLoad])
        #expect(server.requests.map(\.path) == ["/", "/there", "/there"])
    }

    @Test func `a stale response is served while the server is asked on the side`() async throws {
        let server = try counter(["Cache-Control": "max-age=10, stale-while-revalidate=100", "ETag": "\"x\""])
        let session = session(cache(servesStale: true))
        #expect(try await text(session, server.url()) == "1")
        clock.pass(50)
        #expect(try await text(session, server.url()) == "1")
        try await server.waitForRequests(2)
        #expect(server.requests.last?["If-None-Match"] == "\"x\"")
        // What came on the side is there sooner or later.
        try await eventually("the new response is served") { [clock] in
            let cached = session.configuration.urlCache?.cachedResponse(
                for: URLRequest(url: URL(string: server.url())!))
            return cached?.data == Data("2".utf8) && clock.now > TestClock.start
        }
        #expect(try await text(session, server.url()) == "2")
        #expect(server.requests.count == 2)
    }

    @Test func `what is asked on the side is not loaded beyond what can be kept`() async throws {
        let transport = ScriptedTransport()
        let now = { @Sendable [clock] in clock.now }
        let cache = ResponseCache(memoryCapacity: 20_000, servesStaleWhileRevalidating: true, now: now)
        var configuration = SessionConfiguration()
        configuration.urlCache = cache
        let session = Session(configuration: configuration, transport: transport)
        let url = "http://scripted.test/"
        async let first = text(session, url)
        let control = "max-age=10, stale-while-revalidate=100"
        let headers: HTTPHeaders = ["Cache-Control": control, "ETag": "\"x\"", "Transfer-Encoding": "chunked"]
        try await transport.exchange(1).respond(200, headers: headers, body: "1")
        #expect(try await first == "1")
        clock.pass(50)
        #expect(try await text(session, url) == "1")
        // The body has no end.
        let exchange = try await transport.exchange(2)
        exchange.receiveHead(200, headers: headers)
        exchange.receive([UInt8](repeating: 1, count: cache.bodyLimit))
        try await remains("the server may go on") { !exchange.isFinished }
        exchange.receive([1])
        try await eventually("the server is told to stop") { exchange.isFinished }
        // And the next question is asked.
        #expect(try await text(session, url) == "1")
        _ = try await transport.exchange(3)
    }

    @Test func `a stream is served from the cache too, piece by piece`() async throws {
        let body = String(repeating: "0123456789abcdef", count: 10_000)
        let server = try LocalServer { _ in .ok(body).header("Cache-Control", "max-age=60") }
        let session = session()
        #expect(try await text(session, server.url()) == body)
        let received = Mutex("")
        let pieces = Mutex(0)
        let completion: DataStreamRequest.Completion = await withCheckedContinuation { waiter in
            session.streamRequest(server.url()).responseStream(on: DispatchQueue(label: "stream")) { stream in
                switch stream.event {
                case .stream(.success(let data)):
                    received.withLock { $0 += String(decoding: data, as: UTF8.self) }
                    pieces.withLock { $0 += 1 }
                case .complete(let completion): waiter.resume(returning: completion)
                }
            }
        }
        #expect(completion.error == nil)
        #expect(completion.response?.statusCode == 200)
        #expect(received.withLock(\.self) == body)
        #expect(pieces.withLock(\.self) > 1)
        #expect(server.requests.count == 1)
    }

    @Test func `a slow stream of a cached response is waited for`() async throws {
        let body = [UInt8](repeating: 7, count: 3 << 20)
        let server = try LocalServer { _ in .bytes(body).header("Cache-Control", "max-age=60") }
        let session = session(ResponseCache(memoryCapacity: 128 << 20))
        _ = try await session.request(server.url()).serializingData().value
        let gate = Gate()
        let received = Mutex(0)
        let request = session.streamRequest(server.url())
        let stream = DispatchQueue(label: "slow")
        stream.suspend()
        let end: DataStreamRequest.Completion = try await withCheckedThrowingContinuation { waiter in
            request.responseStream(on: stream) { stream in
                switch stream.event {
                case .stream(.success(let data)): received.withLock { $0 += data.count }
                case .complete(let completion): waiter.resume(returning: completion)
                }
            }
            // Nothing is taken until a mebibyte waits.
            Task {
                try await eventually("the stream is full") { request.downloadProgress.completedUnitCount >= 1 << 20 }
                #expect(request.downloadProgress.completedUnitCount < 2 << 20)
                gate.open()
                stream.resume()
            }
        }
        #expect(gate.isOpen)
        #expect(end.error == nil)
        #expect(received.withLock(\.self) == body.count)
        #expect(server.requests.count == 1)
    }

    @Test func `a cached answer can be suspended, resumed and cancelled`() async throws {
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        let request = session.request(server.url())
        let answer = request.serializingString(automaticallyCancelling: false)
        request.suspend().resume()
        #expect(try await answer.value == "1")
        for _ in 1...50 {
            let request = session.request(server.url())
            let answer = request.serializingString()
            request.cancel()
            let result = await answer.result
            #expect((try? result.get()) == "1" || result.failure?.isExplicitlyCancelledError == true)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a download does not touch the cache, but makes it out of date where it changes something`() async throws
    {
        let folder = try ScratchFolder()
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = session()
        func download(_ method: HTTPMethod) async throws {
            let file = URL(filePath: folder.file("\(method.rawValue)"))
            _ = try await session.download(server.url(), method: method, to: { _, _ in (file, [.removePreviousFile]) })
                .serializingDownloadedFileURL().value
        }
        #expect(try await text(session, server.url()) == "1")
        try await download(.get)
        #expect(server.requests.count == 2)
        #expect(try await text(session, server.url()) == "1")
        try await download(.post)
        #expect(try await text(session, server.url()) == "4")
    }

    @Test func `a session finds on disk what another one kept`() async throws {
        let folder = try ScratchFolder()
        let place = URL(filePath: folder.file("cache"))
        let server = try counter(["Cache-Control": "max-age=60"])
        let first = cache(directory: place)
        #expect(try await text(session(first), server.url()) == "1")
        first.finishWriting()
        let second = session(cache(directory: place))
        #expect(try await text(second, server.url()) == "1")
        #expect(try await text(second, server.url()) == "1")
        #expect(server.requests.count == 1)
    }

    @Test func `many requests at once get answers that belong to them`() async throws {
        let folder = try ScratchFolder()
        let server = try LocalServer { request in
            .ok(request.path).header("Cache-Control", "max-age=\(request.path.count % 2)").header("ETag", "\"x\"")
        }
        // Small enough for responses to come and go all the time.
        let cache = ResponseCache(
            memoryCapacity: 5000, diskCapacity: 20_000, directory: URL(filePath: folder.file("c")))
        let session = session(cache)
        try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<300 {
                let path = "/\(number % 40)"
                group.addTask { (path, try await session.request(server.url(path)).serializingString().value) }
            }
            for try await (path, answer) in group { #expect(answer == path) }
        }
        #expect(cache.currentMemoryUsage <= 5000)
        #expect(cache.currentDiskUsage <= 20_000)
    }
}

/// A number that a server's threads share.
private final class Shared: Sendable {
    private let count: Atomic<Int>

    init(_ value: Int = 0) {
        count = Atomic(value)
    }

    var value: Int { count.load(ordering: .relaxed) }
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    func set(_ value: Int) { count.store(value, ordering: .relaxed) }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
