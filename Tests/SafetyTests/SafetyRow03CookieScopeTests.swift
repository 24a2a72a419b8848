import TestSupport
import Testing

@Suite("Safety 3: cookie scope", .timeLimit(.minutes(5)))
struct SafetyRow03CookieScopeTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// One run of the tool, with a session for all hosts.
    private nonisolated(nonsending) func fetch(
        _ server: LocalServer,
        _ host: String,
        _ path: String = "/",
        options: [String] = []
    ) async throws -> ProgramResult {
        let words = [
            "--session", "./s.json", "http://\(host):\(server.port)\(path)", "--connect-to",
            "::127.0.0.1:\(server.port)",
        ]
        return try await folder.afcli(words + options)
    }

    /// Sets the test's cookie on `/set`, and records the cookies of other requests.
    private func server(_ cookie: String) throws -> LocalServer {
        try LocalServer { $0.path == "/set" ? .ok("set").header("Set-Cookie", cookie) : .ok($0["Cookie"] ?? "none") }
    }

    @Test(arguments: [
        ("a.example.com", "n=v; Domain=com"), ("a.example.co.uk", "n=v; Domain=co.uk"),
        ("a.example.github.io", "n=v; Domain=github.io"), ("a.example.com", "n=v; Domain=other.com"),
        ("a.example.com", "n=v; Domain=b.example.com"), ("a.example.com", "n=v; Domain=ample.com"),
        ("127.0.0.1", "n=v; Domain=0.0.1"), ("127.0.0.1", "n=v; Domain=.1"), ("a.example.com", "n=v; Domain=127.0.0.1"),
        ("a.example.com", "n=v; Secure"), ("a.example.com", "__Secure-n=v; Secure"),
        ("a.example.com", "__Host-n=v; Secure; Path=/"), ("a.example.com", "__Host-n=v; Path=/"),
        ("a.example.com", "n=v; Secure=true"), ("a.example.com", "n=v; secure=\"0\""), ("a.example.com", "=v; Path=/"),
    ])
    func `a cookie that its host may not set is neither stored nor sent`(host: String, cookie: String) async throws {
        let server = try server(cookie)
        #expect(try await fetch(server, host, "/set").text == "set")
        let targets = [host, "b." + host, "example.com", "other.com", "b.example.com", "127.0.0.1"]
        for target in targets where target != "b.127.0.0.1" {
            #expect(try await fetch(server, target).text == "none", "\(target)")
        }
        #expect(try folder.text(of: "s.json").contains("\"cookies\": []"))
    }

    @Test func `a host cookie is sent only to its host, a domain cookie also to subdomains`() async throws {
        let server = try LocalServer { request in
            guard request.path == "/set" else { return .ok(request["Cookie"] ?? "none") }
            return .ok("set").header("Set-Cookie", "own=1").header("Set-Cookie", "shared=2; Domain=example.com")
        }
        #expect(try await fetch(server, "A.Example.COM", "/set").text == "set")
        let expected = [
            ("a.example.com", "own=1; shared=2"), ("b.example.com", "shared=2"), ("example.com", "shared=2"),
            ("badexample.com", "none"), ("a.example.com.evil.org", "none"), ("com", "none"), ("127.0.0.1", "none"),
        ]
        for (host, cookies) in expected {
            let sent = try await fetch(server, host).text.split(separator: "; ").sorted().joined(separator: "; ")
            #expect(sent == cookies, "\(host)")
        }
    }

    @Test func `a dot at the end of a host does not bypass the cookie rules`() async throws {
        let server = try server("n=v; Domain=com.")
        #expect(try await fetch(server, "a.example.com.", "/set").status == 0)
        for host in ["a.example.com", "a.example.com.", "b.example.com", "b.example.com."] {
            #expect(try await fetch(server, host).text == "none", "\(host)")
        }
    }

    @Test func `a host that is a public suffix sets cookies for itself alone`() async throws {
        let server = try server("n=v; Domain=github.io")
        #expect(try await fetch(server, "github.io", "/set").text == "set")
        #expect(try await fetch(server, "github.io").text == "n=v")
        #expect(try await fetch(server, "victim.github.io").text == "none")
    }

    @Test func `headers in a file of a curl command set cookies only for domains of the host`() async throws {
        let server = try server("n=v")
        for (domain, sent) in [("com", "none"), ("example.com", "n=v"), ("other.com", "none")] {
            try folder.write("HTTP/1.1 200 OK\r\nSet-Cookie: n=v; Path=/; Domain=\(domain)\r\n\r\n", to: "heads")
            for (host, sent) in [("a.example.com", sent), ("a.example.com.", "none")] {
                let run = try await folder.afcli(
                    "curl", "-s", "-b", "heads", "http://\(host):\(server.port)/", "--connect-to",
                    "::127.0.0.1:\(server.port)")
                #expect(run.text == sent, "\(host), \(domain): \(run.errorText)")
            }
        }
    }

    @Test func `a line of a file sets no cookie for all hosts of a public suffix`() async throws {
        let server = try server("n=v")
        let lines = ["com", ".com", "co.uk", ".example.com"].map { "\($0)\tTRUE\t/\tFALSE\t0\tn\t\($0)\n" }
        try folder.write(lines.joined(), to: "jar", permissions: 0o600)
        for (host, sent) in [("a.example.com", "n=.example.com"), ("a.other.com", "none"), ("a.example.co.uk", "none")]
        {
            let run = try await folder.afcli(
                "curl", "-s", "-b", "jar", "http://\(host):\(server.port)/", "--connect-to",
                "::127.0.0.1:\(server.port)")
            #expect(run.text == sent, "\(host): \(run.errorText)")
            #expect(try await fetch(server, host, options: ["--cookie-jar", "jar"]).text == sent)
        }
    }

    @Test func `a cookie in clear text overlays no secure one`() async throws {
        let server = try server("login=2; Domain=example.com; Path=/")
        try folder.write(
            """
            {"cookies": [{"name": "login", "value": "1", "domain": "a.example.com", "path": "/", "secure": true}]}
            """, to: "s.json", permissions: 0o600)
        #expect(try await fetch(server, "example.com", "/set").text == "set")
        #expect(try !folder.text(of: "s.json").contains(#""value": "2""#))
    }

    @Test func `a flag on a continued line, or with a value, protects the cookie`() async throws {
        let server = try LocalServer { request in
            guard request.path == "/set" else { return .ok(request["Cookie"] ?? "none") }
            return .ok("set").header("Set-Cookie", "a=1; Path=/;\r\n Secure").header(
                "Set-Cookie", "\r\n b=2; Secure=true")
        }
        // Secure cookies may be set by this machine, also in clear text.
        #expect(try await fetch(server, "localhost", "/set").text == "set")
        let stored = try folder.text(of: "s.json")
        #expect(stored.matches(of: /"secure": true/).count == 2, "\(stored)")
        try folder.write(stored.replacing("localhost", with: "a.example.com"), to: "s.json", permissions: 0o600)
        #expect(try await fetch(server, "a.example.com").text == "none")
    }

    @Test func `a secure cookie of a file is sent only over TLS, with any spelling of the flag`() async throws {
        let server = try server("")
        for flag in ["TRUE", "true", "True"] {
            try folder.write("a.example.com\tFALSE\t/\t\(flag)\t0\tn\tv\n", to: "jar", permissions: 0o600)
            #expect(try await fetch(server, "a.example.com", options: ["--cookie-jar", "jar"]).text == "none")
        }
        for flag in ["1", "\"true\"", "\"yes\""] {
            let cookie = #"{"name": "n", "value": "v", "domain": "a.example.com", "path": "/", "secure": \#(flag)}"#
            try folder.write(#"{"cookies": [\#(cookie)]}"#, to: "s.json", permissions: 0o600)
            #expect(try await fetch(server, "a.example.com").text == "none")
        }
    }

    @Test func `a secure cookie is sent only over TLS`() async throws {
        let certificates = try await TestCertificates.shared
        let directives = """
            location /set { add_header Set-Cookie "n=v; Secure"; add_header Set-Cookie "__Host-h=v; Secure; Path=/";
                add_header Set-Cookie "__Secure-s=v; Secure"; return 200 set; }
            location /bad { add_header Set-Cookie "__Host-d=v; Secure; Path=/; Domain=example.org";
                add_header Set-Cookie "__Host-p=v; Secure; Path=/bad"; add_header Set-Cookie "__Secure-u=v";
                return 200 bad; }
            location / { return 200 "[$http_cookie]"; }
            """
        let clear = try server("")
        try await withNginx(identity: certificates.examples, directives: directives) { nginx in
            func secure(_ path: String) async throws -> String {
                let words = [
                    "--session", "./s.json", "https://example.org:\(nginx.securePort)\(path)", "--cacert",
                    certificates.root, "--connect-to", "::127.0.0.1:\(nginx.securePort)",
                ]
                return try await folder.afcli(words).text
            }
            #expect(try await secure("/set") == "set")
            #expect(try await secure("/bad") == "bad")
            let sent = try await secure("/")
            #expect(Set(sent.dropFirst().dropLast().split(separator: "; ")) == ["n=v", "__Host-h=v", "__Secure-s=v"])
            #expect(try await fetch(clear, "example.org").text == "none")
        }
    }

    @Test func `a session's cookies of other hosts are not sent`() async throws {
        try folder.write(
            """
            {"cookies": [
                {"name": "here", "value": "1", "domain": "a.example.com", "path": "/"},
                {"name": "there", "value": "2", "domain": "b.example.com", "path": "/"},
                {"name": "sealed", "value": "3", "domain": "a.example.com", "path": "/", "secure": true}]}
            """, to: "s.json", permissions: 0o600)
        let server = try server("")
        #expect(try await fetch(server, "a.example.com").text == "here=1")
    }
}
