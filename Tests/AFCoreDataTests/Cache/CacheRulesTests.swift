import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Testing

@testable import AFCache

/// RFC 9111 §3 and §4 as tables.
struct CacheRulesTests {
    private static let url = "http://example.test/a"

    private func question(
        _ fields: [(String, String)] = [],
        method: HTTPMethod = .get,
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        cookies: Bool = false
    ) throws -> CacheLookup {
        var transfer = Transfer(method: method, url: try HTTPURL(parsing: Self.url))
        for (name, value) in fields { transfer.headers.append(name: name, value: value) }
        transfer.options.handlesCookies = cookies
        return CacheLookup(transfer, policy: policy)
    }

    private func response(_ status: Int = 200, _ fields: [(String, String)]) -> HTTPURLResponse {
        HTTPURLResponse(
            url: URL(string: Self.url),
            statusCode: status,
            headers: HTTPHeaders(repeating: fields.map { HTTPHeader(name: $0.0, value: $0.1) })
        )
    }

    private func stored(_ fields: [(String, String)]) throws -> StoredResponse {
        let answer = CachedURLResponse(response: response(fields), data: Data("x".utf8))
        return StoredResponse(for: try question(), from: TestClock.start, to: TestClock.start, answer)
    }

    private func response(_ fields: [(String, String)]) -> HTTPURLResponse { response(200, fields) }

    struct Row: Sendable {
        var request: [(String, String)] = []
        var response: [(String, String)]
        var age = 0.0
        var method = HTTPMethod.get
        var policy = URLRequest.CachePolicy.useProtocolCachePolicy
        let decision: String
    }

    private static let tag = ("ETag", "\"1\"")
    private static let minute = [("Cache-Control", "max-age=60"), tag]

    @Test(arguments: [
        Row(response: minute, age: 59, decision: "serve"),
        Row(response: minute, age: 60, decision: "validate"),
        Row(response: [("Cache-Control", "max-age=60")], age: 60, decision: "load"),
        Row(response: [("Cache-Control", "max-age=60, no-cache"), tag], decision: "validate"),
        Row(response: [("Cache-Control", "max-age=60, no-cache=\"x\""), tag], decision: "validate"),
        Row(request: [("Cache-Control", "no-cache")], response: minute, decision: "validate"),
        Row(request: [("Pragma", "no-cache")], response: minute, decision: "validate"),
        Row(request: [("Pragma", "no-cache"), ("Cache-Control", "x")], response: minute, decision: "serve"),
        Row(request: [("Cache-Control", "no-store")], response: minute, decision: "load"),
        Row(request: [("Cache-Control", "max-age=10")], response: minute, age: 10, decision: "serve"),
        Row(request: [("Cache-Control", "max-age=10")], response: minute, age: 11, decision: "validate"),
        Row(request: [("Cache-Control", "min-fresh=30")], response: minute, age: 30, decision: "serve"),
        Row(request: [("Cache-Control", "min-fresh=30")], response: minute, age: 31, decision: "validate"),
        Row(request: [("Cache-Control", "max-stale")], response: minute, age: 9999, decision: "serve"),
        Row(request: [("Cache-Control", "max-stale=5")], response: minute, age: 65, decision: "serve"),
        Row(request: [("Cache-Control", "max-stale=5")], response: minute, age: 66, decision: "validate"),
        Row(
            request: [("Cache-Control", "max-stale")],
            response: [("Cache-Control", "max-age=1, must-revalidate"), tag],
            age: 2, decision: "validate"),
        Row(request: [("Cache-Control", "only-if-cached")], response: minute, age: 59, decision: "serve"),
        Row(request: [("Cache-Control", "only-if-cached")], response: minute, age: 60, decision: "504"),
        Row(request: [("If-None-Match", "\"2\"")], response: minute, decision: "load"),
        Row(request: [("Range", "bytes=0-1")], response: minute, decision: "load"),
        Row(response: minute, method: .post, decision: "load"),
        Row(response: minute, method: .head, decision: "serve"),
        Row(response: minute, age: 60, method: .head, decision: "load"),
        Row(
            response: [("Cache-Control", "max-age=60, stale-while-revalidate=30"), tag], age: 89,
            decision: "serve stale"),
        Row(
            response: [("Cache-Control", "max-age=60, stale-while-revalidate=30"), tag], age: 90, decision: "validate"),
        Row(
            response: [("Cache-Control", "max-age=60, stale-while-revalidate=30, must-revalidate"), tag], age: 61,
            decision: "validate"),
        Row(response: minute, policy: .reloadIgnoringLocalCacheData, decision: "load"),
        Row(response: minute, age: 9999, policy: .returnCacheDataElseLoad, decision: "serve"),
        Row(response: minute, age: 9999, policy: .returnCacheDataDontLoad, decision: "serve"),
        Row(response: minute, policy: .reloadRevalidatingCacheData, decision: "validate"),
        Row(response: [("Cache-Control", "max-age=60")], policy: .reloadRevalidatingCacheData, decision: "load"),
        Row(
            response: [("Cache-Control", "max-age=60, immutable"), tag], policy: .reloadRevalidatingCacheData,
            decision: "serve"),
        Row(
            response: [("Cache-Control", "max-age=60, immutable"), tag], age: 60, policy: .reloadRevalidatingCacheData,
            decision: "validate"),
        Row(response: minute, method: .post, policy: .returnCacheDataDontLoad, decision: "fail"),
    ])
    func `a stored response is served, revalidated or ignored`(row: Row) throws {
        let question = try question(row.request, method: row.method, policy: row.policy)
        let now = TestClock.start + row.age
        let decision = CacheRules.decide(question, try stored(row.response), at: now, servesStale: true)
        #expect(decision.word == row.decision)
    }

