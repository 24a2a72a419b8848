import AFCore
import TestSupport
import Testing

@Suite("Safety 18: redirect schemes", .timeLimit(.minutes(5)))
struct SafetyRow18RedirectSchemesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [
        "ftp://127.0.0.1/x", "file:///etc/passwd", "FILE:///etc/passwd", "gopher://127.0.0.1/x", "dict://127.0.0.1/x",
        "data:text/plain,x", "javascript:alert(1)", "ldap://127.0.0.1/", "scp://127.0.0.1/etc/passwd",
        "ws://127.0.0.1/",
    ])
    func `a redirect to another scheme is refused`(location: String) async throws {
        try await withServer { _ in
            .redirect(to: location)
        } _: { server in
            let run = try await folder.afcli("-b", "-L", server.url())
            #expect(run.status == 6, "\(run.errorText)")
            #expect(run.errorText.contains("only http and https are followed"), "\(run.errorText)")
            #expect(!run.text.contains("root:"))
            let stored = try await folder.afcli("-L", "-o", "f", server.url())
            #expect(stored.status == 6 && !folder.has("f"), "\(stored.errorText)")
            let session = Session()
            let error = await session.request(server.url()).serializingData().response.error
            guard case .unsupportedScheme? = (error?.underlyingError as? RedirectFailure)?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a typed URL with such a scheme is rejected, too`() async throws {
        try folder.write("file://\(folder.path)/list\nhttp://127.0.0.1:1/\n", to: "list")
        let lists = [
            ["ftp://127.0.0.1/"], ["file:///etc/passwd"], ["--default-scheme", "file", "etc"],
            ["-d", "--input", "list"],
        ]
        for words in lists { #expect(try await folder.afcli(words).status == 64, "\(words)") }
    }

    @Test(arguments: [[], ["--http1.1"]])
    func `a redirect from https to http is followed only with an option`(options: [String]) async throws {
        let clear = try LocalServer { _ in .ok("clear") }
        let directives = """
            location = / { return 302 http://127.0.0.1:\(clear.port)/; }
            location /through { return 302 /; }
            """
        try await withNginx(directives: directives) { nginx in
            for path in ["/", "/through"] {
                let words = ["-b", "-L", "--cacert", nginx.root, nginx.secureURL(path)] + options
                for more in [[], ["--trust-redirects"], ["-d", "-o", "f"]] {
                    let refused = try await folder.afcli(words + more)
                    #expect(refused.status == 6, "\(refused.errorText)")
                    #expect(refused.errorText.contains("the server redirects from https to http"))
                    #expect(refused.errorText.contains("--allow-downgrade"))
                }
                #expect(clear.requests.isEmpty)
            }
            let words = ["-b", "-L", "--cacert", nginx.root, nginx.secureURL(), "--allow-downgrade"] + options
            #expect(try await folder.afcli(words).text == "clear")
        }
    }

    @Test func `a redirect handler cannot redirect to http either`() async throws {
        let clear = try LocalServer { _ in .ok("clear") }
        try await withNginx(directives: "location / { return 302 /x; }") { nginx in
            var configuration = SessionConfiguration()
            configuration.tls.authorities = .file(nginx.root)
            let url = clear.url()
            let handler = Redirector.modify { _, request, _ in try? URLRequest(url: url, method: request.method ?? .get)
            }
            let session = Session(configuration: configuration, redirectHandler: handler)
            let error = await session.request(nginx.secureURL()).serializingData().response.error
            #expect((error?.underlyingError as? RedirectFailure)?.reason == .downgrade)
            #expect(clear.requests.isEmpty)
        }
    }
}
