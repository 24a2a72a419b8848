import AFCore
import AFHTTP
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCache

/// The identity that a cached response is for.
extension CachingTests {
    @Test func `a response is served only to requests with equal Vary fields`() async throws {
        let server = try counter(["Cache-Control": "max-age=60", "Vary": "X-Kind"])
        let session = session()
        #expect(try await text(session, server.url(), ["X-Kind": "a"]) == "1")
        #expect(try await text(session, server.url(), ["X-Kind": "b"]) == "2")
        #expect(try await text(session, server.url()) == "3")
        #expect(try await text(session, server.url(), ["x-kind": "a"]) == "1")
        #expect(try await text(session, server.url(), ["X-Kind": "b"]) == "2")
        #expect(try await text(session, server.url()) == "3")
    }

    @Test func `a response that varies by everything is not shared`() async throws {
        let server = try counter(["Cache-Control": "max-age=60", "Vary": "*"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        #expect(try await text(session, server.url()) == "2")
    }

    /// Responds with the received session cookie; `POST /login` sets one.
    private func cookieServer() throws -> LocalServer {
        let count = Shared()
        return try LocalServer { request in
            if request.path == "/login" { return .ok().header("Set-Cookie", "sid=\(count.next()); Path=/") }
            return .ok(request["Cookie"] ?? "nobody").header("Cache-Control", "max-age=60")
        }
    }

    private func cookie(_ value: String) -> HTTPCookie { HTTPCookie(name: "sid", value: value, domain: "127.0.0.1") }

    @Test func `a response to cookies is removed with them`() async throws {
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

    @Test func `a session cookie separates responses before and after it`() async throws {
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

    @Test func `sessions that share a cache do not share responses to their cookies`() async throws {
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

    @Test func `cookies set during a request prevent storing its response`() async throws {
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

    @Test func `other credentials get another response`() async throws {
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

    @Test func `credentials of a challenge count, too`() async throws {
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

    @Test func `a response loaded without verification is not served to sessions that verify`() async throws {
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
}
