import AFHTTP
import AFTransport
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CookieTests {
    let transport = CurlTransport()

    /// Sets the cookie given in the percent-encoded query, and responds with the received `Cookie` field.
    private func server() throws -> LocalServer {
        try LocalServer { request in
            let answer = LocalServer.Response.ok(request["Cookie"] ?? "none")
            guard let cookie = request.query else { return answer }
            return answer.header("Set-Cookie", cookie.replacing("%20", with: " "))
        }
    }

    /// Connects every host name to the server: a cookie for a domain needs a name, not an IP address.
    private func fetch(
        _ server: LocalServer,
        _ host: String,
        _ target: String = "/",
        headers: HTTPHeaders = [],
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> String {
        try await transport.fetch("http://\(host):\(server.port)\(target)", headers: headers) { options in
            options.network.connectTo = ["::127.0.0.1:\(server.port)"]
            configure(&options)
        }.text
    }

    @Test func `a cookie without Domain is sent only to the host that set it`() async throws {
        let server = try server()
        #expect(try await fetch(server, "a.example.com", "/?n=v") == "none")
        #expect(try await fetch(server, "a.example.com") == "n=v")
        #expect(try await fetch(server, "b.example.com") == "none")
        #expect(try await fetch(server, "example.com") == "none")
    }

    @Test func `a cookie with Domain is sent to other hosts in that domain`() async throws {
        let server = try server()
        _ = try await fetch(server, "a.example.com", "/?n=v;Domain=example.com")
        #expect(try await fetch(server, "b.example.com") == "n=v")
        #expect(try await fetch(server, "badexample.com") == "none")
    }

    @Test(arguments: [
        ("a.example.com", "n=v;Domain=com"), ("a.example.co.uk", "n=v;Domain=co.uk"),
        ("a.example.com", "n=v;Domain=other.com"), ("a.example.com", "n=v;Domain=b.example.com"),
        ("127.0.0.1", "n=v;Domain=0.0.1"), ("a.example.com", "__Host-n=v;Path=/"),
        ("a.example.com", "__Secure-n=v"), ("a.example.com", "n=v;Secure"),
        ("a.example.com", "n=v;Max-Age=0"), ("a.example.com", "n=v;Expires=Thu,%2001%20Jan%201970%2000:00:00%20GMT"),
    ])
    func `an expired cookie or one that the host may not set is not stored`(host: String, cookie: String) async throws {
        let server = try server()
        _ = try await fetch(server, host, "/?\(cookie)")
        #expect(try await fetch(server, host) == "none")
        #expect(await transport.cookies().isEmpty)
    }

    @Test func `a secure cookie is not sent over plain HTTP`() async throws {
        transport.setCookies([HTTPCookie(name: "n", value: "v", domain: "a.example.com", isSecure: true)])
        let server = try server()
        #expect(try await fetch(server, "a.example.com") == "none")
    }

    @Test func `cookies can be listed, set and deleted as HTTPCookie values`() async throws {
        let server = try server()
        let later = Date(timeIntervalSince1970: 4_000_000_000)
        let typed = HTTPCookie(name: "typed", value: "1", domain: "a.example.com", path: "/", expiresDate: later)
        transport.setCookies([typed])
        #expect(try await fetch(server, "a.example.com", "/?served=2") == "typed=1")
        let listed = await transport.cookies()
        #expect(listed.contains(typed))
        #expect(Set(listed.map(\.name)) == ["typed", "served"])
        transport.setCookies([HTTPCookie(name: "typed", value: "3", domain: "a.example.com", expiresDate: later)])
        #expect(await transport.cookies().filter { $0.name == "typed" }.map(\.value) == ["3"])
        transport.deleteAllCookies()
        #expect(await transport.cookies().isEmpty)
        #expect(try await fetch(server, "a.example.com") == "none")
    }

    @Test func `cookies are shared by transfers that share no connection`() async throws {
        let server = try server()
        _ = try await fetch(server, "a.example.com", "/?n=v") { $0.tls.verifiesHost = false }
        #expect(try await fetch(server, "a.example.com") == "n=v")
    }

    @Test func `each transport has its own cookies`() async throws {
        let server = try server()
        _ = try await fetch(server, "a.example.com", "/?n=v")
        #expect(await CurlTransport().cookies().isEmpty)
    }

    @Test func `a transfer without cookies neither sends nor stores any on a reused handle`() async throws {
        let server = try server()
        _ = try await fetch(server, "a.example.com", "/?n=v")
        for _ in 0..<3 {
            #expect(try await fetch(server, "a.example.com", "/?m=w") { $0.handlesCookies = false } == "none")
        }
        #expect(try await fetch(server, "a.example.com") == "n=v")
    }

    @Test func `a Cookie field set by the caller is merged with the stored cookies into one field`() async throws {
        let server = try server()
        _ = try await fetch(server, "a.example.com", "/?n=v")
        var headers = HTTPHeaders()
        headers.append(name: "cookie", value: "a=b")
        headers.append(name: "Cookie", value: "c=d")
        #expect(try await fetch(server, "a.example.com", headers: headers) == "n=v; a=b; c=d")
        #expect(server.requests.last?.values(for: "Cookie").count == 1)
        let alone = try await fetch(server, "a.example.com", headers: headers) { $0.handlesCookies = false }
        #expect(alone == "a=b; c=d")
    }
}
