import AFCore
import AFHTTP
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFSigning

/// The login in a browser: the proof key, the URL, and the redirect to a loopback port.
@Suite(.timeLimit(.minutes(5))) struct OAuth2BrowserLoginTests {
    private let login = OAuth2BrowserLogin(redirectURI: "http://127.0.0.1:1/", verifier: "v", state: "s+1")

    @Test func `the challenge is that of RFC 7636, appendix B`() {
        let login = OAuth2BrowserLogin(
            redirectURI: "", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", state: "")
        #expect(login.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `secrets are random and have only unreserved characters`() {
        let logins = (0..<50).map { _ in OAuth2BrowserLogin(redirectURI: "") }
        for secrets in [logins.map(\.verifier), logins.map(\.state)] {
            #expect(Set(secrets).count == 50)
            #expect(secrets.joined().utf8.allSatisfy { $0.isUnreserved })
        }
        // RFC 7636 §4.1.
        #expect(logins.allSatisfy { $0.verifier.utf8.count == 43 })
    }

    @Test(arguments: [("https://l/a", "https://l/a?"), ("https://l/a?tenant=1", "https://l/a?tenant=1&")])
    func `the URL has the parameters of RFC 6749 and RFC 7636`(endpoint: String, start: String) throws {
        let client = OAuth2Client(
            tokenURL: try HTTPURL(parsing: "https://l/t"), authorizationURL: try HTTPURL(parsing: endpoint), id: "me",
            scope: "a b")
        let parameters =
            "response_type=code&client_id=me&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F&scope=a%20b&state=s%2B1"
            + "&code_challenge=\(login.challenge)&code_challenge_method=S256"
        #expect(client.browserURL(login) == start + parameters)
    }

    @Test(
        arguments: [
            ("/?code=C%2B+1&state=s%2B1", .code("C+ 1")), ("/?state=s%2B1&iss=x&code=C", .code("C")),
            ("/?error=access_denied&state=s%2B1", .refused(code: "access_denied", description: nil)),
            ("/?error=e&error_description=no+way&state=s%2B1", .refused(code: "e", description: "no way")),
            ("/?code=C&state=other", .other), ("/?code=C", .other), ("/?state=s%2B1", .other), ("/", .other),
            ("/?code=&state=s%2B1", .other), ("/favicon.ico?code=C&state=s%2B1", .other),
            ("/?code=C&code=D&state=s%2B1", .other), ("/?code=%ZZ&state=s%2B1", .other), ("", .other),
        ] as [(String, OAuth2BrowserLogin.Redirect)])
    func `only a redirect with the right state ends the login`(target: String, expected: OAuth2BrowserLogin.Redirect) {
        #expect(login.redirect(target, path: "/") == expected)
    }

    @Test func `a listener waits for its redirect between other connections`() async throws {
        let listener = try RedirectListener(port: 0)
        let origin = "http://127.0.0.1:\(listener.port)"
        let login = login
        let hasEnded = Atomic(false)
        async let received = onThread {
            defer { hasEnded.store(true, ordering: .relaxed) }
            return try listener.receive(login, path: "/done", until: .now + .seconds(60))
        }
        // Browsers open connections in advance, on which nothing arrives.
        let idle = (0..<20).map { _ in connection(to: listener.port) }
        defer { for descriptor in idle { close(descriptor) } }
        let session = Session()
        for target in ["/favicon.ico", "/done?code=X&state=wrong", "/?code=X&state=s%2B1"] {
            #expect(await session.request(origin + target).serializingString().response.response?.statusCode == 404)
        }
        let isOver = hasEnded.load(ordering: .relaxed)
        #expect(!isOver)
        let page = try await session.request(origin + "/done?code=C&state=s%2B1").serializingString().value
        #expect(page.contains("You can close this window"))
        #expect(try await received == "C")
    }

    /// Returns a connected socket.
    private func connection(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        #expect(isConnected)
        return descriptor
    }

    @Test func `a listener ends with its deadline, and a port has one`() throws {
        let listener = try RedirectListener(port: 0)
        #expect(throws: OAuth2Error.self) { try RedirectListener(port: listener.port) }
        #expect(throws: OAuth2Error.self) { try listener.receive(login, path: "/", until: .now + .milliseconds(50)) }
    }
}
