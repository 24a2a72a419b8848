import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

/// Credentials as servers see them.
@Suite(.timeLimit(.minutes(5))) struct CredentialTests {
    let session = Session()
    let basic = "Basic YWRhOm9wZW4gc2VzYW1l"

    /// A server that requires ada's password, by Basic.
    private func basicServer() throws -> LocalServer {
        let basic = basic
        return try LocalServer { request in
            if request["Authorization"] == basic { return .ok("welcome") }
            return .status(401, "who are you?").header("WWW-Authenticate", #"Basic realm="test realm""#)
        }
    }

    private func digestServer(_ login: DigestLogin) throws -> LocalServer {
        try LocalServer { request in
            login.accepts(request)
                ? .ok("welcome \(request.text)")
                : .status(401, "who are you?").header("WWW-Authenticate", login.challenge())
        }
    }

    // Without a credential, and with a wrong one

    @Test func `a 401 without a credential is simply a response`() async throws {
        for server in [try basicServer(), try digestServer(DigestLogin())] {
            let response = await session.request(server.url()).serializingString().response
            #expect(response.response?.statusCode == 401)
            #expect(response.value == "who are you?")
            #expect(response.error == nil)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a wrong credential gets the 401 with its body`() async throws {
        for server in [try basicServer(), try digestServer(DigestLogin())] {
            let request = session.request(server.url()).authenticate(username: "ada", password: "wrong")
            let response = await request.serializingString().response
            #expect(response.response?.statusCode == 401)
            #expect(response.value == "who are you?")
            #expect(response.error == nil)
            #expect(server.requests.count == 2)
            #expect(server.requests.last?["Authorization"] != nil)
        }
    }

    @Test func `a validated 401 is an error with its status`() async throws {
        let server = try basicServer()
        let request = session.request(server.url()).authenticate(username: "ada", password: "wrong").validate()
        #expect(await request.serializingString().response.error?.responseCode == 401)
    }

    // Basic

    @Test func `a password is not sent before the server's challenge`() async throws {
        let server = try basicServer()
        let credential = URLCredential(user: "ada", password: "open sesame")
        let request = session.request(server.url(), method: .post).authenticate(with: credential)
        #expect(request.credential == credential)
        #expect(try await request.serializingString().value == "welcome")
        #expect(server.requests.map { $0["Authorization"] } == [nil, basic])
        #expect(server.acceptedConnections == 1)
    }

    @Test func `if only Basic is allowed, the password is sent with the first request`() async throws {
        var configuration = SessionConfiguration()
        configuration.authenticationKinds = .basic
        let server = try basicServer()
        let session = Session(configuration: configuration)
        let request = session.request(server.url()).authenticate(username: "ada", password: "open sesame")
        #expect(try await request.serializingString().value == "welcome")
        #expect(server.requests.map { $0["Authorization"] } == [basic])
    }

    @Test func `an eager request uses a credential that is set after its creation`() async throws {
        let server = try basicServer()
        let queue = DispatchQueue(label: "requests")
        queue.suspend()
        let session = Session(requestSetup: .eager, requestQueue: queue)
        let request = session.request(try URLRequest(url: server.url(), method: .get))
            .authenticate(username: "ada", password: "open sesame")
        queue.resume()
        #expect(try await request.serializingString().value == "welcome")
    }

    @Test func `user and password in a URL are a credential, and are not in the request URL`() async throws {
        let server = try basicServer()
        let request = session.request("http://ada:open%20sesame@\(server.authority)/")
        #expect(try await request.serializingString().value == "welcome")
        #expect(server.requests.allSatisfy { $0.target == "/" && $0["Host"] == server.authority })
    }

    // Digest

    /// Digests with the session algorithms require the client's nonce, which is sent only with a quality of protection.
    private static let kindsOfDigest: [DigestLogin] =
        [nil, "MD5", "SHA-256"].map { DigestLogin(algorithm: $0, qualities: nil) }
        + [nil, "MD5", "MD5-sess", "SHA-256", "SHA-256-sess"].flatMap { algorithm in
            ["auth", "auth-int", "auth, auth-int"].map { DigestLogin(algorithm: algorithm, qualities: $0) }
        }

    @Test(arguments: kindsOfDigest)
    func `digest authentication does not send the password`(login: DigestLogin) async throws {
        let server = try digestServer(login)
        let request = session.request(server.url("/a?b=c")).authenticate(username: "ada", password: "open sesame")
        #expect(try await request.serializingString().value == "welcome ")
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.headText.contains("sesame") })
    }

    @Test func `the complete body is sent after the challenge`() async throws {
        let server = try digestServer(DigestLogin())
        let body = Data(repeating: 65, count: 100_000)
        let upload = session.upload(body, to: server.url()).authenticate(username: "ada", password: "open sesame")
        #expect(try await upload.serializingString().value == "welcome " + String(decoding: body, as: UTF8.self))
        let streamed = session.upload(.stream(ScriptedStream([.bytes("streamed")]), length: 8), to: server.url())
        streamed.authenticate(username: "ada", password: "open sesame")
        #expect(try await streamed.serializingString().value == "welcome streamed")
    }

    @Test func `a stale nonce is replaced`() async throws {
        let (old, new) = (DigestLogin(nonce: "old"), DigestLogin(nonce: "new"))
        let server = try LocalServer { request in
            if new.accepts(request) { return .ok("welcome") }
            let challenge = old.accepts(request) ? new.challenge(isStale: true) : old.challenge()
            return .status(401).header("WWW-Authenticate", challenge)
        }
        let request = session.request(server.url()).authenticate(username: "ada", password: "open sesame")
        #expect(try await request.serializingString().value == "welcome")
        #expect(server.requests.count == 3)
    }

    @Test func `redirects to the same origin need no further challenge, while its nonce is accepted`() async throws {
        let (old, new) = (DigestLogin(nonce: "old"), DigestLogin(nonce: "new"))
        let server = try LocalServer { request in
            let login = request.path == "/3" ? new : old
            guard login.accepts(request) else { return .status(401).header("WWW-Authenticate", login.challenge()) }
            return request.path == "/3" ? .ok("welcome") : .redirect(to: request.path == "/1" ? "/2" : "/3")
        }
        let request = session.request(server.url("/1")).authenticate(username: "ada", password: "open sesame")
        #expect(try await request.serializingString().value == "welcome")
        #expect(server.requests.map(\.path) == ["/1", "/1", "/2", "/3", "/3"])
        let counts = server.requests.map { request in
            (1...3).first { request["Authorization"]?.contains("nc=0000000\($0),") == true }
        }
        #expect(counts == [nil, 1, 2, 3, 1])
    }

    @Test func `another origin receives no answer to a challenge of the first one`() async throws {
        let login = DigestLogin()
        let other = try LocalServer { request in .ok(request["Authorization"] ?? "none") }
        let server = try LocalServer { request in
            login.accepts(request)
                ? .redirect(to: other.url()) : .status(401).header("WWW-Authenticate", login.challenge())
        }
        for trusts in [false, true] {
            var configuration = SessionConfiguration()
            configuration.redirects.trustsOtherOrigins = trusts
            let session = Session(configuration: configuration)
            let request = session.request(server.url()).authenticate(username: "ada", password: "open sesame")
            #expect(try await request.serializingString().value == "none")
        }
    }

    @Test func `of several methods the most secure is used`() async throws {
        let login = DigestLogin()
        let server = try LocalServer { request in
            login.accepts(request)
                ? .ok("welcome")
                : .status(401).header("WWW-Authenticate", #"Basic realm="b""#)
                    .header("WWW-Authenticate", login.challenge())
        }
        let request = session.request(server.url()).authenticate(username: "ada", password: "open sesame")
        #expect(try await request.serializingString().value == "welcome")
        #expect(server.requests.last?["Authorization"]?.hasPrefix("Digest ") == true)
    }

    @Test func `a method that the session does not allow is not used`() async throws {
        var configuration = SessionConfiguration()
        configuration.authenticationKinds = .digest
        let server = try basicServer()
        let session = Session(configuration: configuration)
        let request = session.request(server.url()).authenticate(username: "ada", password: "open sesame")
        #expect(await request.serializingString().response.response?.statusCode == 401)
        #expect(server.requests.allSatisfy { $0["Authorization"] == nil })
    }

    // Authentication bound to the connection

    @Test func `NTLM authenticates a connection in three steps`() async throws {
        // The server's message of the second step: flags for Unicode, NTLM and extended security, and a challenge.
        var message = Array("NTLMSSP".utf8) + [0, 2, 0, 0, 0, 0, 0, 0, 0, 56, 0, 0, 0, 1, 2, 8, 0]
        message += [1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 56, 0, 0, 0]
        message += [6, 1, 0, 0, 0, 0, 0, 15]
        let challenge = "NTLM \(Data(message).base64EncodedString())"
        let server = try LocalServer { request in
            let step = Self.step(of: request)
            if step == 3 { return .ok("welcome on \(request.connection)") }
            return .status(401).header("WWW-Authenticate", step == 1 ? challenge : "NTLM")
        }
        var configuration = SessionConfiguration()
        configuration.authenticationKinds = [.ntlm, .negotiate, .digest, .basic]
        let session = Session(configuration: configuration)
        let request = session.request(server.url()).authenticate(username: "TEST\\ada", password: "open sesame")
        #expect(try await request.serializingString().value == "welcome on 1")
        #expect(server.requests.compactMap(Self.step) == [1, 3])
        #expect(Set(server.requests.map(\.connection)) == [1])
        let other = session.request(server.url()).authenticate(username: "TEST\\bob", password: "open sesame")
        #expect(try await other.serializingString().value == "welcome on 2")
    }

    /// Returns the number of an NTLM message; zero or `nil` if there is none.
    private static func step(of request: RecordedRequest) -> UInt8? {
        guard let field = request["Authorization"], field.hasPrefix("NTLM ") else { return nil }
        return Data(base64Encoded: String(field.dropFirst(5))).map { $0.count > 8 ? $0[8] : 0 }
    }

    @Test func `Negotiate without a ticket gets the 401 with its body`() async throws {
        let server = try LocalServer { _ in
            .status(401, "who are you?").header("WWW-Authenticate", "Negotiate")
        }
        var configuration = SessionConfiguration()
        configuration.authenticationKinds = .negotiate
        let session = Session(configuration: configuration)
        let response = await session.request(server.url()).authenticate(username: "", password: "")
            .serializingString().response
        #expect(response.response?.statusCode == 401)
        #expect(response.value == "who are you?")
    }
}
