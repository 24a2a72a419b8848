import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
    @Test func `a redirect is the response unless it is followed`() async throws {
        try await withServer {
            $0.path == "/" ? .redirect(to: "/there") : .ok("here")
        } _: { server in
            let stays = await runTool(server.url())
            #expect(stays.status == 3)
            #expect(stays.messages.first == "afcli: the server responded with 302 Found; --follow follows it")
            #expect(stays.messages.last == "  | Location: /there")
            let follows = await runTool("-L", server.url())
            #expect(follows.status == 0)
            #expect(follows.output == "here")
            #expect(follows.errors.isEmpty)
        }
    }

    @Test func `a redirect is followed with any end of its body`() async throws {
        let certificates = try await TestCertificates.shared
        try await withServer {
            $0.path == "/" ? .raw("HTTP/1.1 302 Found\r\nLocation: /there\r\n\r\nmoved") : .ok("here")
        } _: { server in
            // Closes connections without close_notify, so that the end of the body is unknown.
            let front = try TLSFront(to: server.port, identity: certificates.server)
            let url = "https://localhost:\(front.port)/"
            #expect(await runTool("--cacert", certificates.root, url).status == 13)
            let run = await runTool("-L", "--cacert", certificates.root, url)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "here")
        }
    }

    @Test func `secrets are not sent to another origin, nor after a redirect back`() async throws {
        let words = [
            "-L", "-a", "ada:secret", "Cookie:a=1", "X-Api-Key:k", "X-Plain:p",
        ]
        let other = try LocalServer { .redirect(to: ($0.query ?? "") + "/back") }
        try await withServer { request in
            request.path == "/" ? .redirect(to: other.url("/?http://\(request["Host"] ?? "")")) : .ok("back")
        } _: { server in
            #expect(await runTool([server.url()] + words).output == "back")
            for request in [other.requests.first, server.requests.last] {
                let request = try #require(request)
                #expect(request["Authorization"] == nil)
                #expect(request["Cookie"] == nil)
                #expect(request["X-Api-Key"] == nil)
                #expect(request["X-Plain"] == "p")
            }
            #expect(await runTool([server.url(), "--trust-redirects"] + words).output == "back")
            #expect(other.requests.last?["Authorization"] == "Basic YWRhOnNlY3JldA==")
            #expect(other.requests.last?["Cookie"] == "a=1")
        }
    }

    @Test func `secrets are sent with redirects within their origin`() async throws {
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x") : .ok()
        } _: { server in
            #expect(await runTool("-L", "-a", "ada:secret", server.url(), "Cookie:a=1").status == 0)
            #expect(server.requests.last?["Authorization"] == "Basic YWRhOnNlY3JldA==")
            #expect(server.requests.last?["Cookie"] == "a=1")
        }
    }

    @Test(arguments: [(301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "b"), (308, "POST", "b")])
    func `a POST changes its method as the redirect requires`(status: Int, method: String, body: String) async throws {
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x", status: status) : .ok()
        } _: { server in
            #expect(await runTool("-L", "post", server.url(), "--raw", "b").status == 0)
            #expect(server.requests.last?.method == method)
            #expect(server.requests.last?.text == body)
            #expect((server.requests.last?["Content-Type"] == nil) == body.isEmpty)
        }
    }

    @Test func `a POST can be preserved with an option`() async throws {
        for status in [301, 302, 303] {
            try await withServer {
                $0.path == "/" ? .redirect(to: "/x", status: status) : .ok()
            } _: { server in
                #expect(await runTool("-L", "--post\(status)", "post", server.url(), "--raw", "b").status == 0)
                #expect(server.requests.last?.method == "POST")
                #expect(server.requests.last?.text == "b")
            }
        }
    }

    @Test func `too many redirects are an error`() async throws {
        try await withServer { _ in
            .redirect(to: "/")
        } _: { server in
            let run = await runTool("-L", "--max-redirects", "3", server.url())
            #expect(run.status == 6)
            #expect(
                run.errors == """
                    afcli: error: the redirect limit of 3 is exceeded
                      check the redirects with --all; --max-redirects allows more

                    """
            )
            #expect(server.requests.count == 4)
        }
    }

    @Test(arguments: [
        ("ftp://127.0.0.1/", "the server redirects to 'ftp:', and only http and https are followed"),
        ("file:///etc/passwd", "the server redirects to 'file:', and only http and https are followed"),
        ("http://[", "the server redirects to 'http://[', which is not a valid URL"),
    ])
    func `a redirect to an unsupported URL is rejected`(target: String, sentence: String) async throws {
        try await withServer { _ in
            .redirect(to: target)
        } _: { server in
            let run = await runTool("-L", server.url())
            #expect(run.status == 6)
            #expect(run.messages.first == "afcli: error: \(sentence)")
            #expect(run.messages.count == 2)
        }
    }

    @Test func `a redirect from https to http has to be allowed`() async throws {
        let clear = try LocalServer { _ in .ok("clear") }
        let directives = "location /down { return 302 http://127.0.0.1:\(clear.port)/; }"
        try await withNginx(directives: directives) { nginx in
            let refused = await runTool("-L", "--cacert", nginx.root, nginx.secureURL("/down"))
            #expect(refused.status == 6)
            #expect(refused.messages.first == "afcli: error: the server redirects from https to http")
            #expect(clear.requests.isEmpty)
            let allowed = await runTool("-L", "--allow-downgrade", "--cacert", nginx.root, nginx.secureURL("/down"))
            #expect(allowed.output == "clear")
        }
    }

    @Test func `a rejected redirect is shown`() async throws {
        try await withServer { _ in
            .redirect(to: "/x")
        } _: { server in
            let run = await runTool("-L", "-v", "--max-redirects", "1", server.url())
            #expect(run.status == 6)
            let lines = run.output.split(separator: "\r\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("HTTP") }
            #expect(lines == ["GET / HTTP/1.1", "HTTP/1.1 302 Found", "GET /x HTTP/1.1", "HTTP/1.1 302 Found"])
        }
    }

    @Test func `every hop is shown over HTTP 2, too`() async throws {
        try await withNginx(files: ["x": .text("end")], directives: "location /r { return 302 /x; }") { nginx in
            let run = await runTool("-L", "-v", "--cacert", nginx.root, nginx.secureURL("/r"))
            let lines = run.output.split(whereSeparator: \.isNewline).filter { $0.contains("HTTP/2") }
            #expect(lines == ["GET /r HTTP/2", "HTTP/2 302 ", "GET /x HTTP/2", "HTTP/2 200 "])
            #expect(run.output.hasSuffix("\r\n\r\nend"))
        }
    }

    @Test func `every hop is shown with --all`() async throws {
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x") : .ok("end")
        } _: { server in
            let run = await runTool("-L", "--all", "-p", "Hh", server.url())
            let lines = run.output.split(separator: "\r\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("HTTP") }
            #expect(lines == ["GET / HTTP/1.1", "HTTP/1.1 302 Found", "GET /x HTTP/1.1", "HTTP/1.1 200 OK"])
            let last = await runTool("-L", "-p", "Hh", server.url())
            #expect(last.output.hasPrefix("GET /x HTTP/1.1\r\n"))
            #expect(!last.output.contains("302"))
        }
    }
}
