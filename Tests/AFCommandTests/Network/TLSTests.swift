import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    @Test func `an unknown authority is an error with a hint`() async throws {
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            let run = await runTool(nginx.secureURL("/x"))
            #expect(run.status == 12)
            #expect(run.output.isEmpty)
            #expect(run.messages.count == 2)
            #expect(
                run.messages.first?.hasPrefix(
                    "afcli: error: the certificate of localhost:\(nginx.securePort) is not trusted: ") == true,
                "\(run.errors)")
            #expect(run.messages.last?.contains("--cacert") == true)
        }
    }

    @Test func `authorities can be a file, a directory or none`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            for words in [
                ["--cacert", nginx.root], ["--verify", nginx.root], ["--verify", certificates.rootFolder],
                ["--capath", certificates.rootFolder],
            ] {
                let run = await runTool(words + [nginx.secureURL("/x")])
                #expect(run.output == "secret", "\(words) \(run.errors)")
                #expect(run.errors.isEmpty)
            }
            for words in [["--verify=no"], ["-k"]] {
                let run = await runTool(words + [nginx.secureURL("/x")])
                #expect(run.output == "secret")
                #expect(run.errors == "afcli: warning: the server's certificate is not verified\n")
            }
            #expect(await runTool("--cacert", certificates.unknownAuthority, nginx.secureURL("/x")).status == 12)
        }
    }

    @Test func `expired certificates and those of other hosts are rejected`() async throws {
        let certificates = try await TestCertificates.shared
        for identity in [certificates.expired, certificates.wrongHost, certificates.selfSigned] {
            try await withNginx(identity: identity) { nginx in
                let run = await runTool("--cacert", nginx.root, nginx.secureURL("/"))
                #expect(run.status == 12)
                #expect(run.messages.count == 2)
                #expect(nginx.finalRequests().isEmpty)
                let hint = [
                    certificates.expired.certificate: "clock", certificates.wrongHost.certificate: "--connect-to",
                    certificates.selfSigned.certificate: "--cacert",
                ]
                #expect(run.messages.last?.contains(hint[identity.certificate] ?? "?") == true, "\(run.errors)")
            }
        }
    }

    @Test func `a pinned key is the only one accepted`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            let good = ["--cacert", nginx.root, "--pin", certificates.server.pin, nginx.secureURL("/x")]
            #expect(await runTool(good).output == "secret")
            let run = await runTool("-k", "--pin", certificates.client.pin, nginx.secureURL("/x"))
            #expect(run.status == 12)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("does not match --pin"))
        }
    }

    @Test func `a client certificate is presented`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("secret")], clientCertificates: .verified) { nginx in
            let trust = ["--cacert", nginx.root, nginx.secureURL("/x")]
            let identity = ["--cert", certificates.client.certificate, "--cert-key", certificates.client.key]
            #expect(await runTool(identity + trust).output == "secret")
            let encrypted = [
                "--cert", certificates.client.certificate, "--cert-key", certificates.encryptedClientKey,
                "--cert-key-pass", certificates.clientKeyPassword,
            ]
            #expect(await runTool(encrypted + trust).output == "secret")
            #expect(await runTool(trust).status != 0)
            let wrong = await runTool(["--cert", certificates.client.certificate, "--cert-key", nginx.root] + trust)
            #expect(wrong.status == 16)
            let problem = "afcli: error: --cert-key: '\(nginx.root)' contains no PEM private key"
            #expect(wrong.messages.first == problem)
            let other = await runTool(
                ["--cert", certificates.client.certificate, "--cert-key", certificates.server.key] + trust)
            #expect(other.status == 16)
            #expect(
                other.messages == [
                    "afcli: error: '\(certificates.server.key)' is not the key of the certificate",
                    "  check --cert-key",
                ])
            let mistyped = await runTool(
                ["--cert", certificates.client.certificate, "--cert-key", certificates.encryptedClientKey] + trust
                    + ["--cert-key-pass", "mistyped"])
            #expect(mistyped.status == 16)
            #expect(
                mistyped.messages == [
                    "afcli: error: wrong password for the key, or '\(certificates.encryptedClientKey)' is not the key of the certificate",
                    "  check --cert-key and --cert-key-pass",
                ])
        }
    }

    @Test func `a missing client certificate that the server requires is an error with a hint`() async throws {
        let certificates = try await TestCertificates.shared
        let server = try LocalServer { _ in .ok("secret") }
        let front = try TLSFront(
            to: server.port, identity: certificates.server, clientAuthority: certificates.root)
        let words = ["--cacert", certificates.root, "https://localhost:\(front.port)/"]
        let run = await runTool(words + ["--retry", "2"])
        #expect(run.status == 12)
        #expect(
            run.messages == [
                "afcli: error: localhost:\(front.port) requires a client certificate",
                "  set one with --cert FILE and --cert-key FILE",
            ])
        let (certificate, key) = (certificates.selfSigned.certificate, certificates.selfSigned.key)
        let rejected = await runTool(words + ["--cert", certificate, "--cert-key", key])
        #expect(rejected.status == 12)
        #expect(
            rejected.messages.first?.hasPrefix(
                "afcli: error: localhost:\(front.port) rejected the client certificate: ") == true, "\(rejected.errors)"
        )
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n"])
    func `a file without a certificate is an error before the request`(text: String) async throws {
        let file = try ScratchFolder()
        let path = try file.write(text, to: "x.pem")
        for option in ["--cacert", "--verify", "--cert"] {
            let run = await runTool(option, path, "https://localhost:1/")
            #expect(run.status == 16)
            #expect(
                run.messages.first == "afcli: error: \(option): '\(path)' contains no PEM certificate")
            #expect(run.messages.last == "  convert a DER file: openssl x509 -inform der -in FILE")
        }
    }

    @Test(
        arguments: [
            // DER, BER of indefinite length, and a length of one byte.
            ([0x30, 0x82, 9, 0xCF, 2, 1, 3, 0x30], true), ([0x30, 0x80, 2, 1, 3, 0x30], true),
            ([0x30, 5, 2, 1, 3], true),
            // A certificate, a key, and the start of each.
            ([0x30, 0x82, 2, 0xF9, 0x30, 0x82, 1], false), ([0x30, 0x82, 4, 0xBD, 2, 1, 0, 0x30], false),
            ([0x30], false),
            ([0x30, 0xFF, 2, 1, 3], false),
        ] as [([UInt8], Bool)])
    func `a PKCS 12 file has a hint of its own`(bytes: [UInt8], isPKCS12: Bool) async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(bytes, to: "x.p12")
        let run = await runTool("--cert", path, "https://localhost:1/")
        #expect(run.status == 16)
        #expect(run.messages.first == "afcli: error: --cert: '\(path)' contains no PEM certificate")
        #expect(
            run.messages.last
                == (isPKCS12
                    ? "  convert a PKCS#12 file: openssl pkcs12 -in FILE -nodes -out FILE.pem"
                    : "  convert a DER file: openssl x509 -inform der -in FILE"))
    }

    @Test func `a certificate without its key is an error that names the option`() async throws {
        let certificate = try await TestCertificates.shared.client.certificate
        let run = await runTool("--cert", certificate, "https://localhost:1/")
        #expect(run.status == 16)
        #expect(
            run.messages == [
                "afcli: error: --cert: '\(certificate)' contains no PEM private key",
                "  set the key with --cert-key FILE",
            ])
    }

    @Test func `the password of a key is read from a file or variable, and reported if missing`() async throws {
        let certificates = try await TestCertificates.shared
        let folder = try ScratchFolder()
        let password = certificates.clientKeyPassword
        let file = try folder.write("\(password)\nno more\n", to: "password")
        try await withNginx(files: ["x": .text("secret")], clientCertificates: .verified) { nginx in
            let key = certificates.encryptedClientKey
            let words = [
                "--cacert", nginx.root, nginx.secureURL("/x"), "--cert", certificates.client.certificate, "--cert-key",
                key,
            ]
            #expect(await runTool(words + ["--cert-key-pass", "@\(file)"]).output == "secret")
            let world = ToolWorld().with(variables: ["KEY": password])
            #expect(await runTool(words + ["--cert-key-pass", "env:KEY"], in: world).output == "secret")
            let missing = await runTool(words)
            #expect(missing.status == 64)
            #expect(
                missing.messages == [
                    "afcli: error: --cert-key-pass: the key in '\(key)' requires a password",
                    "  give it as @FILE, env:NAME, fd:NUMBER or exec:COMMAND",
                ])
            let unset = await runTool(words + ["--cert-key-pass", "env:NONE"])
            #expect(unset.messages.first == "afcli: error: --cert-key-pass: the environment variable 'NONE' is not set")
            // Without a request the key is not needed.
            #expect(await runTool(words + ["--curl"]).status == 0)
            #expect(nginx.finalRequests().count == 2)
        }
    }

    @Test func `the requested versions of HTTP and TLS are used`() async throws {
        try await withNginx(files: ["x": .text("x")], directives: "ssl_protocols TLSv1.2;") { nginx in
            let url = ["--cacert", nginx.root, nginx.secureURL("/x")]
            #expect(await runTool(url + ["-h"]).output.hasPrefix("HTTP/2 200"))
            #expect(await runTool(url + ["-h", "--http1.1"]).output.hasPrefix("HTTP/1.1 200"))
            #expect(
                await runTool("-h", "--http2-prior-knowledge", nginx.clearHTTP2URL("/x")).output.hasPrefix("HTTP/2"))
            let meta = await runTool(url + ["-m", "--ssl", "tls1.2"])
            #expect(meta.output.contains("TLSv1.2"))
            let refused = await runTool(url + ["--ssl", "tls1.3"])
            #expect(refused.status == 12)
            #expect(refused.messages.last?.contains("--ssl") == true)
        }
    }

    @Test(arguments: [
        (["--ssl", "tls1.3"], "check --ssl"), (["--ciphers", "ECDHE-RSA-AES128-GCM-SHA256"], "check --ciphers"),
        (["--ssl", "tls1.2", "--ciphers", "ECDHE-RSA-AES128-GCM-SHA256"], "check --ciphers and --ssl"),
    ])
    func `after an alert no hint is to use clear text`(words: [String], hint: String) async throws {
        // The certificate has a key for ECDSA.
        try await withNginx(directives: "ssl_protocols TLSv1.2;") { nginx in
            let run = await runTool(words + ["--cacert", nginx.root, nginx.secureURL("/")])
            #expect(run.status == 12)
            #expect(run.messages.first?.contains("alert") == true, "\(run.errors)")
            #expect(run.messages.last == "  \(hint)")
        }
    }

    @Test func `TLS to a port without TLS has its own error`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { server in
            let run = await runTool("https://\(server.authority)/")
            #expect(run.status == 12)
            #expect(run.messages.first == "afcli: error: \(server.authority) does not speak TLS on this port")
            #expect(run.errors.contains("check the port, or use http://"))
        }
    }

    @Test(arguments: ["http", "ws"], [false, true])
    func `a handshake that the server closes has one sentence and a hint`(clear: String, isReset: Bool) async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1)
            // Unread bytes make the close a reset.
            if !isReset { _ = try connection.receive(atMost: 10_000) }
        } _: { server in
            let run = await runTool("\(clear)s://\(server.authority)/")
            #expect(run.status == 12)
            #expect(
                run.messages == [
                    "afcli: error: \(server.authority) closed the connection during the TLS handshake",
                    "  check that the server uses TLS on this port, else use \(clear)://; --ssl selects a version",
                ])
        }
    }

    @Test func `hints about WebSockets name their schemes`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { server in
            let run = await runTool("wss://\(server.authority)/")
            #expect(run.messages.last == "  check the port, or use ws://")
        }
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            try connection.send([0x15, 3, 3, 0, 2, 2, 0x46])
        } _: { server in
            let run = await runTool("ws://\(server.authority)/")
            #expect(run.messages.last == "  use wss://\(server.authority)")
        }
    }
}
