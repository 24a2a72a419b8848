import TestSupport
import Testing

@testable import AFCommand

/// Queries of the certificate of a server in files of requests.
@Suite(.timeLimit(.minutes(2))) struct CertificateRunTests {
    @Test func `each entry knows the certificate, also over an open connection`() async throws {
        let certificates = try await TestCertificates.shared
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok("secret")
        } _: { server in
            let front = try TLSFront(to: server.port, identity: certificates.server)
            let entry = """
                GET https://localhost:\(front.port)/
                HTTP 200
                [Asserts]
                certificate "Subject" == "O=afcli tests, CN=localhost"
                certificate "Issuer" contains "afcli tests"
                certificate "Serial-Number" matches /^([0-9a-f]{2}:)+[0-9a-f]{2}$/
                certificate "Subject-Alt-Name" contains "DNS:localhost"
                certificate "Value" startsWith "-----BEGIN CERTIFICATE-----"
                certificate "Start-Date" daysBeforeNow < 5
                certificate "Expire-Date" daysAfterNow > 5

                """
            let path = try folder.write(entry + entry, to: "f.hurl")
            let run = await runTool("run", "--cacert", certificates.root, path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.map(\.connection) == [1, 1])
        }
    }

    @Test func `without TLS there is no certificate`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok("secret")
        } _: { server in
            let text = "GET \(server.url())\nHTTP 200\n[Asserts]\ncertificate \"Subject\" not exists\n"
            let run = await runTool("run", try folder.write(text, to: "f.hurl"))
            #expect(run.status == 0, "\(run.errors)")
        }
    }
}
