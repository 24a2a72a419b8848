import Synchronization
import TestSupport
import Testing

@Suite("Safety 26: secrets that a session stores", .timeLimit(.minutes(5)))
struct SafetyRow26SessionSecretsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Prints the request of a session, and stores the typed values.
    private nonisolated(nonsending) func offline(
        _ url: String,
        _ words: String...,
        session: String = "./s.json"
    ) async throws -> ProgramResult {
        try await folder.afcli(
            ["--offline", "--show-secrets", "--session", session, url] + words,
            variables: ["AFCLI_CONFIG_DIR": folder.file("config")])
    }

    @Test func `a typed cookie is sent only to its own server`() async throws {
        let other = try LocalServer { .ok($0["Cookie"] ?? "none") }
        try await withServer {
            .ok($0["Cookie"] ?? "none")
        } _: { server in
            let session = ["-b", "--session", "./s.json"]
            #expect(try await folder.afcli(session + [server.url(), "Cookie:sid=s3cret"]).text == "sid=s3cret")
            #expect(try await folder.afcli(session + [server.url()]).text == "sid=s3cret")
            let named = other.url().replacing("127.0.0.1", with: "localhost")
            for url in [other.url(), named] {
                for option in ["--session", "--session-read-only"] {
                    let run = try await folder.afcli("-b", option, "./s.json", url)
                    #expect(run.text == "none")
                    #expect(run.errorText.contains("the session's Cookie belongs to \(server.url(""))"))
                    #expect(!run.errorText.contains("s3cret"))
                }
                let trusting = try await folder.afcli(session + ["--trust-redirects", url])
                #expect(trusting.text == "sid=s3cret", "\(url) \(trusting.errorText)")
            }
            // Each server has its own.
            #expect(try await folder.afcli(session + [other.url(), "Cookie:sid=other"]).text == "sid=other")
            for (url, cookie) in [(server.url(), "sid=s3cret"), (other.url(), "sid=other")] {
                let run = try await folder.afcli(session + [url])
                #expect(run.text == cookie && run.errorText.isEmpty, "\(run.errorText)")
            }
            // No warning if a cookie of another name was typed for this server.
            let third = try LocalServer { .ok($0["Cookie"] ?? "none") }
            for cookie in [["Cookie:mine=1"], []] {
                let run = try await folder.afcli(session + [third.url()] + cookie)
                #expect(run.text == "mine=1" && run.errorText.isEmpty, "\(run.errorText)")
            }
        }
    }

    static let changes = [
        ("http://a.test", "https://a.test", true), ("http://a.test:81", "https://a.test:81", true),
        ("https://a.test", "http://a.test", false), ("https://a.test:81", "http://a.test:81", false),
        ("http://a.test", "http://a.test:81", false), ("https://a.test", "https://a.test:444", false),
        ("http://a.test", "http://b.test", false), ("http://a.test", "http://sub.a.test", false),
    ]

    @Test(arguments: changes, ["./s.json", "name"])
    func `cookies and secret header fields are sent to the same host over TLS, not to other origins`(
        change: (first: String, second: String, isAllowed: Bool),
        session: String
    ) async throws {
        // Another host has a file of its own under a name.
        let typed = try await offline(change.first, "Cookie:sid=s3cret", "X-Authentication:s3cret", session: session)
        #expect(typed.text.contains("Cookie: sid=s3cret"), "\(typed.errorText)")
        let run = try await offline(change.second, session: session)
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.text.contains("Cookie: sid=s3cret") == change.isAllowed, "\(run.text)")
        #expect(run.text.contains("X-Authentication: s3cret") == change.isAllowed, "\(run.text)")
        #expect(try await offline(change.first, session: session).text.contains("Cookie: sid=s3cret"))
    }

    @Test func `a redirect sends a typed cookie to no other port, and the session stores it`() async throws {
        let other = try LocalServer { .redirect(to: ($0.query ?? "") + "/back") }
        try await withServer { request in
            guard request.path == "/" else { return .ok(request["Cookie"] ?? "none") }
            return .redirect(to: other.url("/?http://\(request["Host"] ?? "")")).header("Set-Cookie", "own=1; Path=/")
        } _: { server in
            let session = ["-b", "-L", "--session", "./s.json", server.url()]
            for words in [session + ["Cookie:sid=s3cret"], session] {
                #expect(try await folder.afcli(words).text == "own=1")
                #expect(other.requests.last?["Cookie"] == "own=1")
            }
            let first = server.requests.filter { $0.path == "/" }
            #expect(first.count == 2 && first.allSatisfy { $0["Cookie"]?.contains("sid=s3cret") == true })
            let trusting = try await folder.afcli(session + ["--trust-redirects"])
            #expect(trusting.text.contains("sid=s3cret"), "\(trusting.errorText)")
            #expect(other.requests.last?["Cookie"]?.contains("sid=s3cret") == true)
        }
    }

    @Test func `a cookie for the typed Host is sent to no other server of that name`() async throws {
        let other = try LocalServer { .ok($0["Cookie"] ?? "none") }
        try await withServer { request in
            request.path == "/" ? .ok(request["Cookie"] ?? "none") : .redirect(to: "http://name.test:\(other.port)/")
        } _: { (server) async throws in
            let session = ["-b", "-L", "--session", "./s.json", "--resolve", "name.test:\(other.port):127.0.0.1"]
            for cookie in [["Cookie:sid=s3cret"], []] {
                let words = ["Host:name.test"] + cookie
                #expect(try await folder.afcli(session + [server.url()] + words).text == "sid=s3cret")
                let redirected = try await folder.afcli(session + [server.url("/there")] + words)
                #expect(redirected.text == "none", "\(redirected.errorText)")
                #expect(server.requests.last?["Cookie"] == "sid=s3cret")
            }
            #expect(other.requests.count == 2)
            #expect(try folder.text(of: "s.json").contains("\"domain\": \"name.test\""))
        }
    }

    @Test func `a retry sends a typed cookie to its origin again`() async throws {
        let other = try LocalServer { _ in .status(503) }
        let isRetry = Mutex(false)
        try await withServer { request in
            defer { isRetry.withLock { $0.toggle() } }
            return isRetry.withLock(\.self) ? .ok(request["Cookie"] ?? "none") : .redirect(to: other.url("/"))
        } _: { server in
            for words in [["Cookie:sid=s3cret"], []] {
                let run = try await folder.afcli(
                    ["-b", "-L", "--retry", "2", "--session", "./s.json", server.url("/")] + words)
                #expect(run.text == "sid=s3cret", "\(run.errorText)")
            }
            #expect(other.requests.allSatisfy { $0["Cookie"] == nil })
        }
    }

    @Test func `a cookie typed for TLS is not sent in clear text after a redirect`() async throws {
        let certificates = try await TestCertificates.shared
        let clear = try LocalServer { .ok("[\($0["Cookie"] ?? "")]") }
        let directives = "location / { return 302 http://example.org:$server_port/; }"
        try await withNginx(identity: certificates.examples, directives: directives) { nginx in
            let run = try await folder.afcli(
                "-b", "-L", "--allow-downgrade", "--cacert", certificates.root, "--proxy", "http:\(clear.url())",
                "https://example.org:\(nginx.securePort)/", "--resolve", "example.org:\(nginx.securePort):127.0.0.1",
                "--session", "./s.json", "Cookie:sid=s3cret")
            #expect(run.text == "[]", "\(run.errorText)")
        }
    }

    @Test func `HTTPie reads the file, and sends its cookies to their host only`() async throws {
        _ = try await offline("https://a.test:444", "Cookie:sid=s3cret")
        let text = try folder.text(of: "s.json")
        // HTTPie rejects other members of a cookie; it ignores those in `rest`.
        let cookie = """
                    {
                        "domain": "a.test",
                        "expires": null,
                        "name": "sid",
                        "path": "/",
                        "rest": {
                            "origin": "https://a.test:444"
                        },
                        "secure": true,
                        "value": "s3cret"
                    }
            """
        #expect(text.contains(cookie), "\(text)")
    }

    @Test func `a session of HTTPie without origins is used as in HTTPie`() async throws {
        let cookies = """
            {"cookies": [{"name": "a", "value": "1", "domain": ""}, {"name": "b", "value": "2", "domain": null},
                         {"name": "c", "value": "3", "domain": "a.test"}],
             "headers": [{"name": "Cookie", "value": "d=4"}]}
            """
        try folder.write(cookies, to: "s.json", permissions: 0o600)
        #expect(try await offline("http://a.test").text.contains("Cookie: a=1; b=2; c=3; d=4"))
        #expect(try await offline("http://b.test").text.contains("Cookie: a=1; b=2; d=4"))
    }

    @Test(arguments: [
        "Authentication", "X-Authentication", "x-user-authentication", "X-Auth", "X-Auth-Key", "X-Authorization",
        "Proxy-Authentication",
    ])
    func `header fields with these names are secret`(name: String) async throws {
        let other = try LocalServer { .ok($0[name] ?? "none") }
        try await withServer { request in
            request.path == "/" ? .ok(request[name] ?? "none") : .redirect(to: other.url())
        } _: { server in
            let item = "\(name):s3cret"
            #expect(try await folder.afcli("-b", "--session", "./s.json", server.url(), item).text == "s3cret")
            #expect(try await folder.afcli("-b", "--session", "./s.json", server.url()).text == "s3cret")
            let elsewhere = try await folder.afcli("-b", "--session", "./s.json", other.url())
            #expect(elsewhere.text == "none")
            #expect(elsewhere.errorText.contains("the session's \(name) belongs to"))
            #expect(try await folder.afcli("-b", "-L", server.url("/there"), item).text == "none")
            let records = try await folder.afcli("--report", "r.json", "--har", "h.har", server.url(), item)
            #expect(records.status == 0)
            for file in ["r.json", "h.har"] { #expect(try !folder.text(of: file).contains("s3cret"), "\(file)") }
            #expect(try await !folder.afcli("--curl", server.url(), item).text.contains("s3cret"))
        }
    }
}
