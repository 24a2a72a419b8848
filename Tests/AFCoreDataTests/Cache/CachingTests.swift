import AFCore
import AFHTTP
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCache

/// Sessions with a cache, and servers that report the requests they received.
@Suite(.timeLimit(.minutes(5))) struct CachingTests {
    let clock = TestClock()

    func session(
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

    func cache(servesStale: Bool = false, directory: URL? = nil) -> ResponseCache {
        ResponseCache(directory: directory, servesStaleWhileRevalidating: servesStale, now: { [clock] in clock.now })
    }

    /// Responds with the number of requests: `1`, `2`, …
    func counter(_ fields: KeyValuePairs<String, String>) throws -> LocalServer {
        let fields = fields.map { ($0.key, $0.value) }
        let count = Shared()
        return try LocalServer { _ in
            fields.reduce(.ok("\(count.next())")) { $0.header($1.0, $1.1) }
        }
    }

    /// Like ``counter(_:)``, and confirms a tag of `"1"`.
    func validator(_ fields: KeyValuePairs<String, String>) throws -> LocalServer {
        let fields = fields.map { ($0.key, $0.value) }
        let count = Shared()
        return try LocalServer { request in
            let answer: LocalServer.Response =
                request["If-None-Match"] == "\"1\"" ? .status(304) : .ok("\(count.next())").header("ETag", "\"1\"")
            return fields.reduce(answer) { $0.header($1.0, $1.1) }
        }
    }

    func text(
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

    @Test func `a fresh response is served without a request`() async throws {
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

    @Test func `a response from the server is marked as such`() async throws {
        let server = try counter([:])
        let session = session()
        let response = await session.request(server.url()).serializingData().response
        #expect(response.metrics?.transactionMetrics.map(\.resourceFetchType) == [.networkLoad])
    }

    @Test func `a stale response is served after the server has confirmed it`() async throws {
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
        // A confirmed response is fresh again.
        clock.pass(9)
        #expect(try await text(session, server.url()) == "1")
        #expect(server.requests.count == 2)
    }

    @Test func `a response without an entity tag is revalidated with its date`() async throws {
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

    @Test func `a new response replaces an outdated one`() async throws {
        let server = try counter(["Cache-Control": "max-age=10", "ETag": "\"x\""])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        clock.pass(11)
        #expect(try await text(session, server.url()) == "2")
        #expect(try await text(session, server.url()) == "2")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"x\""])
    }

    @Test func `after a 304 with another validator the complete response is requested`() async throws {
        let server = try LocalServer { request in
            let answer: LocalServer.Response = request["If-None-Match"] == nil ? .ok("whole") : .status(304)
            return answer.header("ETag", request["If-None-Match"] == nil ? "\"1\"" : "\"2\"")
        }
        let session = session()
        #expect(try await text(session, server.url()) == "whole")
        #expect(try await text(session, server.url()) == "whole")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", nil])
    }

    @Test func `a server error is delivered, and removes no stored response`() async throws {
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

    @Test func `a lost connection during revalidation is an error, and removes no stored response`()
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

    @Test func `a handler's rejection does not affect other requests`() async throws {
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

    @Test func `the newest matching response is served`() async throws {
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
    func `nginx is asked once while its file is fresh, and confirms it on request`(isSecure: Bool)
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

    @Test func `a no-store response is not stored`() async throws {
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

    @Test func `cache policies behave as named`() async throws {
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

    @Test func `the session's policy applies to requests without one`() async throws {
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = session { $0.requestCachePolicy = .reloadIgnoringLocalCacheData }
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url()) == "2")
        #expect(try await text(session, server.url(), policy: .returnCacheDataElseLoad) == "2")
    }

    @Test func `without a cache, a cache-only request fails`() async throws {
        let server = try counter([:])
        await #expect(throws: AFError.self) {
            try await text(Session(), server.url(), policy: .returnCacheDataDontLoad)
        }
        #expect(server.requests.isEmpty)
    }
}

/// A number that a server's threads share.
final class Shared: Sendable {
    private let count: Atomic<Int>

    init(_ value: Int = 0) {
        count = Atomic(value)
    }

    var value: Int { count.load(ordering: .relaxed) }
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    func set(_ value: Int) { count.store(value, ordering: .relaxed) }
}
