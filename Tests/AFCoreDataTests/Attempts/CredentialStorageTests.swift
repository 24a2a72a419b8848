import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// The credentials that a session stores, and the servers that receive them.
@Suite(.timeLimit(.minutes(5))) struct CredentialStorageTests {
    let session = Session()
    let ada = URLCredential(user: "ada", password: "open sesame")

    private func server(_ login: DigestLogin = DigestLogin()) throws -> LocalServer {
        try LocalServer { request in
            login.accepts(request) ? .ok("in") : .status(401, "out").header("WWW-Authenticate", login.challenge())
        }
    }

    private func text(_ request: DataRequest) async throws -> String { try await request.serializingString().value }

    private func space(_ server: LocalServer, realm: String? = nil) throws -> URLProtectionSpace {
        URLProtectionSpace(
            origin: try HTTPURL(parsing: server.url()).origin,
            realm: realm,
            authenticationMethod: realm.map { _ in .digest }
        )
    }

    @Test func `an accepted credential is used for later requests to the same server`() async throws {
        let (here, elsewhere) = (try server(), try server())
        #expect(try await text(session.request(here.url())) == "out")
        #expect(try await text(session.request(here.url()).authenticate(with: ada)) == "in")
        #expect(try await text(session.request(here.url("/other"))) == "in")
        #expect(try await text(session.request(elsewhere.url())) == "out")
        let storage = try #require(session.configuration.urlCredentialStorage)
        #expect(storage.allCredentials == [try space(here, realm: "test realm"): ["ada": ada]])
    }

    @Test func `a credential that is wrong, unrequested or for one request is not stored`() async throws {
        let (guarded, open) = (try server(), try LocalServer { _ in .ok("in") })
        let once = URLCredential(user: "ada", password: "open sesame", persistence: .none)
        #expect(try await text(session.request(guarded.url()).authenticate(with: once)) == "in")
        #expect(try await text(session.request(open.url()).authenticate(with: ada)) == "in")
        let wrong = session.request(guarded.url()).authenticate(username: "ada", password: "wrong")
        #expect(try await text(wrong) == "out")
        #expect(try await text(session.request(guarded.url())) == "out")
        #expect(session.configuration.urlCredentialStorage?.allCredentials.isEmpty == true)
    }

    @Test func `sessions do not share credentials unless they share a storage`() async throws {
        let server = try server()
        #expect(try await text(session.request(server.url()).authenticate(with: ada)) == "in")
        let other = Session()
        #expect(try await text(other.request(server.url())) == "out")
        let third = Session(configuration: session.configuration)
        #expect(try await text(third.request(server.url())) == "in")
        #expect(URLCredentialStorage.shared.allCredentials.isEmpty)
    }

    @Test func `a session without a storage stores no credentials`() async throws {
        let server = try server()
        var configuration = SessionConfiguration()
        configuration.urlCredentialStorage = nil
        let session = Session(configuration: configuration)
        #expect(try await text(session.request(server.url()).authenticate(with: ada)) == "in")
        #expect(try await text(session.request(server.url())) == "out")
    }

    @Test func `credentials can be stored in advance`() async throws {
        let server = try server()
        let storage = URLCredentialStorage()
        storage.setDefaultCredential(ada, for: try space(server))
        var configuration = SessionConfiguration()
        configuration.urlCredentialStorage = storage
        let session = Session(configuration: configuration)
        #expect(try await text(session.request(server.url())) == "in")
        // The request's own credential has priority.
        let wrong = session.request(server.url()).authenticate(username: "ada", password: "wrong")
        #expect(try await text(wrong) == "out")
        storage.removeAll()
        #expect(try await text(session.request(server.url())) == "out")
    }

    @Test func `an Authorization field set by the caller is unchanged`() async throws {
        let server = try server()
        session.configuration.urlCredentialStorage?.set(ada, for: try space(server))
        let request = session.request(server.url(), headers: ["Authorization": "Bearer x"])
        #expect(try await text(request) == "out")
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer x"])
    }

    @Test func `a credential is stored after a challenge of the proxy`() async throws {
        let transport = ScriptedTransport {
            $0.receiveHead(407, headers: ["Proxy-Authenticate": "Basic realm=proxy"], kind: .intermediate)
            $0.receiveHead(401, headers: ["WWW-Authenticate": "Basic realm=server"], kind: .intermediate)
            $0.respond(200, body: "in")
        }
        let session = Session(transport: transport)
        #expect(try await text(session.request("http://a.test/").authenticate(with: ada)) == "in")
        let kept = try #require(session.configuration.urlCredentialStorage).allCredentials
        #expect(kept.keys.map(\.realm) == ["server"])
    }

    @Test(arguments: [403, 407, 500])
    func `credentials are not stored after a failed response`(status: Int) async throws {
        let login = DigestLogin()
        let server = try LocalServer { request in
            login.accepts(request)
                ? .status(status, "no") : .status(401, "out").header("WWW-Authenticate", login.challenge())
        }
        #expect(try await text(session.request(server.url()).authenticate(with: ada)) == "no")
        #expect(session.configuration.urlCredentialStorage?.allCredentials.isEmpty == true)
    }

    @Test func `a rejected stored credential is removed, but not if another server rejected it`() async throws {
        let server = try server()
        let storage = try #require(session.configuration.urlCredentialStorage)
        let old = URLCredential(user: "ada", password: "old")
        storage.set(old, for: try space(server, realm: "other realm"))
        #expect(try await text(session.request(server.url())) == "out")
        #expect(storage.allCredentials.count == 1)
        storage.set(old, for: try space(server, realm: "test realm"))
        #expect(try await text(session.request(server.url())) == "out")
        #expect(storage.allCredentials.keys.map(\.realm) == ["other realm"])
    }

    // Protection spaces are separate

    @Test func `a credential stored for digest is not sent as Basic to other paths of the server`() async throws {
        let login = DigestLogin()
        let server = try LocalServer { request in
            let isIn = login.accepts(request) && request.path != "/clear"
            let challenge = request.path == "/clear" ? #"Basic realm="other""# : login.challenge()
            return isIn ? .ok("in") : .status(401, "out").header("WWW-Authenticate", challenge)
        }
        #expect(try await text(session.request(server.url()).authenticate(with: ada)) == "in")
        #expect(try await text(session.request(server.url("/clear"))) == "out")
        #expect(!server.requests.contains { $0["Authorization"]?.hasPrefix("Basic") == true })
        #expect(try await text(session.request(server.url())) == "in")
    }

    @Test(arguments: [#"Basic realm="test realm""#, DigestLogin().challenge()])
    func `a stored credential waits for the challenge, and bodies are sent completely`(challenge: String) async throws {
        let server = try LocalServer { request in
            request["Authorization"] != nil || request.path == "/open"
                ? .ok("in \(request.text)") : .status(401, "out").header("WWW-Authenticate", challenge)
        }
        #expect(try await text(session.request(server.url()).authenticate(with: ada)) == "in ")
        #expect(try await text(session.upload(Data("body".utf8), to: server.url("/open"))) == "in body")
        let open = server.requests.filter { $0.path == "/open" }
        #expect(open.map(\.text) == ["body"])
        #expect(open.first?["Authorization"] == nil)
        #expect(try await text(session.upload(Data("body".utf8), to: server.url("/guarded"))) == "in body")
    }

    @Test func `a credential stored for a method that the session does not allow is not used`() async throws {
        let server = try server()
        var configuration = SessionConfiguration()
        configuration.authenticationKinds = .basic
        configuration.urlCredentialStorage?.set(ada, for: try space(server, realm: "test realm"))
        let session = Session(configuration: configuration)
        #expect(try await text(session.request(server.url())) == "out")
        #expect(server.requests.map { $0["Authorization"] } == [nil])
    }

    // Redirects: only within the origin

    @Test func `a stored credential is used for redirects within its origin only`() async throws {
        let login = DigestLogin()
        let other = try server(login)
        let server = try LocalServer { request in
            guard login.accepts(request) else { return .status(401).header("WWW-Authenticate", login.challenge()) }
            switch request.path {
            case "/here": return .redirect(to: "/there")
            case "/away": return .redirect(to: other.url())
            default: return .ok("in")
            }
        }
        for isStored in [false, true] {
            let here = session.request(server.url("/here"))
            #expect(try await text(isStored ? here : here.authenticate(with: ada)) == "in")
            let away = session.request(server.url("/away"))
            #expect(try await text(isStored ? away : away.authenticate(with: ada)) == "out")
        }
        #expect(other.requests.count == 2)
        #expect(other.requests.allSatisfy { $0["Authorization"] == nil })
    }

    @Test func `dropped credentials are not sent again after a redirect back, stored or not`() async throws {
        let login = DigestLogin()
        let server = try LocalServer { request in
            login.accepts(request) && request.path == "/"
                ? .ok("in") : .status(401, "out").header("WWW-Authenticate", login.challenge())
        }
        let other = try LocalServer { _ in .redirect(to: server.url("/")) }
        session.configuration.urlCredentialStorage?.set(ada, for: try space(server))
        let start = try LocalServer { _ in .redirect(to: other.url()) }
        #expect(try await text(session.request(start.url()).authenticate(with: ada)) == "out")
        #expect(server.requests.allSatisfy { $0["Authorization"] == nil })
    }
}
