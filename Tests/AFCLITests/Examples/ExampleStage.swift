import TestSupport

/// The environment for the documents' examples: a terminal, a directory with the files that they use, and the demo
/// server in place of every host.
final class ExampleStage: Sendable {
    private let folder: ScratchFolder
    private let server: DemoServer
    /// example.org over TLS.
    private let front: TLSFront
    /// intern.example, which requires a client certificate.
    private let guardedFront: TLSFront
    private let certificates: TestCertificates
    /// The Hurl file of the examples, `people.hurl`; `nil` if they have none.
    private let requests: String?

    init(requests: String? = nil) async throws {
        self.requests = requests
        folder = try ScratchFolder()
        server = try await DemoServer(socket: folder.file("socket"))
        certificates = try await TestCertificates.shared
        front = try TLSFront(to: server.port, identity: certificates.examples)
        guardedFront = try TLSFront(
            to: server.port,
            identity: certificates.examples,
            clientAuthority: certificates.root
        )
        try folder.folder("bin")
        try folder.link("bin/afcli", to: try Program.afcliPath())
        // The first matching rule is used. No name is looked up, and nothing leaves the machine.
        try folder.write(
            """
            {"default_options": [
                "--connect-to", "intern.example:443:127.0.0.1:\(guardedFront.port)",
                "--connect-to", ":443:127.0.0.1:\(front.port)",
                "--connect-to", "::127.0.0.1:\(server.port)"
            ]}
            """,
            to: "home/.config/afcli/config.json"
        )
        // For commands of curl.
        try folder.write(
            """
            connect-to = "intern.example:443:127.0.0.1:\(guardedFront.port)"
            connect-to = ":443:127.0.0.1:\(front.port)"
            connect-to = "::127.0.0.1:\(server.port)"
            """,
            to: "home/.curlrc"
        )
    }

    /// Runs an example as a reader would.
    ///
    /// - Returns: The problem; `nil` if it succeeds and creates exactly the promised files.
    func failure(in example: Example) async throws -> String? {
        let work = try ScratchFolder(in: folder.path)
        try furnish(work)
        let before = Set(work.list())
        let result = try await play(example, in: work)
        guard result.status == 0 else { return "it ends with status \(result.status):\n\(result.screenText)" }
        let made = Set(work.list()).subtracting(before)
        guard made == example.promisedFiles else {
            return "it leaves the files \(made.sorted()) and not \(example.promisedFiles.sorted())"
        }
        let empty = try made.filter { try work.size(of: $0) == 0 }
        return empty.isEmpty ? nil : "it leaves nothing in \(empty.sorted())"
    }

    private func play(_ example: Example, in work: ScratchFolder) async throws -> ProgramResult {
        var program = Program("/bin/sh", ["-c", example.command]).onTerminal(.init(columns: 100))
        program.environment = [
            "HOME": folder.file("home"), "PATH": "\(folder.file("bin")):/usr/bin:/bin", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "PAGER": "cat", "SSL_CERT_FILE": certificates.root, "TOKEN": "t0k",
            "HURL_VARIABLE_host": "http://127.0.0.1:\(server.port)",
        ]
        program.workingDirectory = work.path
        let running = try program.start()
        try await eventually("'\(example.command)' ends") {
            running.hasEnded || running.screenText.contains("password for ")
        }
        if !running.hasEnded { running.write("secret\n") }
        return try await running.waitForEnd()
    }

    private func furnish(_ work: ScratchFolder) throws {
        try work.write("Grace", to: "name.txt")
        try work.write("two bottles", to: "note.txt")
        try work.write("one source\n", to: "src/one.txt")
        for file in ["photo.jpg", "cat.jpg", "backup.tar"] { try work.writePattern(file, size: 40_000) }
        try work.write(try ScratchFolder.bytes(at: certificates.root), to: "ca.pem")
        let client = certificates.client
        let both = try ScratchFolder.bytes(at: client.certificate) + ScratchFolder.bytes(at: client.key)
        try work.write(both, to: "me.pem", permissions: 0o600)
        try work.link("app.sock", to: folder.file("socket"))
        if let requests {
            try work.write(requests, to: "people.hurl")
            try work.write(requests, to: "tests/people.hurl")
        }
    }
}
