import TestSupport
import Testing

/// The password of a client key: only this program prompts for it (not OpenSSL), and only if it may.
@Suite(.timeLimit(.minutes(5))) struct KeyPasswordTests {
    private func program(_ nginx: NginxServer, _ words: String...) async throws -> Program {
        let certificates = try await TestCertificates.shared
        let identity = ["--cert", certificates.client.certificate, "--cert-key", certificates.encryptedClientKey]
        let all = words + identity + ["--cacert", nginx.root, "-b", nginx.secureURL("/x")]
        var program = Program(try Program.afcliPath(), all).onTerminal()
        program.environment = ["TERM": "dumb"]
        return program
    }

    @Test func `the key password is prompted for and not echoed`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("welcome")], clientCertificates: .verified) { nginx in
            let running = try await program(nginx).start()
            try await running.waitForText("password of the key in \(certificates.encryptedClientKey): ")
            running.write("\(certificates.clientKeyPassword)\n")
            let result = try await running.waitForEnd()
            #expect(result.screenText.contains("welcome"), "\(result.screenText)")
            #expect(!result.screenText.contains(certificates.clientKeyPassword))
        }
    }

    @Test func `with --ignore-stdin a missing key password is a usage error instead of a prompt`() async throws {
        try await withNginx(files: ["x": .text("welcome")], clientCertificates: .verified) { nginx in
            let result = try await program(nginx, "--ignore-stdin").run()
            #expect(result.status == 64)
            #expect(result.screenText.hasPrefix("afcli: error: --cert-key-pass: "), "\(result.screenText)")
        }
    }

    @Test func `an encrypted key from a FIFO without a password is an error without a prompt`() async throws {
        try await withNginx(files: ["x": .text("welcome")], clientCertificates: .verified) { nginx in
            let folder = try ScratchFolder()
            let certificates = try await TestCertificates.shared
            let script = #"exec "$0" --ignore-stdin -b --cacert "$1" --cert "$2" --cert-key <(cat "$3") "$4" 2>"$5""#
            var program = Program(
                "/bin/bash",
                [
                    "-c", script, try Program.afcliPath(), nginx.root, certificates.client.certificate,
                    certificates.encryptedClientKey, nginx.secureURL("/x"), folder.file("errors"),
                ]
            ).onTerminal()
            program.environment = ["TERM": "dumb", "PATH": "/usr/bin:/bin"]
            let result = try await program.run()
            #expect(result.status == 64, "\(result.screenText)")
            #expect(!result.screenText.contains("pass phrase"), "\(result.screenText)")
            #expect(try folder.text(of: "errors").hasPrefix("afcli: error: --cert-key-pass: "))
        }
    }
}
