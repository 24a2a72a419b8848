import TestSupport
import Testing

@Suite("Safety 20: method and body", .timeLimit(.minutes(5)))
struct SafetyRow20MethodAndBodyTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The source of a request body.
    static let bodies: [[String]] = [
        ["--raw", "the body"], ["--raw", "@body"], ["a=b"], ["-f", "a=b"], ["-F", "f=@body"],
        ["--chunked", "--raw", "x"],
        ["-x", "--raw", String(repeating: "x", count: 1000)],
    ]

    @Test(arguments: [301, 302, 303], bodies)
    func `a POST redirected as GET has no body and no header fields of a body`(status: Int, body: [String]) async throws
    {
        try folder.write("the body", to: "body")
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x", status: status) : .ok()
        } _: { server in
            let typed = ["Content-Language:de", "X-Plain:p"]
            #expect(try await folder.afcli(["-L", "post", server.url()] + body + typed).status == 0)
            let (first, second) = (try #require(server.requests.first), try #require(server.requests.last))
            #expect(first.method == "POST" && first.bodyLength > 0)
            #expect(second.method == "GET" && second.bodyLength == 0 && second.path == "/x")
            let names = second.headers.map { $0.name.lowercased() }
            #expect(
                !names.contains { $0.hasPrefix("content-") || $0 == "transfer-encoding" || $0 == "expect" }, "\(names)")
            #expect(second["X-Plain"] == "p")
        }
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH"])
    func `a 303 changes every method to GET, a 301 or 302 only POST`(method: String) async throws {
        for (status, expected) in [(301, method), (302, method), (303, "GET")] {
            try await withServer {
                $0.path == "/" ? .redirect(to: "/x", status: status) : .ok()
            } _: { (server) async throws in
                #expect(try await folder.afcli("-L", "-X", method, server.url(), "--raw", "the body").status == 0)
                #expect(server.requests.last?.method == expected)
                #expect(server.requests.last?.text == (expected == "GET" ? "" : "the body"))
            }
        }
    }

    @Test(arguments: [307, 308], bodies)
    func `307 and 308 repeat the method and the body`(status: Int, body: [String]) async throws {
        try folder.write("the body", to: "body")
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x", status: status) : .ok()
        } _: { server in
            #expect(try await folder.afcli(["-L", "post", server.url()] + body).status == 0)
            let (first, second) = (try #require(server.requests.first), try #require(server.requests.last))
            #expect(second.method == "POST" && second.path == "/x")
            #expect(second.body == first.body && !first.body.isEmpty)
            #expect(second["Content-Type"] == first["Content-Type"])
            #expect(second["Content-Encoding"] == first["Content-Encoding"])
        }
    }

    /// Responses that require the body again.
    static let again: [(LocalServer.Response, [String])] = [
        (.redirect(to: "/x", status: 307), ["-L"]), (.redirect(to: "/x", status: 308), ["-L"]),
        (.redirect(to: "/x", status: 302), ["-L", "--post302"]),
        (
            .status(401).header("WWW-Authenticate", DigestLogin().challenge()),
            ["-A", "digest", "-a", "ada:open sesame"]
        ),
        (.status(503), ["--retry", "2", "--retry-delay", "1ms", "--retry-unsafe"]),
    ]

    @Test(arguments: again.indices)
    func `a body that can be read only once is not sent in part`(index: Int) async throws {
        let (answer, options) = Self.again[index]
        let body = String(repeating: "only once ", count: 200_000)
        try await withServer { _ in
            answer
        } _: { server in
            let words = ["-b", "post", server.url("/")] + options
            let run = try await folder.afcli(words, input: .text(body))
            #expect(run.status != 0, "\(run.errorText)")
            // A response that requires the body again is a response; a redirect that cannot be followed is an error.
            #expect([4, 5].contains(run.status) || run.errorText.contains("read only once"), "\(run.errorText)")
            // The first request has all of it, and there is no other that has a part.
            #expect(server.requests.filter { $0.bodyLength > 0 }.map(\.bodyLength) == [body.utf8.count])
            #expect(!server.requests.contains { $0.path == "/x" })
        }
    }

    @Test func `a body that can be read again is sent again completely`() async throws {
        let login = DigestLogin()
        let body = String(repeating: "again and again ", count: 100_000)
        try folder.write(body, to: "body")
        try await withServer { request in
            login.accepts(request)
                ? .ok("\(request.bodyLength)") : .status(401).header("WWW-Authenticate", login.challenge())
        } _: { (server) async throws in
            let words = ["-b", "post", server.url(), "--raw", "@body", "-A", "digest", "-a", "ada:open sesame"]
            #expect(try await folder.afcli(words).text == "\(body.utf8.count)")
        }
    }
}
