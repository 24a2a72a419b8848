import TestSupport
import Testing

@Suite("Safety 11: netrc", .timeLimit(.minutes(5)))
struct SafetyRow11NetrcTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Returns the credentials that a server receives, for a netrc file.
    private nonisolated(nonsending) func login(
        _ netrc: String,
        at host: String = "a.example.com",
        user: String = "",
        _ words: String...
    ) async throws -> String {
        try folder.write(netrc, to: "netrc", permissions: 0o600)
        return try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { server in
            let url = "http://\(user.isEmpty ? "" : user + "@")\(host):\(server.port)/"
            let options = ["-b", "--netrc-file", "netrc", "--connect-to", "::127.0.0.1:\(server.port)"]
            let run = try await folder.afcli(options + [url] + words)
            #expect(run.status == 0, "\(run.errorText)")
            return run.text
        }
    }

    @Test(arguments: [
        ("a.example.com", true), ("A.Example.Com", true), ("example.com", false), ("b.a.example.com", false),
        (".example.com", false), ("*.example.com", false), ("a.example.com.evil.org", false), ("a.example.co", false),
    ])
    func `only the complete host name matches`(machine: String, isGiven: Bool) async throws {
        let netrc = "machine \(machine) login ada password s3cret\n"
        #expect(try await login(netrc) == (isGiven ? "Basic YWRhOnMzY3JldA==" : "none"))
    }

    @Test func `a named user gets no other user's password`() async throws {
        let netrc = """
            machine a.example.com login ada password s3cret
            machine a.example.com login eve password other

            """
        #expect(try await login(netrc, user: "ada") == "Basic YWRhOnMzY3JldA==")
        #expect(try await login(netrc, user: "eve") == "Basic ZXZlOm90aGVy")
        // The entry has no password.
        #expect(try await login(netrc, user: "bob") == "Basic Ym9iOg==")
    }

    @Test func `typed credentials have priority`() async throws {
        let netrc = "machine a.example.com login ada password s3cret\n"
        #expect(try await login(netrc, "-a", "eve:typed") == "Basic ZXZlOnR5cGVk")
        #expect(try await login(netrc, user: "eve:typed") == "Basic ZXZlOnR5cGVk")
        #expect(try await login(netrc, "Authorization:Custom typed") == "Custom typed")
        #expect(try await login(netrc, "Authorization:") == "none")
        #expect(try await login(netrc, "-A", "bearer", "-a", "typed") == "Bearer typed")
        #expect(try await login(netrc, "--ignore-netrc") == "none")
    }

    @Test func `typed credentials have priority over configured ones`() async throws {
        try folder.write(#"{"default_options": ["--auth=conf:igured"]}"#, to: "config.json")
        try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { (server) async throws in
            func login(_ user: String, _ words: String...) async throws -> String {
                let words = ["-b", "--config", "config.json", "http://\(user)\(server.authority)/"] + words
                return try await folder.afcli(words).text
            }
            #expect(try await login("") == "Basic Y29uZjppZ3VyZWQ=")
            #expect(try await login("eve:typed@") == "Basic ZXZlOnR5cGVk")
            #expect(try await login("bob@") == "Basic Ym9iOg==")
            #expect(try await login("", "Authorization:Custom typed") == "Custom typed")
            #expect(try await login("", "Authorization:") == "none")
        }
    }

    @Test func `another origin receives nothing, even if the file has an entry for it`() async throws {
        try folder.write("default login ada password s3cret\n", to: "netrc", permissions: 0o600)
        let other = try LocalServer { _ in .status(401).header("WWW-Authenticate", "Basic realm=\"r\"") }
        try await withServer { request in
            request.path == "/" ? .redirect(to: "/again") : .redirect(to: other.url())
        } _: { server in
            let run = try await folder.afcli("-L", "--netrc-file", "netrc", server.url())
            #expect(run.status == 4, "\(run.errorText)")
            #expect(server.requests.map { $0["Authorization"] != nil } == [true, true])
            #expect(other.requests.map { $0["Authorization"] } == [nil])
        }
    }

    @Test func `a file that others can read causes a warning`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for (mode, warns) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] as [(UInt32, Bool)] {
                try folder.write("machine 127.0.0.1 login ada password s3cret\n", to: "netrc")
                try folder.setPermissions(mode, of: "netrc")
                let run = try await folder.afcli("--netrc-file", "netrc", server.url())
                #expect(run.status == 0)
                #expect(run.errorText.contains("other users can read the passwords") == warns, "\(run.errorText)")
                #expect(!run.errorText.contains("s3cret"))
            }
        }
    }
}