    @Test(
        arguments: [
            ([], URLRequest.CachePolicy.useProtocolCachePolicy, "load"),
            ([("Cache-Control", "only-if-cached")], .useProtocolCachePolicy, "504"),
            ([], .returnCacheDataElseLoad, "load"), ([], .returnCacheDataDontLoad, "fail"),
            ([], .reloadRevalidatingCacheData, "load"), ([], .reloadIgnoringLocalCacheData, "load"),
        ] as [([(String, String)], URLRequest.CachePolicy, String)])
    func `without a stored response the policy decides`(
        fields: [(String, String)],
        policy: URLRequest.CachePolicy,
        decision: String
    ) throws {
        #expect(CacheRules.decide(try question(fields, policy: policy), nil, at: TestClock.start).word == decision)
    }

    @Test func `stale-while-revalidate applies only if it is enabled`() throws {
        let stored = try stored([("Cache-Control", "max-age=1, stale-while-revalidate=30"), Self.tag])
        #expect(CacheRules.decide(try question(), stored, at: TestClock.start + 2).word == "validate")
    }

    struct Keeping: Sendable {
        var request: [(String, String)] = []
        var status = 200
        var response: [(String, String)] = []
        var cookies = false
        let isStorable: Bool
    }

    @Test(arguments: [
        Keeping(isStorable: true),
        Keeping(response: [("Cache-Control", "no-store")], isStorable: false),
        Keeping(response: [("Cache-Control", "no-store, must-understand")], isStorable: true),
        Keeping(status: 599, response: [("Cache-Control", "no-store, must-understand")], isStorable: false),
        Keeping(response: [("Cache-Control", "private")], isStorable: true),
        Keeping(response: [("Cache-Control", "no-cache")], isStorable: true),
        Keeping(request: [("Cache-Control", "no-store")], isStorable: false),
        Keeping(request: [("Authorization", "Bearer x")], isStorable: true),
        Keeping(request: [("Range", "bytes=0-")], isStorable: false),
        Keeping(status: 206, response: minute, isStorable: false),
        Keeping(status: 304, response: minute, isStorable: false),
        Keeping(status: 404, isStorable: true),
        Keeping(status: 302, isStorable: false),
        Keeping(status: 302, response: minute, isStorable: true),
        Keeping(status: 500, isStorable: false),
        Keeping(status: 500, response: [("Expires", "0")], isStorable: true),
        Keeping(response: [("Vary", "Accept, *")], isStorable: false),
        Keeping(response: [("Vary", "Cookie")], cookies: true, isStorable: false),
        Keeping(response: [("Vary", "Cookie")], isStorable: true),
    ])
    func `a response is stored if request, response and status allow it`(row: Keeping) throws {
        let question = try question(row.request, cookies: row.cookies)
        #expect(CacheRules.isStorable(response(row.status, row.response), for: question) == row.isStorable)
    }

