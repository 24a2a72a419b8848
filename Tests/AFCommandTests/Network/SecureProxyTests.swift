import TestSupport
import Testing

@testable import AFCommand

/// Failures of the TLS connection to a proxy, and of those within it.
@Suite(.timeLimit(.minutes(5))) struct SecureProxyTests {
    let certificates: TestCertificates
    let tunnel: TunnelProxy

    init() async throws {
        certificates = try await TestCertificates.shared
        tunnel = try TunnelProxy()
    }

    @Test(arguments: ["http://host.invalid/", "https://host.invalid/", "ws://host.invalid/"])
    func `an untrusted certificate of the proxy is not that of the server`(url: String) async throws {
        let front = try TLSFront(to: tunnel.port, identity: certificates.server)
        let proxy = "https://127.0.0.1:\(front.port)"
        let run = await runTool("--proxy", proxy, url)
        #expect(run.status == 12)
        #expect(
            run.messages.first?.hasPrefix("afcli: error: the certificate of the proxy '\(proxy)' is not trusted: ")
                == true, "\(run.errors)")
        #expect(
            run.messages.last
                == "  set the CA certificate with --proxy-cacert FILE; --proxy-insecure accepts any certificate")
    }

    @Test func `a certificate of another name is that of the proxy`() async throws {
        let front = try TLSFront(to: tunnel.port, identity: certificates.wrongHost)
        let proxy = "https://127.0.0.1:\(front.port)"
        let run = await runTool("--proxy", proxy, "--proxy-cacert", certificates.root, "https://host.invalid/")
        #expect(run.status == 12)
        #expect(run.errors.contains("the certificate of the proxy '\(proxy)' is not trusted: "), "\(run.errors)")
        #expect(run.messages.last == "  check the host of the proxy; --proxy-insecure accepts any certificate")
    }

    @Test func `a proxy without TLS is named`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { (server) async throws in
            for url in ["http://host.invalid/", "https://host.invalid/"] {
                let run = await runTool("--proxy", "https://\(server.authority)", url)
                #expect(run.status == 12)
                #expect(
                    run.messages == [
                        "afcli: error: the proxy 'https://\(server.authority)' does not speak TLS on this port",
                        "  check the port, or use http:// in the URL of the proxy",
                    ])
            }
        }
    }

    @Test(arguments: [[], ["--proxy-insecure"]])
    func `within a connection to the proxy, the server's certificate is rejected`(words: [String]) async throws {
        let front = try TLSFront(to: tunnel.port, identity: certificates.server)
        let proxy = ["--proxy", "https://127.0.0.1:\(front.port)", "--proxy-cacert", certificates.root] + words
        try await withNginx(files: ["x": .text("inside")], identity: certificates.selfSigned) { nginx in
            let run = await runTool(proxy + [nginx.secureURL("/x")])
            #expect(run.status == 12)
            #expect(
                run.errors.contains("error: the certificate of localhost:\(nginx.securePort) is not trusted: "),
                "\(run.errors)")
            #expect(
                run.messages.last == "  set the CA certificate with --cacert FILE; --verify no accepts any certificate")
            #expect(await runTool(proxy + ["-k", nginx.secureURL("/x")]).output == "inside")
        }
    }

    @Test(arguments: ["http://host.invalid/", "https://host.invalid/"])
    func `a proxy that requires a client certificate is named`(url: String) async throws {
        let front = try TLSFront(
            to: tunnel.port, identity: certificates.server, clientAuthority: certificates.root)
        let proxy = "https://127.0.0.1:\(front.port)"
        let run = await runTool("--proxy", proxy, "--proxy-cacert", certificates.root, url)
        // The reset of a proxy that closes at once may precede the alert.
        if run.errors.contains("the proxy '\(proxy)' closed the connection without a response") { return }
        #expect(run.status == 12)
        #expect(
            run.messages.first
                == "afcli: error: the proxy '\(proxy)' requires a client certificate: certificate required",
            "\(run.errors)")
        #expect(run.messages.last == "  use a proxy that requires none; --no-proxy HOST bypasses it")
    }
}
