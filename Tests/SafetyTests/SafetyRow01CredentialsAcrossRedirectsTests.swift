import AFCore
import TestSupport
import Testing

@Suite("Safety 1: credentials across redirects", .timeLimit(.minutes(5)))
struct SafetyRow01CredentialsAcrossRedirectsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// All kinds of credentials, each with text that must not be forwarded.
    static let secrets: [(words: [String], sent: String)] = [
        (["-a", "ada:s3cret"], "Authorization: Basic YWRhOnMzY3JldA=="),
        (["-A", "bearer", "-a", "s3cret"], "Authorization: Bearer s3cret"),
        (["Authorization:Custom s3cret"], "Authorization: Custom s3cret"),
        (["--netrc-file", "netrc"], "Authorization: Basic YWRhOnMzY3JldA=="),
        (["--session", "./kept.json"], "Authorization: Basic YWRhOnMzY3JldA=="),
        (["Cookie:sid=s3cret"], "Cookie: sid=s3cret"),
        (["Proxy-Authorization:Basic s3cret"], "Proxy-Authorization: Basic s3cret"),
        (["X-Api-Key:s3cret"], "X-Api-Key: s3cret"),
        (["X-Vault-Token:s3cret"], "X-Vault-Token: s3cret"),
        (["X-Client-Secret:s3cret"], "X-Client-Secret: s3cret"),
    ]

    /// Where a redirect may lead from `http://127.0.0.1:PORT`: to another port, or to another name of this machine.
    enum Change: CaseIterable { case port, host }

    private func writeLogins() throws {
        try folder.write("machine 127.0.0.1 login ada password s3cret\n", to: "netrc", permissions: 0o600)
        let session = #"{"auth": {"type": "basic", "raw_auth": "ada:s3cret"}, "cookies": [], "headers": []}"#
        try folder.write(session, to: "kept.json", permissions: 0o600)
    }

    @Test(arguments: secrets, Change.allCases)
    func `no credentials are sent to another origin, nor back from there`(
        secret: (words: [String], sent: String),
        change: Change
    ) async throws {
        try writeLogins()
        let other = try LocalServer { .redirect(to: ($0.query ?? "") + "/back") }
        try await withServer { request in
            let home = "http://\(request["Host"] ?? "")"
            switch (request.path, change) {
            case ("/", .port): return .redirect(to: other.url("/there?\(home)"))
            case ("/", .host):
                return .redirect(to: home.replacing("127.0.0.1", with: "localhost") + "/there?\(home)")
            case ("/there", _): return .redirect(to: (request.query ?? "") + "/back")
            default: return .ok("back")
            }
        } _: { server in
            let words = ["-b", "-L", server.url()] + secret.words + ["X-Plain:p"]
            let run = try await folder.afcli(words)
            #expect(run.text == "back", "\(run.errorText)")
            let all = server.requests + other.requests
            #expect(server.requests.first?.headText.contains("\r\n\(secret.sent)\r\n") == true)
            #expect(all.filter { $0.headText.contains(secret.sent) }.count == 1)
            #expect(all.count == 3 && all.allSatisfy { $0["X-Plain"] == "p" })
            // Requested forwarding works.
            let trusting = try await folder.afcli(words + ["--trust-redirects"])
            #expect(trusting.text == "back", "\(trusting.errorText)")
            #expect((server.requests + other.requests).filter { $0.headText.contains(secret.sent) }.count == 4)
        }
    }

    @Test func `another scheme is another origin`() async throws {
        let certificates = try await TestCertificates.shared
        let clear = try LocalServer { _ in .ok("clear") }
        let directives = "location / { return 302 http://example.org:$server_port/; }"
        try await withNginx(identity: certificates.examples, directives: directives) { nginx in
            let words = [
                "-b", "-L", "--allow-downgrade", "--cacert", certificates.root, "--proxy", "http:\(clear.url())",
                "https://example.org:\(nginx.securePort)/", "--resolve", "example.org:\(nginx.securePort):127.0.0.1",
                "-a", "ada:s3cret", "X-Api-Key:k",
            ]
            let run = try await folder.afcli(words)
            #expect(run.text == "clear", "\(run.errorText)")
            let request = try #require(clear.requests.first)
            #expect(request.target == "http://example.org:\(nginx.securePort)/")
            #expect(request["Authorization"] == nil && request["X-Api-Key"] == nil)
        }
    }

    @Test func `digest credentials are not used for challenges of other origins after any redirects`() async throws {
        let login = DigestLogin(password: "s3cret")
        let other = try LocalServer { request in
            request.path == "/inside"
                ? .status(401).header("WWW-Authenticate", login.challenge()) : .redirect(to: "/inside")
        }
        try await withServer { _ in
            .redirect(to: other.url("/"))
        } _: { server in
            let run = try await folder.afcli("-L", "-A", "digest", "-a", "ada:s3cret", server.url())
            #expect(run.status == 4, "\(run.errorText)")
            #expect(other.requests.map(\.path) == ["/", "/inside"])
            #expect(other.requests.allSatisfy { $0["Authorization"] == nil })
        }
    }

    @Test func `a client certificate is presented only to the first origin`() async throws {
        let certificates = try await TestCertificates.shared
        let shown = "location / { return 200 \"[$ssl_client_s_dn]\"; }"
        try await withNginx(clientCertificates: .requested, directives: shown) { other in
            let directives = "location / { return 302 \(other.secureURL()); }"
            try await withNginx(clientCertificates: .verified, directives: directives) { nginx in
                let words = [
                    "-b", "-L", nginx.secureURL(), "--cacert", certificates.root,
                    "--cert", certificates.client.certificate, "--cert-key", certificates.client.key,
                ]
                let run = try await folder.afcli(words)
                #expect(run.text == "[]", "\(run.errorText)")
                let trusting = try await folder.afcli(words + ["--trust-redirects"])
                #expect(trusting.text.contains("CN=Test Client"), "\(trusting.errorText)")
            }
        }
    }

    @Test func `a redirect handler sees the next request, and cannot add the removed secrets again`() async throws {
        let other = try LocalServer { _ in .ok("there") }
        try await withServer { _ in
            .redirect(to: other.url())
        } _: { server in
            let seen = Journal<String?>()
            let handler = Redirector.modify { _, request, _ in
                seen.note(request.headers.value(for: "Authorization"))
                var request = request
                request.headers.update(name: "Authorization", value: "Basic again")
                return request
            }
            let session = Session(redirectHandler: handler)
            let headers: HTTPHeaders = ["Authorization": "Basic s3cret"]
            let text = try await session.request(server.url(), headers: headers).serializingString().value
            #expect(text == "there")
            #expect(seen.entries == [nil])
            #expect(other.requests.first?["Authorization"] == nil)
        }
    }

    @Test(arguments: [["--follow-next"], ["--next", "cursor==next"]])
    func `a page at another origin is requested only with --trust-redirects`(words: [String]) async throws {
        let other = try LocalServer { _ in .json("[2]") }
        try await withServer { _ in
            .json(#"{"next": null}"#).header("Link", "<\(other.url("/two"))>; rel=next")
        } _: { server in
            let words = ["-b", "-a", "ada:s3cret", server.url()] + words
            let run = try await folder.afcli(words)
            let isLink = words.contains("--follow-next")
            #expect(run.status == (isLink ? 6 : 0), "\(run.errorText)")
            #expect(other.requests.isEmpty)
            let trusting = try await folder.afcli(words + ["--trust-redirects"])
            #expect(trusting.status == 0, "\(trusting.errorText)")
            #expect(other.requests.map { $0["Authorization"] } == (isLink ? ["Basic YWRhOnMzY3JldA=="] : []))
        }
    }
}