    @Test(
        arguments: [
            (HTTPMethod.post, 200, [("Location", "/b")], ["/a", "/b"]),
            (.put, 204, [("Content-Location", "b?c"), ("Location", "http://other.test/x")], ["/a", "/b?c"]),
            (.delete, 303, [], ["/a"]), (.post, 404, [("Location", "/b")], []), (.get, 200, [("Location", "/b")], []),
            (HTTPMethod(rawValue: "MKCOL"), 201, [], ["/a"]),
        ] as [(HTTPMethod, Int, [(String, String)], [String])])
    func `an unsafe request invalidates the URLs of its server, and of no other`(
        method: HTTPMethod,
        status: Int,
        fields: [(String, String)],
        paths: [String]
    ) throws {
        let keys = CacheRules.invalidated(by: response(status, fields), to: try question(method: method))
        #expect(Set(keys.map(\.url)) == Set(paths.map { "http://example.test\($0)" }))
    }

    @Test func `a 304 updates the header fields, except those that describe the body`() throws {
        let old = try stored([
            ("ETag", "\"1\""), ("Content-Type", "text/plain"), ("Content-Length", "1"), ("Cache-Control", "max-age=1"),
            ("Age", "7"), ("X-Two", "a"), ("X-Two", "b"), ("X-Stays", "s"),
        ])
        let head = response(
            304,
            [
                ("ETag", "\"1\""), ("Content-Type", "text/html"), ("Content-Length", "0"),
                ("Cache-Control", "max-age=60"),
                ("X-Two", "c"), ("Set-Cookie", "a=b"), ("Connection", "X-Hop, close"), ("X-Hop", "1"),
                ("Proxy-Authenticate", "Basic"), ("Content-Encoding", "gzip"),
            ])
        let now = TestClock.start + 5
        let new = old.updated(by: head, for: try question(), from: now, to: now)
        #expect(
            new.response.headers.map(\.description) == [
                "Content-Type: text/plain", "Content-Length: 1", "X-Stays: s", "ETag: \"1\"",
                "Cache-Control: max-age=60", "X-Two: c",
            ]
        )
        #expect(new.remainingLifetime(at: now) == 60)
        #expect(new.body == old.body)
    }

    @Test func `an invalid validator is not sent`() throws {
        let stored = try stored([("ETag", "\"\u{1}\""), ("Last-Modified", "x")])
        #expect(stored.conditions.map(\.name) == ["If-Modified-Since"])
    }

    @Test(arguments: [
        (("ETag", "\"1\""), true), (("ETag", "W/\"1\""), true), (("ETag", "\"2\""), false),
        (("Last-Modified", "x"), true), (("Last-Modified", "y"), false), (("X", "y"), true),
    ])
    func `a 304 applies to the response with its validator`(field: (String, String), isMeant: Bool) throws {
        let stored = try stored([("ETag", "\"1\""), ("Last-Modified", "x")])
        #expect(stored.isConfirmed(by: response(304, [field])) == isMeant)
    }
}

extension CacheDecision {
    fileprivate var word: String {
        switch self {
        case .load: "load"
        case .serve: "serve"
        case .serveAndRevalidate: "serve stale"
        case .validate: "validate"
        case .gatewayTimeout: "504"
        case .fail: "fail"
        }
    }
}
