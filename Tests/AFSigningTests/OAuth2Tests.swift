import AFCore
import AFSigning
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Tokens of an authorization server, and their use with other servers.
@Suite(.timeLimit(.minutes(5))) struct OAuth2Tests {
    private func client(_ server: LocalServer, secret: String? = "open sesame") throws -> OAuth2Client {
        OAuth2Client(tokenURL: try HTTPURL(parsing: server.url("/token")), id: "ada", secret: secret)
    }

    private func session(
        _ client: OAuth2Client,
        _ token: OAuth2Token = .missing(),
        store: (any OAuth2TokenStore)? = nil
    ) -> Session {
        let authenticator = OAuth2Authenticator(client, store: store)
        return Session(interceptor: AuthenticationInterceptor(authenticator: authenticator, credential: token))
    }

    /// A server that issues tokens and accepts the last one.
    private func server(_ endpoint: TokenEndpoint) throws -> LocalServer {
        try LocalServer { request in
            if request.path == "/token" { return endpoint.answer(request) }
            return endpoint.accepts(request) ? .ok("welcome") : .status(401, "no")
        }
    }

    @Test func `a store is reserved while a token is requested for it`() async throws {
        let server = try server(TokenEndpoint())
        let store = SharedStore()
        let session = session(try client(server), store: store)
        #expect(try await session.request(server.url()).serializingString().value == "welcome")
        try await eventually("the store is free") { store.account.last == "released" }
        #expect(store.account == ["reserved", "asked", "keeps token-1", "released"])
    }

    @Test func `the refresh token of a shared store has priority over the replaced own one`() async throws {
        let server = try server(TokenEndpoint(refreshToken: "newer"))
        let store = SharedStore(OAuth2Token(accessToken: "over", refreshToken: "newer", expiry: .distantPast))
        let session = session(try client(server), .missing(refreshToken: "older"), store: store)
        #expect(try await session.request(server.url()).serializingString().value == "welcome")
        #expect(server.requests.first?.text == "grant_type=refresh_token&refresh_token=newer")
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [#"{"access_token": "a""#, "[" + String(repeating: "[],", count: 500), "[]", "", "a"])
    func `a token response that is no complete JSON object has no token`(body: String) async throws {
        let server = try LocalServer { _ in .ok(body) }
        let session = session(try client(server))
        let error = await session.request(server.url()).serializingString().response.error
        guard case .noToken(status: 200, _)? = error?.underlyingError as? OAuth2Error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.map(\.path) == ["/token"])
    }

    @Test func `the first request gets a token with client credentials, and later ones use it`() async throws {
        let server = try server(TokenEndpoint())
        var client = try client(server)
        client.scope = "a b/c"
        let session = session(client)
        for _ in 1...2 { #expect(try await session.request(server.url()).serializingString().value == "welcome") }
        #expect(server.requests.map(\.path) == ["/token", "/", "/"])
        let request = try #require(server.requests.first)
        #expect(request.text == "grant_type=client_credentials&scope=a%20b%2Fc")
        #expect(request["Accept"] == "application/json")
        #expect(request["Authorization"] == "Basic YWRhOm9wZW4lMjBzZXNhbWU=")
    }

    @Test func `concurrent requests get one token`() async throws {
        let endpoint = TokenEndpoint()
        let server = try server(endpoint)
        let session = session(try client(server))
        let answers = await withTaskGroup(of: String?.self) { group in
            for _ in 1...20 {
                group.addTask { try? await session.request(server.url()).serializingString().value }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: "welcome", count: 20))
        #expect(endpoint.issued == 1)
    }

    @Test func `a token that is rejected or about to expire is replaced`() async throws {
        let endpoint = TokenEndpoint()
        let server = try server(endpoint)
        let refused = session(try client(server), OAuth2Token(accessToken: "old"))
        let request = refused.request(server.url()).validate()
        #expect(try await request.serializingString().value == "welcome")
        #expect(request.retryCount == 1)
        let ending = OAuth2Token(accessToken: "token-1", expiry: Date(timeIntervalSinceNow: 10))
        let other = session(try client(server), ending)
        let second = other.request(server.url())
        #expect(try await second.serializingString().value == "welcome")
        #expect(second.retryCount == 0)
        #expect(endpoint.issued == 2)
    }

    @Test func `a refresh token gets the next token and refresh token`() async throws {
        let endpoint = TokenEndpoint(client: "ada:", refreshToken: "refresh-0")
        let server = try server(endpoint)
        let store = Store()
        var token = OAuth2Token.missing(refreshToken: "refresh-0")
        for _ in 1...3 {
            let session = session(try client(server, secret: nil), token, store: store)
            #expect(try await session.request(server.url()).serializingString().value == "welcome")
            token = try #require(store.token())
            token.expiry = .now
            store.store(token)
        }
        #expect(endpoint.issued == 3)
        #expect(server.requests.first?.text == "grant_type=refresh_token&refresh_token=refresh-0&client_id=ada")
        #expect(server.requests.first?["Authorization"] == nil)
    }

    @Test func `a token with a lifetime of seconds is refreshed in its second half`() async throws {
        let endpoint = TokenEndpoint(lifetime: 20)
        let server = try server(endpoint)
        let session = session(try client(server))
        for _ in 1...2 { #expect(try await session.request(server.url()).serializingString().value == "welcome") }
        #expect(endpoint.issued == 1)
        let soon = Date(timeIntervalSinceNow: 9)
        #expect(OAuth2Token(accessToken: "t", expiry: soon, lifetime: 20).requiresRefresh)
        #expect(!OAuth2Token(accessToken: "t", expiry: soon, lifetime: 10).requiresRefresh)
        #expect(OAuth2Token(accessToken: "t", expiry: soon).requiresRefresh)
    }

    @Test func `if the refresh token is invalid, client credentials are used`() async throws {
        let server = try server(TokenEndpoint(refreshToken: "good"))
        let session = session(try client(server), .missing(refreshToken: "stale"))
        #expect(try await session.request(server.url()).serializingString().value == "welcome")
        #expect(server.requests.map(\.path) == ["/token", "/token", "/"])
    }

    @Test func `the authenticator's refresh token is tried after the credential's, and no other grant`()
        async throws
    {
        let endpoint = TokenEndpoint(refreshToken: "new")
        let server = try server(endpoint)
        func authenticated(with refreshToken: String) throws -> Session {
            let authenticator = OAuth2Authenticator(try client(server), refreshToken: refreshToken)
            let credential = OAuth2Token.missing(refreshToken: "stale")
            return Session(
                interceptor: AuthenticationInterceptor(authenticator: authenticator, credential: credential))
        }
        let good = try authenticated(with: "new")
        #expect(try await good.request(server.url()).serializingString().value == "welcome")
        #expect(
            server.requests.map(\.text).filter { !$0.isEmpty }
                == ["stale", "new"].map {
                    "grant_type=refresh_token&refresh_token=\($0)"
                })
        let bad = try authenticated(with: "stale")
        let error = await bad.request(server.url()).serializingString().response.error
        #expect("\(try #require(error?.underlyingError as? OAuth2Error))".contains("invalid_grant"))
        #expect(server.requests.map(\.path) == ["/token", "/token", "/", "/token"])
        #expect(endpoint.issued == 1)
    }

    @Test func `a token that another process has obtained is used`() async throws {
        let server = try LocalServer { .ok($0["Authorization"] ?? "") }
        let store = Store(OAuth2Token(accessToken: "theirs"))
        let session = session(try client(server), OAuth2Token(accessToken: "", refreshToken: "r"), store: store)
        #expect(try await session.request(server.url()).serializingString().value == "Bearer theirs")
        #expect(server.requests.count == 1)
    }

    @Test func `a new token is stored`() async throws {
        let server = try server(TokenEndpoint(refreshToken: "good"))
        let store = Store()
        let session = session(try client(server), store: store)
        _ = try await session.request(server.url()).serializingString().value
        let token = try #require(store.token())
        #expect(token.accessToken == "token-1")
        #expect(token.refreshToken == "refresh-1")
        #expect(token.expiry.map { (3500...3700).contains($0.timeIntervalSinceNow) } == true)
    }

    @Test(arguments: [
        (#"{"error":"invalid_client","error_description":"no"}"#, 401, "with the error 'invalid_client' (no)"),
        (#"{"error":"temporarily_unavailable"}"#, 503, "with the error 'temporarily_unavailable'"),
        ("<html>", 200, "responded with 200 without a token"), ("", 404, "responded with 404 without a token"),
        ("", 302, "responded with 302 without a token"),
        (#"{"access_token":""}"#, 200, "responded with 200 without a token"),
        (#"{"access_token":"a","token_type":"mac"}"#, 200, "a token of the type 'mac'"),
        (#"{"access_token":"a\r\nX: y"}"#, 200, "a token that contains control characters"),
    ])
    func `a missing token is an error with the reason`(body: String, status: Int, reason: String) async throws {
        let server = try LocalServer { request in
            .raw("HTTP/1.1 \(status) X\r\nLocation: /elsewhere\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        let session = session(try client(server))
        let error = await session.request(server.url()).serializingString().response.error
        let beneath = try #require(error?.underlyingError as? OAuth2Error)
        #expect("\(beneath)".contains(reason), "\(beneath)")
        #expect(!"\(error.debugDescription)\(beneath)".contains("sesame"))
        #expect(server.requests.map(\.path) == ["/token"])
    }

    @Test func `lifetimes may be strings or missing`() async throws {
        let lifetimes = [
            (#""3600""#, true), ("1e99", true), ("null", false), (#""soon""#, false), ("0", false), (#""nan""#, false),
        ]
        for (lifetime, isKnown) in lifetimes {
            let server = try LocalServer { _ in .json(#"{"access_token":"a","expires_in":\#(lifetime)}"#) }
            let store = Store()
            let session = session(try client(server), store: store)
            _ = try await session.request(server.url()).serializingString().value
            #expect((store.token()?.expiry != nil) == isKnown, "\(lifetime)")
        }
    }

    @Test func `descriptions of client and token contain no secrets`() throws {
        let url = try HTTPURL(parsing: "https://h/token")
        let client = OAuth2Client(tokenURL: url, id: "ada", secret: "open sesame")
        let token = OAuth2Token(accessToken: "sesame-1", refreshToken: "sesame-2", expiry: Date())
        #expect(!"\(client) \(String(reflecting: client)) \(token) \(String(reflecting: token))".contains("sesame"))
    }

    @Test func `a redirect to another origin does not get the token`() async throws {
        let other = try LocalServer { .ok($0["Authorization"] ?? "nothing") }
        let endpoint = TokenEndpoint()
        let server = try LocalServer { request in
            request.path == "/token" ? endpoint.answer(request) : .redirect(to: other.url())
        }
        let session = session(try client(server))
        #expect(try await session.request(server.url()).serializingString().value == "nothing")
    }
}

/// A store shared with other processes, which records its calls.
private final class SharedStore: OAuth2TokenStore {
    private final class Reservation: Sendable {
        let store: SharedStore
        init(_ store: SharedStore) { self.store = store }
        deinit { store.note("released") }
    }

    private let notes = Mutex<[String]>([])
    private let others: OAuth2Token?

    /// Creates a store.
    ///
    /// - Parameter others: The token that another process has obtained.
    init(_ others: OAuth2Token? = nil) { self.others = others }

    var account: [String] { notes.withLock(\.self) }
    private func note(_ text: String) { notes.withLock { $0.append(text) } }

    func reserve() -> (any Sendable)? {
        note("reserved")
        return Reservation(self)
    }

    func token() -> OAuth2Token? {
        note("asked")
        return others
    }

    func store(_ token: OAuth2Token) { note("keeps \(token.accessToken)") }
}

private final class Store: OAuth2TokenStore {
    private let kept: Mutex<OAuth2Token?>

    init(_ token: OAuth2Token? = nil) { kept = Mutex(token) }

    func token() -> OAuth2Token? { kept.withLock(\.self) }
    func store(_ token: OAuth2Token) { kept.withLock { $0 = token } }
}
