import Synchronization
import TestSupport
import Testing

/// Connections, TLS sessions and authenticated connections that the transfers of a command share, compared with curl.
@Suite(.timeLimit(.minutes(5))) struct CurlSharingTests {
    /// Returns the outputs of a shell command with curl and with afcli.
    private func outputs(
        of command: String,
        in folder: ScratchFolder
    ) async throws -> (theirs: ProgramResult, ours: ProgramResult) {
        let afcli = try Program.afcliPath()
        var results: [ProgramResult] = []
        for curl in ["/usr/bin/curl", "'\(afcli)' curl"] {
            let program = Program(
                "/bin/sh", ["-c", "curl() { \(curl) \"$@\"; }\n\(command)"],
                environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
                workingDirectory: folder.path)
            results.append(try await program.run())
        }
        return (results[0], results[1])
    }

    @Test(arguments: [
        ("curl -s --cacert ROOT -w '%{num_connects} %{http_version}\\n' URL/a.txt URL/a.txt", "a1 2\na0 2\n"),
        ("curl -s --cacert ROOT -w '%{num_connects}\\n' 'URL/a.txt?[1-3]'", "a1\na0\na0\n"),
        ("curl -s --cacert ROOT --http1.1 -w '%{num_connects}\\n' 'URL/a.txt?[1-3]'", "a1\na0\na0\n"),
        ("curl -s --cacert ROOT -w '%{num_connects}\\n' URL/a.txt --next --cacert ROOT URL/a.txt", "a1\na"),
        // Another trust is another connection.
        (
            "curl -s --cacert ROOT URL/a.txt --next -sk -w '%{num_connects}\\n' URL/a.txt", "aa1\n"
        ),
        ("curl -s --cacert ROOT --http1.1 URL/closing URL/closing URL/closing", ".\nr\nr\n"),
        ("curl -s --cacert ROOT --http1.1 --no-sessionid URL/closing URL/closing", ".\n.\n"),
        (
            "curl -s --cacert ROOT --http1.1 URL/closing --next -s --cacert ROOT --http1.1 URL/closing", ".\nr\n"
        ),
        ("curl -s --cacert ROOT -Z -o /dev/null -w '%{http_code} ' 'URL/a.txt?[1-5]'", "200 200 200 200 200 "),
        (
            "curl -sZ --parallel-immediate --cacert ROOT -o /dev/null -w '%{http_code} ' 'URL/a.txt?[1-5]'",
            "200 200 200 200 200 "
        ),
    ])
    func `connections over TLS and their sessions are shared`(command: String, expected: String) async throws {
        let directives = """
            ssl_session_cache shared:sessions:1m;
            location = /closing { keepalive_timeout 0; return 200 "$ssl_session_reused\\n"; }
            """
        try await withNginx(files: ["a.txt": .text("a")], directives: directives) { nginx in
            let typed = command.replacing("URL", with: String(nginx.secureURL("/").dropLast())).replacing(
                "ROOT", with: nginx.root)
            let (theirs, ours) = try await outputs(of: typed, in: try ScratchFolder())
            #expect(ours.text == expected, "\(ours.errorText)")
            #expect(theirs.text == expected && theirs.status == ours.status, "\(theirs.errorText)")
        }
    }

    @Test func `parallel transfers over HTTP/2 share a connection`() async throws {
        let folder = try ScratchFolder()
        let nginx = try await NginxServer(files: ["a.txt": .text("a")])
        let (theirs, ours) = try await outputs(
            of: "curl -sSZ --cacert \(nginx.root) '\(nginx.secureURL("/a.txt"))?[1-20]' -o 'a#1'", in: folder)
        #expect(theirs.status == 0 && ours.status == 0, "\(ours.errorText)")
        #expect(folder.list().count == 20)
        let requests = nginx.finalRequests()
        #expect(requests.count == 40 && Set(requests.map(\.connection)).count == 2)
    }

    @Test func `NTLM authenticates a connection once`() async throws {
        let authenticated = Mutex<Set<Int>>([])
        try await withServer { request in
            if authenticated.withLock({ $0.contains(request.connection) }) { return .ok("known\n") }
            return NTLMLogin.response(to: request) { request in
                authenticated.withLock { _ = $0.insert(request.connection) }
                return .ok("welcome\n")
            }
        } _: { server in
            let (theirs, ours) = try await outputs(
                of: "curl -s --ntlm -u user:password '\(server.url("/"))[1-3]'", in: try ScratchFolder())
            #expect(theirs.text == "welcome\nknown\nknown\n" && ours.text == theirs.text, "\(ours.errorText)")
            let fields = server.requests.map { $0["Authorization"] == nil }
            #expect(
                fields.count % 2 == 0 && Array(fields[..<(fields.count / 2)]) == Array(fields[(fields.count / 2)...]))
        }
    }

    @Test func `an interruption ends parallel transfers in order`() async throws {
        try await withServer {
            $0.path == "/quick" ? .ok("quick\n") : .silence
        } _: { server in
            let folder = try ScratchFolder()
            let words = ["curl", "-sZ", "-c", "jar", "-o", "#1", server.url("/{quick,silent,still}")]
            let afcli = try Program.afcliPath()
            var program = Program(afcli, words)
            program.workingDirectory = folder.path
            let running = try program.start()
            try await server.waitForRequests(3)
            try await eventually("the first file is saved") { folder.has("quick") }
            running.interrupt()
            let result = try await running.waitForEnd()
            #expect(result.status == 130, "\(result.errorText)")
            #expect(
                (try folder.bytes(of: "quick")) == Array("quick\n".utf8) && !folder.has("silent") && folder.has("jar"))
        }
    }

    @Test(arguments: [[], ["--rate", "1/h"]])
    func `an interruption ends transfers in order, and starts no others`(options: [String]) async throws {
        try await withServer {
            $0.path == "/quick" || !options.isEmpty ? .ok("quick\n") : .silence
        } _: { server in
            let folder = try ScratchFolder()
            let words = ["curl", "-s", "-o", "#1", server.url("/{quick,silent,still}")] + options
            var program = Program(try Program.afcliPath(), words)
            program.workingDirectory = folder.path
            let running = try program.start()
            try await server.waitForRequests(options.isEmpty ? 2 : 1)
            try await eventually("the first file is saved") { folder.has("quick") }
            running.interrupt()
            let result = try await running.waitForEnd()
            #expect(result.status == 130, "\(result.errorText)")
            #expect(server.requests.count == (options.isEmpty ? 2 : 1) && !folder.has("silent"))
        }
    }
}
