import TestSupport
import Testing

/// Environment variables as read by the program itself.
@Suite(.timeLimit(.minutes(5))) struct VariableTests {
    private func login(_ source: String) async throws -> ProgramResult {
        var program = Program(
            try Program.afcliPath(), ["--offline", "--show-secrets", "-p", "H", "-a", source, "http://a.test/"])
        program.environment = ["LOGIN": "x=ada:pw"]
        return try await program.run()
    }

    @Test func `the value of a variable is everything after the first equals sign`() async throws {
        let run = try await login("env:LOGIN")
        // "x=ada:pw" in Base64.
        #expect(run.text.contains("Authorization: Basic eD1hZGE6cHc="), "\(run.text) \(run.errorText)")
    }

    @Test func `an error about unusable authorities names their environment variable`() async throws {
        let folder = try ScratchFolder()
        let text = try folder.write("no certificate", to: "text")
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            func run(_ words: [String], _ variables: [String: String]) async throws -> ProgramResult {
                var program = Program(try Program.afcliPath(), words + [nginx.secureURL("/x")])
                program.environment = variables
                return try await program.run()
            }
            for (name, path, reason) in [
                ("SSL_CERT_FILE", "nosuch", "cannot read 'nosuch': no such file"),
                ("CURL_CA_BUNDLE", text, "'\(text)' contains no PEM certificate"),
            ] {
                let result = try await run([], [name: path])
                #expect(result.status == 16)
                #expect(
                    result.errorText == """
                        afcli: error: the variable \(name): \(reason)
                          correct or unset the variable, or override it with --cacert FILE

                        """)
            }
            let untrusted = try await run([], ["SSL_CERT_DIR": "nosuch"])
            #expect(untrusted.status == 12)
            #expect(
                untrusted.errorText.contains("\n  check SSL_CERT_DIR, or set the CA certificate with --cacert FILE"))
            #expect(try await run(["--cacert", certificates.root], ["SSL_CERT_FILE": "nosuch"]).text == "secret")
        }
    }

    @Test func `the name of a variable does not contain an equals sign`() async throws {
        let run = try await login("env:LOGIN=x")
        #expect(run.status == 64, "\(run.text)")
        #expect(run.errorText.contains("is not set"), "\(run.errorText)")
    }
}
