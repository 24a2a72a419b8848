import TestSupport
import Testing

@testable import AFCommand

/// The data of a session stays at its origin.
@Suite(.timeLimit(.minutes(5))) struct SessionRedirectTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func session(auth kind: String = "basic") throws -> String {
        try folder.write(
            """
            {"auth": {"type": "\(kind)", "raw_auth": "ada:secret"},
             "headers": [{"name": "X-Api-Key", "value": "k"}, {"name": "X-Plain", "value": "p"}],
             "cookies": [{"name": "loose", "value": "1"},
                         {"name": "bound", "value": "2", "domain": "127.0.0.1", "path": "/"}]}
            """,
            to: "s.json"
        )
    }

    @Test(arguments: ["basic", "bearer"])
    func `a session's credentials, secret headers and hostless cookies are not sent to redirects`(kind: String)
        async throws
    {
        let path = try session(auth: kind)
        let other = try LocalServer { .redirect(to: ($0.query ?? "") + "/back") }
        try await withServer { request in
            let elsewhere = "http://localhost:\(other.port)/?http://\(request["Host"] ?? "")"
            return request.path == "/" ? .redirect(to: elsewhere) : .ok("back")
        } _: { server in
            let run = await runTool("-L", "--session", path, server.url())
            #expect(run.output == "back", "\(run.errors)")
            let first = try #require(server.requests.first)
            #expect(first["Authorization"] != nil && first["X-Api-Key"] == "k")
            #expect(first["Cookie"] == "loose=1; bound=2")
            for request in [other.requests.first, server.requests.last] {
                let request = try #require(request)
                #expect(request["Authorization"] == nil)
                #expect(request["X-Api-Key"] == nil)
                #expect(request["X-Plain"] == "p")
            }
            #expect(other.requests.first?["Cookie"] == nil)
            _ = await runTool("-L", "--trust-redirects", "--session", path, server.url())
            #expect(other.requests.last?["Authorization"] == first["Authorization"])
            #expect(other.requests.last?["X-Api-Key"] == "k")
        }
    }

    @Test func `cookies are for the typed Host, as shown offline and sent`() async throws {
        try await withServer {
            .ok($0["Cookie"] ?? "none").header("Set-Cookie", "set=2; Domain=name.test")
        } _: { server in
            let words = ["--session", folder.file("s.json"), server.url(), "Host:www.name.test:81"]
            #expect(await runTool(words + ["Cookie:typed=1"]).output == "typed=1")
            #expect(await runTool(words).output == "typed=1; set=2")
            #expect(
                await runTool(["--offline", "--show-secrets"] + words).output.contains("Cookie: typed=1; set=2\r\n"))
            // Another name has only the cookies of its domain.
            let other = ["--session", folder.file("s.json"), server.url(), "Host:name.test"]
            #expect(await runTool(other).output == "set=2")
            #expect(await runTool(["--offline", "--show-secrets"] + other).output.contains("Cookie: set=2\r\n"))
            // A typed cookie replaces the one of the same host only.
            #expect(await runTool(other + ["Cookie:typed=3"]).output == "set=2; typed=3")
            #expect(await runTool(words).output.contains("typed=1"))
        }
    }

    @Test func `netrc is not used for other origins, also with a session`() async throws {
        let netrc = try folder.write("default login ada password secret\n", to: "netrc", permissions: 0o600)
        let other = try LocalServer { _ in .ok() }
        try await withServer { _ in
            .redirect(to: other.url())
        } _: { server in
            let words = ["-L", "--netrc-file", netrc, "--session", folder.file("n.json"), server.url()]
            #expect(await runTool(words).status == 0)
            #expect(server.requests.first?["Authorization"] == "Basic YWRhOnNlY3JldA==")
            #expect(other.requests.first?["Authorization"] == nil)
            let session = try SessionFile(folder.bytes(of: "n.json"))
            #expect(session.login == nil)
        }
    }

    @Test func `a session's digest credentials are not used for other origins`() async throws {
        let path = try session(auth: "digest")
        let other = try LocalServer { _ in
            .status(401).header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        }
        try await withServer { _ in
            .redirect(to: other.url())
        } _: { server in
            #expect(await runTool("-L", "--session", path, server.url()).status == 4)
            #expect(other.requests.count == 1)
            #expect(other.requests.first?["Authorization"] == nil)
        }
    }

    @Test func `cookies set by redirects are stored for their hosts`() async throws {
        let path = folder.file("s.json")
        let other = try LocalServer { _ in .ok().header("Set-Cookie", "there=2; Path=/") }
        let place = other.url().replacing("127.0.0.1", with: "localhost")
        try await withServer { _ in
            .redirect(to: place).header("Set-Cookie", "here=1; Path=/")
        } _: { server in
            #expect(await runTool("-L", "--session", path, server.url()).status == 0)
            let cookies = try SessionFile(folder.bytes(of: "s.json")).cookies
            #expect(Set(cookies.map { "\($0.name) \($0.domain ?? "")" }) == ["here 127.0.0.1", "there localhost"])
        }
    }

    @Test func `typed cookies of a session are sent only to their host`() async throws {
        let path = folder.file("s.json")
        let other = try LocalServer { _ in .ok() }
        let place = other.url().replacing("127.0.0.1", with: "localhost")
        try await withServer { request in
            request.path == "/" ? .redirect(to: "/again") : .redirect(to: place)
        } _: { server in
            #expect(await runTool("-L", "--session", path, server.url(), "Cookie:a=1").status == 0)
            #expect(server.requests.map { $0["Cookie"] } == ["a=1", "a=1"])
            #expect(other.requests.first?["Cookie"] == nil)
        }
    }

    @Test func `the limit of redirects counts hops, and none may be allowed`() async throws {
        try await withServer { request in
            request.path == "/3" ? .ok("end") : .redirect(to: "/\((Int(request.path.dropFirst()) ?? 0) + 1)")
        } _: { server in
            #expect(await runTool("-L", "--max-redirects=3", server.url()).output == "end")
            #expect(await runTool("-L", "--max-redirects=2", server.url()).status == 6)
            #expect(await runTool("-L", "--max-redirects=0", server.url()).status == 6)
            #expect(await runTool("--max-redirects=0", server.url("/3")).status == 0)
        }
    }
}
