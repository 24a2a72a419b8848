import AFHTTP
import AFTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSFailureTests {
    let transport = CurlTransport()

    private func fetch(
        _ nginx: NginxServer,
        configure: (inout TLSOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        try await transport.fetch(nginx.secureURL("/sink")) { options in
            options.tls.authorities = .file(nginx.root)
            configure(&options.tls)
        }
    }

    private func refuses(
        _ identity: KeyPath<TestCertificates, TestCertificates.Identity>
    ) async throws -> TransferFailure? {
        let certificates = try await TestCertificates.shared
        return try await withNginx(identity: certificates[keyPath: identity]) { nginx in
            let failure = try await fetch(nginx).failure
            #expect(nginx.finalRequests().isEmpty)
            return failure
        }
    }

    @Test func `a request to a trusted server succeeds`() async throws {
        let nginx = try await NginxServer()
        let record = try await fetch(nginx)
        #expect(record.failure == nil)
        #expect(record.status == 200)
    }

    @Test(
        arguments: [
            (\TestCertificates.selfSigned, nil), (\TestCertificates.expired, .expired),
            (\TestCertificates.wrongHost, .hostMismatch), (\TestCertificates.missingIntermediate, nil),
        ] as [(any KeyPath<TestCertificates, TestCertificates.Identity> & Sendable, TransferFailure.Reason?)])
    func `a certificate that cannot be verified is untrusted`(
        identity: any KeyPath<TestCertificates, TestCertificates.Identity> & Sendable,
        reason: TransferFailure.Reason?
    ) async throws {
        let failure = try await refuses(identity)
        #expect(failure?.kind == .untrustedCertificate && failure?.isOfProxy == false)
        #expect(failure?.reason == reason)
    }

    @Test func `a server is untrusted if only unrelated authorities are set`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer()
        #expect(
            try await fetch(nginx) { $0.authorities = .file(certificates.unknownAuthority) }.failure?.kind
                == .untrustedCertificate)
        #expect(try await fetch(nginx) { $0.authorities = .system }.failure?.kind == .untrustedCertificate)
    }

    /// Responds over TLS and closes the connection without close_notify.
    private func cutOff(_ response: String) async throws -> Collector.Record {
        let certificates = try await TestCertificates.shared
        return try await withServer { _ in
            .raw(response)
        } _: { server in
            let front = try TLSFront(to: server.port, identity: certificates.server)
            return try await transport.fetch("https://localhost:\(front.port)/") { options in
                options.tls.authorities = .file(certificates.root)
            }
        }
    }

    @Test func `a body without a length is complete only after close_notify`() async throws {
        let record = try await cutOff("HTTP/1.1 200 OK\r\n\r\nhalf")
        #expect(record.failure?.kind == .truncated)
        #expect(record.text == "half")
        // nginx sends close_notify.
        let nginx = try await NginxServer(files: ["f": .text("whole")], directives: "chunked_transfer_encoding off;")
        let whole = try await transport.fetch(nginx.secureURL("/f")) { options in
            options.httpVersion = .http1_1
            options.tls.authorities = .file(nginx.root)
        }
        #expect(whole.failure == nil)
        #expect(whole.text == "whole")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n",
    ])
    func `a body with a known end needs no close_notify`(response: String) async throws {
        let record = try await cutOff(response)
        #expect(record.failure == nil)
        #expect(record.text == "whole")
    }

    @Test func `authorities can be a directory or bytes in memory`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer()
        #expect(try await fetch(nginx) { $0.authorities = .directory(certificates.rootFolder) }.status == 200)
        let bytes = try ScratchFolder.bytes(at: certificates.root)
        #expect(try await fetch(nginx) { $0.authorities = .bundle(bytes) }.status == 200)
        let stranger = try ScratchFolder.bytes(at: certificates.unknownAuthority)
        #expect(try await fetch(nginx) { $0.authorities = .bundle(stranger) }.failure?.kind == .untrustedCertificate)
        #expect(try await fetch(nginx) { $0.authorities = .bundle([]) }.failure != nil)
    }

    @Test func `an invalid chain or host name is accepted if its verification is disabled`() async throws {
        let nginx = try await NginxServer(identity: TestCertificates.shared.selfSigned)
        #expect(try await fetch(nginx) { $0.verifiesChain = false }.status == 200)
        let elsewhere = try await NginxServer(identity: TestCertificates.shared.wrongHost)
        #expect(try await fetch(elsewhere) { $0.verifiesHost = false }.status == 200)
        #expect(try await fetch(elsewhere) { $0.verifiesChain = false }.failure?.kind == .untrustedCertificate)
    }

    @Test func `the TLS handshake with a plain HTTP server fails`() async throws {
        let nginx = try await NginxServer()
        let record = try await transport.fetch("https://127.0.0.1:\(nginx.port)/")
        #expect(record.failure?.kind == .secureConnectionFailed)
    }

    @Test func `a server that closes during the handshake is a failed handshake or a lost connection`() async throws {
        let server = try LocalServer.scripted { _ = try $0.receive(atMost: 1) }
        let kind = try await transport.fetch("https://127.0.0.1:\(server.port)/").failure?.kind
        #expect(kind == .secureConnectionFailed || kind == .connectionLost)
    }

    @Test func `a server that never completes the handshake runs into the connect timeout`() async throws {
        let server = try LocalServer.silent()
        let record = try await transport.fetch("https://127.0.0.1:\(server.port)/") { $0.timeouts.connect = 0.3 }
        #expect(record.failure?.kind == .connectTimedOut)
    }

    @Test func `a pinned public key is accepted, and another key is rejected`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer()
        #expect(try await fetch(nginx) { $0.pinnedPublicKey = certificates.server.pin }.status == 200)
        #expect(try await fetch(nginx) { $0.pinnedPublicKey = certificates.client.pin }.failure?.kind == .pinMismatch)
        let both = "\(certificates.client.pin);\(certificates.server.pin)"
        #expect(try await fetch(nginx) { $0.pinnedPublicKey = both }.status == 200)
        #expect(nginx.finalRequests().count == 2)
    }

    @Test func `a pin is checked even if all other verification is disabled`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(identity: certificates.selfSigned)
        for (pin, passes) in [(certificates.selfSigned.pin, true), (certificates.server.pin, false)] {
            let record = try await fetch(nginx) {
                $0.verifiesChain = false
                $0.verifiesHost = false
                $0.pinnedPublicKey = pin
            }
            #expect((record.failure == nil) == passes)
        }
    }

    @Test func `a missing or invalid certificate or key file is unusable`() async throws {
        let certificates = try await TestCertificates.shared
        let folder = try ScratchFolder()
        let garbage = try folder.write("no certificate", to: "garbage.pem")
        let nginx = try await NginxServer()
        for path in [folder.file("missing.pem"), garbage] {
            #expect(try await fetch(nginx) { $0.authorities = .file(path) }.failure?.kind == .unusableCertificate)
            let certificate = ClientCertificate(certificatePath: path)
            #expect(try await fetch(nginx) { $0.clientCertificate = certificate }.failure?.kind == .unusableCertificate)
            let key = ClientCertificate(certificatePath: certificates.client.certificate, keyPath: path)
            #expect(try await fetch(nginx) { $0.clientCertificate = key }.failure?.kind == .unusableCertificate)
        }
        let wrongPassword = ClientCertificate(
            certificatePath: certificates.client.certificate,
            keyPath: certificates.encryptedClientKey,
            keyPassword: "wrong"
        )
        #expect(try await fetch(nginx) { $0.clientCertificate = wrongPassword }.failure?.kind == .unusableCertificate)
        #expect(nginx.finalRequests().isEmpty)
    }

    @Test func `a client certificate is sent to a server that requires it`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(clientCertificates: .verified)
        let plain = ClientCertificate(
            certificatePath: certificates.client.certificate, keyPath: certificates.client.key)
        #expect(try await fetch(nginx) { $0.clientCertificate = plain }.status == 200)
        let encrypted = ClientCertificate(
            certificatePath: certificates.client.certificate,
            keyPath: certificates.encryptedClientKey,
            keyPassword: certificates.clientKeyPassword
        )
        #expect(try await fetch(nginx) { $0.clientCertificate = encrypted }.status == 200)
        // nginx reports this in its own response.
        #expect(try await fetch(nginx).status == 400)
    }

    @Test func `unsupported TLS versions and unknown ciphers fail the handshake`() async throws {
        let nginx = try await NginxServer(directives: "ssl_protocols TLSv1.2;")
        #expect(try await fetch(nginx).outcome?.metrics.tlsVersion == "TLSv1.2")
        #expect(try await fetch(nginx) { $0.minimumVersion = .tls1_3 }.failure?.kind == .secureConnectionFailed)
        #expect(
            try await fetch(nginx) { $0.ciphers = "ECDHE-ECDSA-AES256-GCM-SHA384" }.outcome?.metrics.tlsCipher
                == "ECDHE-ECDSA-AES256-GCM-SHA384")
        let failure = try await fetch(nginx) { $0.ciphers = "NO-SUCH-CIPHER" }.failure
        #expect(failure?.kind == .secureConnectionFailed)
        #expect(failure?.reason == .cipherList)
    }

    @Test func `a server that does not speak TLS is the reason of the failure`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { server in
            let failure = try await transport.fetch("https://\(server.authority)/").failure
            #expect(failure?.kind == .secureConnectionFailed)
            #expect(failure?.reason == .notTLS)
        }
    }

    @Test func `a server that closes the connection during the handshake is the reason of the failure`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
        } _: { server in
            let failure = try await transport.fetch("https://\(server.authority)/").failure
            #expect(failure?.kind == .secureConnectionFailed)
            #expect(failure?.reason == .handshakeClosed)
            #expect(failure?.detail == "the server closed the connection during the TLS handshake")
        }
    }

    @Test func `the maximum TLS version can be set`() async throws {
        let nginx = try await NginxServer(directives: "ssl_protocols TLSv1.2 TLSv1.3;")
        #expect(try await fetch(nginx).outcome?.metrics.tlsVersion == "TLSv1.3")
        #expect(try await fetch(nginx) { $0.maximumVersion = .tls1_2 }.outcome?.metrics.tlsVersion == "TLSv1.2")
    }
}
