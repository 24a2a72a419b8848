import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand

/// `--cert-info`: the certificates before the response, beside it on standard error, and in the report.
@Suite(.timeLimit(.minutes(5))) struct CertificateInfoTests {
    private func names(_ lines: [String], _ name: String) -> [String] {
        lines.filter { $0.hasPrefix("   \(name): ") }.map { String($0.dropFirst(16)) }
    }

    @Test func `the chain is shown beside the response`() async throws {
        let identity = try await TestCertificates.shared.chained
        try await withNginx(files: ["x": .text("secret")], identity: identity) { nginx in
            let run = await runTool("--cert-info", "--cacert", nginx.root, nginx.secureURL("/x"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "secret")
            let lines = run.errors.split(separator: "\n").map(String.init)
            #expect(lines[0] == "Certificates of https://localhost:\(nginx.securePort)")
            #expect(lines.filter { !$0.hasPrefix(" ") }.dropFirst() == ["1. server certificate", "2. intermediate"])
            let details = try identity.chain.compactMap(\.details)
            #expect(names(lines, "Subject") == ["O=afcli tests, CN=localhost", "O=afcli tests, CN=Test Intermediate"])
            #expect(names(lines, "Issuer") == details.map(\.issuer))
            #expect(names(lines, "Names") == ["localhost, *.test.example, 127.0.0.1, ::1"])
            #expect(names(lines, "Pin") == details.map(\.pin))
            #expect(names(lines, "Pin").first == identity.pin)
            #expect(names(lines, "SHA-256") == details.map(\.fingerprint))
            #expect(names(lines, "Key") == ["EC, P-256, 256 bits", "EC, P-256, 256 bits"])
            #expect(names(lines, "Signature") == ["ecdsa-with-SHA256", "ecdsa-with-SHA256"])
            #expect(names(lines, "Valid until").allSatisfy { $0.hasSuffix(" (29 days left)") })
        }
    }

    @Test func `nothing is shown without the option or for a dry run, and http is a note`() async throws {
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            let run = await runTool("--cacert", nginx.root, nginx.secureURL("/x"))
            #expect(run.errors.isEmpty)
            let plain = await runTool("--cert-info", nginx.url("/x"))
            #expect(plain.messages == ["afcli: the connection did not use TLS, so there are no certificates"])
            for dry in ["--offline", "--curl"] {
                #expect(await runTool("--cert-info", dry, "--cacert", nginx.root, nginx.secureURL("/x")).errors.isEmpty)
            }
        }
    }

    @Test func `a rejected chain is shown before the message`() async throws {
        let certificates = try await TestCertificates.shared
        for identity in [certificates.expired, certificates.wrongHost, certificates.selfSigned] {
            let server = try LocalServer { _ in .ok("secret") }
            let front = try TLSFront(to: server.port, identity: identity)
            let run = await runTool(
                "--cert-info", "--report=-", "--cacert", certificates.root, "https://localhost:\(front.port)/")
            #expect(run.status == 12)
            let lines = run.messages
            #expect(lines.first == "Certificates of https://localhost:\(front.port)")
            #expect(lines.firstIndex { $0.hasPrefix("afcli: error: the certificate of localhost") } ?? 0 > 8)
            #expect(names(lines, "SHA-256") == (try identity.chain.compactMap(\.details).map(\.fingerprint)))
            #expect(try run.json.string("hops[0].tls.certificates[0].pin") == identity.pin)
            #expect(try run.json["hops[0].status"] == "null")
            #expect(server.requests.isEmpty)
        }
        let expired = try TLSFront(to: 9, identity: certificates.expired)
        let run = await runTool("--cert-info", "--cacert", certificates.root, "https://localhost:\(expired.port)/")
        #expect(run.errors.contains(" (expired "), "\(run.errors)")
    }

    @Test func `each server on a redirect is shown once`() async throws {
        let certificates = try await TestCertificates.shared
        let target = try LocalServer { $0.path == "/a" ? .redirect(to: "/b") : .ok("there") }
        let second = try TLSFront(to: target.port, identity: certificates.chained)
        let origin = try LocalServer { _ in .redirect(to: "https://localhost:\(second.port)/a") }
        let first = try TLSFront(to: origin.port, identity: certificates.server)
        let run = await runTool(
            "--cert-info", "-L", "--report=-", "-b", "--cacert", certificates.root, "https://localhost:\(first.port)/")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.messages.filter { $0.hasPrefix("Certificates") }
                == [first.port, second.port].map { "Certificates of https://localhost:\($0)" })
        let report = try ReadJSON(run.output.split(separator: "\n").last.map(String.init) ?? "")
        #expect((0..<3).map { report.count("hops[\($0)].tls.certificates") } == [1, 2, 2])
    }

    @Test func `a proxy over TLS is shown, too`() async throws {
        let certificates = try await TestCertificates.shared
        let tunnel = try TunnelProxy()
        let front = try TLSFront(to: tunnel.port, identity: certificates.server)
        try await withNginx(files: ["x": .text("secret")], identity: certificates.chained) { nginx in
            let run = await runTool(
                "--cert-info", "--cacert", nginx.root, "--proxy", "https://localhost:\(front.port)",
                nginx.secureURL("/x"))
            #expect(run.output == "secret", "\(run.errors)")
            #expect(
                run.messages.filter { $0.hasPrefix("Certificates") }
                    == [front.port, nginx.securePort].map { "Certificates of https://localhost:\($0)" })
        }
    }

    @Test func `the report has every field`() async throws {
        let samples = try await SampleCertificates.shared
        let server = try LocalServer { _ in .ok() }
        let front = try TLSFront(to: server.port, identity: samples.longChain)
        let run = await runTool(
            "--cert-info", "--report=-", "--cacert", samples.path(of: "chain-root"),
            "https://localhost:\(front.port)/")
        #expect(run.status == 0, "\(run.errors)")
        let report = try run.json
        let path = "hops[0].tls.certificates"
        #expect(report.count(path) == 4)
        #expect(
            report.names("\(path)[0]") == [
                "subject", "issuer", "names", "not_before", "not_after", "days_left", "key", "signature", "serial",
                "authority", "sha256", "pin",
            ])
        #expect(report.string("\(path)[0].subject") == "O=Example, CN=chain-leaf")
        #expect(report.string("\(path)[0].names[0].type") == "dns")
        #expect(report.string("\(path)[0].names[0].value") == "localhost")
        #expect((0..<4).map { report["\(path)[\($0)].days_left"] } == ["24", "14", "9", "19"])
        #expect((0..<4).map { report["\(path)[\($0)].authority"] } == ["false", "true", "true", "true"])
        #expect(report.string("\(path)[0].key.algorithm") == "EC")
        #expect(report["\(path)[0].key.bits"] == "256")
        #expect(report.string("\(path)[0].key.curve") == "P-256")
    }

    @Test func `certificates are escaped on a terminal`() async throws {
        let identity = try await SampleCertificates.shared.hostile
        let server = try LocalServer { _ in .ok("x") }
        let front = try TLSFront(to: server.port, identity: identity)
        var world = ToolWorld.terminal()
        world.variables["NO_COLOR"] = "1"
        let run = await runTool(
            "--cert-info", "-b", "--cacert", identity.certificate, "https://localhost:\(front.port)/", in: world)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(run.errors.contains(#"Names:       a\x00\x1b[2J.b\x00, localhost"#), "\(run.errors)")
        #expect(run.errors.contains(#"Subject:     CN=a\1B]0\;owned"#))
    }

    @Test func `the option is for single requests`() async throws {
        let folder = try ScratchFolder()
        let list = try folder.write("https://localhost:1/a\n", to: "list")
        let run = await runTool("--cert-info", "--input", list)
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: --input: cannot be combined with --cert-info")
    }
}

/// How certificates are shown.
@Suite struct CertificateViewTests {
    private func view(_ name: String, at date: Date? = nil) async throws -> String {
        let path = try await SampleCertificates.shared.path(of: name)
        let details = try Certificate.certificates(in: ScratchFolder.bytes(at: path)).compactMap(\.details)
        let date = date ?? details.first?.notBefore ?? .now
        return CertificateView(origin: "https://a.example", certificates: details, date: date).render()
    }

    @Test func `the validity is described`() async throws {
        let end = Date(timeIntervalSince1970: 1_706_745_600)
        for (left, words) in [
            (86_400.0 * 30, "30 days left"), (86_400, "1 day left"), (10, "less than a day left"),
            (-10, "expired less than a day ago"), (-86_400, "expired 1 day ago"),
            (-86_400 * 400, "expired 400 days ago"),
        ] {
            let text = try await view("expired", at: end.addingTimeInterval(-left))
            #expect(text.contains("Valid until: 2024-02-01T00:00:00Z (\(words))\n"), "\(text)")
        }
        let future = try await view("not-yet-valid", at: end)
        #expect(future.contains("Valid from:  2090-01-01T00:00:00Z (not yet valid)\n"))
        let endless = try await view("endless")
        #expect(endless.contains("Valid from:  1950-01-01T00:00:00Z\n"))
        #expect(endless.contains("Valid until: 9999-12-31T23:59:59Z ("))
    }

    @Test func `keys, names and roots are described`() async throws {
        #expect(try await view("rsa").contains("Key:         RSA, 2048 bits\n"))
        #expect(try await view("ed25519").contains("Key:         Ed25519, 256 bits\n"))
        let many = try await view("many-names")
        #expect(many.contains("Names:       host-1.example.org, "))
        #expect(many.contains(", host-100.example.org and 100 more\n"))
        #expect(try await view("no-subject").contains("Subject:     none\n"))
        #expect(try await view("controls").contains("Names:") == false)
        let others = try await view("other-names")
        #expect(others.contains("Names:       email ada@example.org, uri https://example.org/%20, "))
        #expect(others.contains(", registeredID 1.2.3.4, directory C=DE, O=Example, a.example, other "))
        let none = CertificateView(origin: "https://a.example", certificates: [], date: .now).render()
        #expect(none == "Certificates of https://a.example: none\n")
    }
}
