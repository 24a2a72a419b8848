import AFCore
import TestSupport
import Testing

@testable import AFCommand

/// Options of the network and of TLS, each with a peer that observes their effect.
@Suite(.timeLimit(.minutes(5))) struct NetworkOptionTests {
    @Test func `addresses are resolved by the given name server`() async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer(
            ["name.invalid": "127.0.0.1"], aliases: ["alias.invalid"], identity: certificates.server)
        try await withServer {
            .ok($0["Host"] ?? "")
        } _: { (server) async throws in
            let words = ["--doh-url", names.url, "--cacert", certificates.root]
            let run = await runTool(words + ["http://name.invalid:\(server.port)/"])
            #expect(run.output == "name.invalid:\(server.port)", "\(run.errors)")
            for name in ["other.invalid", "alias.invalid"] {
                let unknown = await runTool(words + ["http://\(name):\(server.port)/"])
                #expect(unknown.status == 10)
                #expect(unknown.messages.first == "afcli: error: could not resolve host '\(name)'")
                #expect(unknown.messages.last?.contains("--doh-url") == true, "\(unknown.errors)")
            }
            let untrusted = await runTool("--doh-url", names.url, "http://name.invalid:\(server.port)/")
            #expect(untrusted.status == 10)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the exchange with the name server is not shown`() async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer(["name.invalid": "127.0.0.1"], identity: certificates.server)
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let url = "http://name.invalid:\(server.port)/"
            let result = try await Program.afcli(
                "-v", "--doh-url", names.url, "--cacert", certificates.root, "get", url
            )
            .run()
            #expect(result.status == 0)
            #expect(result.errorText.isEmpty, "\(result.errorText)")
            #expect(result.text.ranges(of: "HTTP/1.1 200").count == 1)
            #expect(!result.text.contains("dns-query"))
        }
    }

    @Test func `an HTTP version that libcurl lacks is an error before a request is sent`() async throws {
        // Packaging/check-distributions tests HTTP/3.
        guard !CurlFeatures.hasHTTP3 else { return }
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("--http3", server.url())
            #expect(run.status == 64)
            let sentence = "afcli: error: --http3: libcurl \(CurlFeatures.version) was built without HTTP/3"
            #expect(run.messages.first == sentence)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `the requested ciphers are used`() async throws {
        try await withNginx(files: ["x": .text("x")], directives: "ssl_protocols TLSv1.2 TLSv1.3;") { nginx in
            let url = ["--cacert", nginx.root, nginx.secureURL("/x"), "-m"]
            for size in ["128", "256"] {
                let suites = ["ECDSA", "RSA"].map { "ECDHE-\($0)-AES\(size)-GCM-SHA\(size == "128" ? "256" : "384")" }
                let run = await runTool(url + ["--ssl", "tls1.2", "--ciphers", suites.joined(separator: ":")])
                #expect(run.output.contains("AES\(size)"), "\(run.output) \(run.errors)")
            }
            let newest = await runTool(url + ["--ssl", "tls1.3", "--ciphers", "TLS_CHACHA20_POLY1305_SHA256"])
            #expect(newest.output.contains("TLSv1.3"), "\(newest.errors)")
            #expect(newest.output.contains("TLS_CHACHA20_POLY1305_SHA256"))
            let unknown = await runTool(url + ["--ciphers", "NO-SUCH-CIPHER"])
            #expect(unknown.status == 64)
            #expect(
                unknown.messages.first
                    == "afcli: error: --ciphers: OpenSSL does not support the ciphers 'NO-SUCH-CIPHER'")
            #expect(await runTool("--ciphers", "TLS_NO_SUCH", "https://127.0.0.1:1/").status == 64)
            #expect(nginx.finalRequests().count == 3)
        }
    }

    @Test func `old TLS versions are used only if requested`() async throws {
        let old = "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;"
        try await withNginx(files: ["x": .text("x")], directives: old) { nginx in
            let url = ["--cacert", nginx.root, nginx.secureURL("/x")]
            #expect(await runTool(url).status == 12)
            let asked = await runTool(url + ["-m", "--ssl", "tls1.1", "--ciphers", "ALL:@SECLEVEL=0"])
            #expect(asked.output.contains("TLSv1.1"), "\(asked.errors)")
        }
    }

    @Test func `options for a certificate require one`() async throws {
        let certificates = try await TestCertificates.shared
        for words in [["--cert-key", certificates.client.key], ["--cert-key-pass", "secret"]] {
            let run = await runTool(words + ["http://127.0.0.1:1/"])
            #expect(run.status == 64)
            #expect(run.messages.first == "afcli: error: \(words[0]): requires --cert")
        }
        let folder = try ScratchFolder()
        let file = try folder.write("", to: "file")
        let run = await runTool("--capath", file, "http://127.0.0.1:1/")
        #expect(run.status == 16)
        #expect(run.messages.first == "afcli: error: --capath: '\(file)' is not a directory")
        #expect(await runTool("--capath", folder.file("none"), "http://127.0.0.1:1/").status == 16)
    }

    @Test func `only the requested address family is used`() async throws {
        try await withServer { _ in
            .ok("four")
        } _: { server in
            let url = "http://localhost:\(server.port)/"
            #expect(await runTool("-4", url).output == "four")
            #expect(await runTool("--ipv6", "http://127.0.0.1:\(server.port)/").status != 0)
            #expect(server.requests.count == 1)
        }
        try #require(LocalServer.Address.hasIPv6)
        try await withServer(on: .ipv6(port: 0)) { _ in
            .ok("six")
        } _: { server in
            #expect(await runTool("-6", "http://localhost:\(server.port)/").output == "six")
            #expect(await runTool("-4", "http://localhost:\(server.port)/").status == 11)
        }
    }

    @Test func `the rate limit applies in both directions`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writePattern("up", size: 60_000)
        try await withServer { request in
            request.method == "GET" ? .bytes([UInt8](repeating: 65, count: 60_000)) : .ok("\(request.body.count)")
        } _: { server in
            for words in [[server.url()], ["-T", file, server.url()]] {
                let start = ContinuousClock.now
                let run = await runTool(["--limit-rate", "20k"] + words)
                #expect(run.status == 0)
                // Without a limit it takes milliseconds; on a busy machine longer.
                #expect(start.duration(to: .now) / .seconds(1) > 1.5, "\(words)")
            }
        }
    }
}
