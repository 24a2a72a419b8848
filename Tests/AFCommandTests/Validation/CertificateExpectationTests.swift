import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct CertificateExpectationTests {
    @Test func `certificates that are valid for longer cause no message`() async throws {
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            for days in ["0", "1", "29"] {
                let run = await runTool("--expect-cert-days", days, "--cacert", nginx.root, nginx.secureURL("/x"))
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output == "secret")
                #expect(run.errors.isEmpty)
            }
        }
    }

    @Test func `a certificate that expires earlier is reported in one sentence`() async throws {
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            let run = await runTool("--expect-cert-days=60", "--cacert", nginx.root, nginx.secureURL("/x"))
            #expect(run.status == 14)
            #expect(run.output == "secret")
            let sentence = "expected certificates that are valid for 60 days, but the certificate of "
            #expect(
                run.messages.first?.hasPrefix(
                    "afcli: error: \(sentence)https://localhost:\(nginx.securePort) expires in 29 days: ") == true,
                "\(run.errors)")
            #expect(run.messages.count == 2)
        }
    }

    @Test func `intermediate certificates are checked, and the root is not`() async throws {
        let samples = try await SampleCertificates.shared
        let server = try LocalServer { _ in .ok() }
        let front = try TLSFront(to: server.port, identity: samples.longChain)
        let words = ["--cacert", samples.path(of: "chain-root"), "https://localhost:\(front.port)/"]
        #expect(await runTool(["--expect-cert-days", "9"] + words).status == 0)
        let run = await runTool(["--expect-cert-days", "10"] + words)
        #expect(run.status == 14)
        #expect(
            run.messages.first?.hasPrefix(
                "afcli: error: expected certificates that are valid for 10 days, but the issuer "
                    + "'O=Example, CN=chain-2' of https://localhost:\(front.port) expires in 9 days: ") == true,
            "\(run.errors)")
    }

    @Test func `an expired certificate fails its verification, and the expectation without one`() async throws {
        let certificates = try await TestCertificates.shared
        let server = try LocalServer { _ in .ok() }
        let front = try TLSFront(to: server.port, identity: certificates.expired)
        let words = ["--expect-cert-days", "0", "--cacert", certificates.root, "https://localhost:\(front.port)/"]
        #expect(await runTool(words).status == 12)
        let run = await runTool(words + ["-k"])
        #expect(run.status == 14)
        #expect(run.errors.contains(" expired: 20"), "\(run.errors)")
    }

    @Test func `a response without TLS is not as expected`() async throws {
        try await withServer({ _ in .ok() }) { server in
            let run = await runTool("--expect-cert-days", "1", server.url())
            #expect(run.status == 14)
            #expect(
                run.messages.first
                    == "afcli: error: expected certificates that are valid for 1 day, got a response without TLS")
            #expect(run.messages.last == "  use https://")
        }
    }

    @Test func `the certificate of a redirect is checked, too`() async throws {
        let (certificates, samples) = (try await TestCertificates.shared, try await SampleCertificates.shared)
        let target = try LocalServer { _ in .ok() }
        let second = try TLSFront(to: target.port, identity: certificates.server)
        let origin = try LocalServer { _ in .redirect(to: "https://localhost:\(second.port)/") }
        let first = try TLSFront(to: origin.port, identity: samples.longChain)
        let words = ["-L", "-k", "https://localhost:\(first.port)/"]
        #expect(await runTool(["--expect-cert-days", "9"] + words).status == 0)
        let run = await runTool(["--expect-cert-days", "40"] + words)
        #expect(run.status == 14)
        #expect(run.messages.contains("afcli: error: 2 expectations failed"), "\(run.errors)")
    }

    @Test func `a download is saved nevertheless`() async throws {
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            let folder = try ScratchFolder()
            let run = await runTool(
                "--expect-cert-days=60", "-o", folder.file("x"), "--cacert", nginx.root, nginx.secureURL("/x"))
            #expect(run.status == 14)
            #expect(folder.holds("secret", in: "x"))
        }
    }

    @Test(arguments: ["", "-1", "1.5", "soon"])
    func `anything but a number of days is a usage error`(argument: String) async {
        let run = await runTool("--expect-cert-days=\(argument)", "https://localhost:1/")
        #expect(run.status == 64)
        #expect(
            run.messages.first == "afcli: error: --expect-cert-days: expected a number of 0 or more, got '\(argument)'")
    }

    @Test func `a number of days has a limit`() async throws {
        let run = await runTool("--expect-cert-days=99999999999999999999999", "https://localhost:1/")
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: --expect-cert-days: '99999999999999999999999' is too large")
    }
}
