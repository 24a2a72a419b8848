import TestSupport
import Testing

/// Features of libcurl and the libraries that it needs, with the shared or the static build of the tool.
@Suite(.timeLimit(.minutes(5))) struct LinkedLibraryTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func afcli(_ words: String..., variables: [String: String] = [:]) async throws -> ProgramResult {
        var program = Program(try Program.afcliPath(), words)
        program.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(variables) { $1 }
        return try await program.run()
    }

    @Test func `Digest and NTLM authentication succeed`() async throws {
        let digest = DigestLogin()
        try await withServer { request in
            switch request.path {
            case "/ntlm": NTLMLogin.response(to: request) { _ in .ok("welcome") }
            case _ where digest.accepts(request): .ok("welcome")
            default: .status(401).header("WWW-Authenticate", digest.challenge())
            }
        } _: { server in
            for kind in ["digest", "ntlm"] {
                let run = try await afcli("-A", kind, "-a", "ada:open sesame", server.url("/\(kind)"))
                #expect(run.text == "welcome", "\(kind): \(run.errorText)")
            }
        }
    }

    @Test func `HTTP/2 is used over TLS, through a SOCKS proxy and after a redirect from http`() async throws {
        let proxy = try await RealProxy.microsocks()
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            let secureURL = "https://127.0.0.1:\(nginx.securePort)/x"
            for address in ["", "socks5://\(proxy.authority)", "socks5h://\(proxy.authority)"] {
                let run = try await afcli("--proxy", address, "--cacert", nginx.root, secureURL)
                #expect(run.text == "inside", "\(address): \(run.errorText)")
            }
            try await withServer { _ in
                .redirect(to: secureURL)
            } _: { server in
                let run = try await afcli("--cacert", nginx.root, "-L", server.url())
                #expect(run.text == "inside", "\(run.errorText)")
            }
            #expect(nginx.finalRequests().map(\.version) == Array(repeating: "HTTP/2.0", count: 4))
        }
    }

    @Test func `an HTTPS proxy works without an earlier connection`() async throws {
        let certificates = try await TestCertificates.shared
        let tunnel = try TunnelProxy()
        let front = try TLSFront(to: tunnel.port, identity: certificates.server)
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            let proxy = "https://localhost:\(front.port)"
            let run = try await afcli("--proxy", proxy, "--cacert", nginx.root, nginx.secureURL("/x"))
            #expect(run.text == "inside", "\(run.errorText)")
            #expect(tunnel.heads.count == 1)
        }
    }

    @Test func `a SOCKS proxy that requires GSS-API is an error without a ticket`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 16)
            try connection.send([5, 1])
            try connection.waitForClose()
        } _: { proxy in
            let run = try await afcli("--proxy", "socks5://\(proxy.authority)", "http://127.0.0.1:1/")
            #expect(run.status == 11, "\(run.status) \(run.errorText)")
        }
    }

    @Test(arguments: CodedBody.all)
    func `a compressed body is decoded`(body: CodedBody) async throws {
        try await withServer { _ in
            .bytes(body.bytes).header("Content-Encoding", body.coding)
        } _: { server in
            let run = try await afcli(server.url())
            #expect(run.text == CodedBody.text, "\(run.errorText)")
        }
    }

    @Test func `an international name is sent in its ASCII form`() async throws {
        try await withServer { request in
            .ok(request["Host"] ?? "")
        } _: { server in
            let name = "xn--bcher-kva.invalid"
            let url = "http://B\u{FC}cher.invalid:\(server.port)/"
            let run = try await afcli("--resolve", "\(name):\(server.port):127.0.0.1", url)
            #expect(run.text == "\(name):\(server.port)", "\(run.errorText)")
        }
    }

    @Test func `a name is looked up over HTTPS`() async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer(["name.invalid": "127.0.0.1"], identity: certificates.server)
        try await withServer { _ in
            .ok("found")
        } _: { server in
            let url = "http://name.invalid:\(server.port)/"
            let run = try await afcli("--doh-url", names.url, "--cacert", certificates.root, url)
            #expect(run.text == "found", "\(run.errorText)")
        }
    }

    @Test func `an encrypted client key is used, and the TLS secrets are written to SSLKEYLOGFILE`() async throws {
        let certificates = try await TestCertificates.shared
        let password = try folder.write(certificates.clientKeyPassword, to: "password", permissions: 0o600)
        try await withNginx(files: ["x": .text("welcome")], clientCertificates: .verified) { nginx in
            let run = try await afcli(
                "--cacert", nginx.root, "--cert", certificates.client.certificate, "--cert-key",
                certificates.encryptedClientKey, "--cert-key-pass", "@\(password)", nginx.secureURL("/x"),
                variables: ["SSLKEYLOGFILE": folder.file("secrets")]
            )
            #expect(run.text == "welcome", "\(run.errorText)")
            #expect(try folder.text(of: "secrets").contains("CLIENT_"))
        }
    }

    @Test func `a cookie for a public suffix is refused`() async throws {
        try await withServer { _ in
            .ok().header("Set-Cookie", "wide=1; Domain=co.uk").header("Set-Cookie", "own=1; Domain=example.co.uk")
        } _: { server in
            let run = try await afcli(
                "--resolve", "example.co.uk:\(server.port):127.0.0.1", "--cookie-jar", folder.file("jar"),
                "http://example.co.uk:\(server.port)/"
            )
            #expect(run.status == 0, "\(run.errorText)")
            let jar = try folder.text(of: "jar")
            #expect(jar.contains("own") && !jar.contains("wide"))
        }
    }
}
