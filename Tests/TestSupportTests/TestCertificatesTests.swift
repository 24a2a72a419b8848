import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TestCertificatesTests {
    /// The results of `openssl verify` and of a client.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let identity: @Sendable (TestCertificates) -> TestCertificates.Identity
        /// curl's words, `nil` when it is content.
        let complaint: String?

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "server", identity: \.server, complaint: nil),
        Case(name: "chained", identity: \.chained, complaint: nil),
        Case(name: "expired", identity: \.expired, complaint: "certificate has expired"),
        Case(name: "wrong host", identity: \.wrongHost, complaint: "no alternative certificate subject name matches"),
        Case(name: "self-signed", identity: \.selfSigned, complaint: "self-signed certificate"),
        Case(
            name: "no intermediate", identity: \.missingIntermediate,
            complaint: "unable to get local issuer certificate"),
    ])
    func `each certificate is valid or invalid as intended`(example: Case) async throws {
        let certificates = try await TestCertificates.shared
        let identity = example.identity(certificates)
        try await withNginx(files: ["a": .text("hello")], identity: identity) { nginx in
            let result = try await curl("--cacert", certificates.root, nginx.secureURL("/a"))
            #expect(result.status == (example.complaint == nil ? 0 : 60))
            #expect(result.errorText.contains(example.complaint ?? ""))
            let pinned = try await curl("--insecure", "--pinnedpubkey", identity.pin, nginx.secureURL("/a"))
            #expect(pinned.text == "hello")
        }
    }

    @Test func `the authority is trusted as a directory, another one is not`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["a": .text("hello")]) { nginx in
            let url = "https://127.0.0.1:\(nginx.securePort)/a"
            // curl would look into the system's bundle as well.
            let trusting = ["--cacert", certificates.unknownAuthority, "--capath", certificates.rootFolder]
            let trusted = try await curl(trusting + [url])
            #expect(trusted.text == "hello")
            let refused = try await curl("--cacert", certificates.unknownAuthority, url)
            #expect(refused.status == 60)
            let resolved = ["--resolve", "a.test.example:\(nginx.securePort):127.0.0.1"]
            let name = "https://a.test.example:\(nginx.securePort)/a"
            let wildcard = try await curl(resolved + ["--cacert", certificates.root, name])
            #expect(wildcard.text == "hello")
        }
    }
}
