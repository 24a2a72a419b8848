import TestSupport
import Testing

/// The table of exit statuses, each provoked by a command; 15 is tested with the checksums.
@Suite(.timeLimit(.minutes(5))) struct ExitStatusTableTests {
    /// A row of the table.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: Int32
        /// The command line: `URL` is the server, `REFUSING` a port without a listener, `SILENT` one that never
        /// responds.
        let words: [String]
        var input = Program.Input.empty
        var output = Program.Output.captured

        var testDescription: String { "\(code): \(words.joined(separator: " "))" }
    }

    static let rows = [
        Row(code: 0, words: ["URL/200"]), Row(code: 0, words: ["URL/304", "If-None-Match:x"]),
        Row(code: 0, words: ["URL/500", "--no-check-status"]),
        Row(code: 0, words: ["URL/404", "--expect-status", "4xx"]),
        // The body was already sent when the server requires it again, and a pipe can be read only once.
        Row(code: 1, words: ["--chunked", "post", "URL/digest", "-A", "digest", "-a", "ada:x"], input: .text("body")),
        Row(code: 2, words: ["URL/silence", "--timeout", "0.2"]),
        Row(code: 2, words: ["URL/silence", "--max-time", "0.2"]),
        Row(code: 2, words: ["SILENT", "--connect-timeout", "0.2"]),
        Row(code: 3, words: ["URL/302"]), Row(code: 4, words: ["URL/404"]), Row(code: 5, words: ["URL/503"]),
        Row(code: 6, words: ["-L", "URL/loop", "--max-redirects", "2"]), Row(code: 6, words: ["-L", "URL/ftp"]),
        Row(code: 10, words: ["http://nowhere.invalid/"]),
        Row(code: 10, words: ["URL", "--proxy", "http://nowhere.invalid:1"]),
        Row(code: 11, words: ["REFUSING"]), Row(code: 11, words: ["URL", "--proxy", "REFUSING"]),
        Row(code: 11, words: ["URL", "--unix-socket", "/nonexistent"]),
        Row(code: 12, words: ["HTTPS/200"]), Row(code: 12, words: ["HTTPS/200", "-k", "--pin", pin]),
        Row(code: 13, words: ["URL/truncated"]), Row(code: 13, words: ["URL/reset"]),
        Row(code: 13, words: ["URL/garbage"]),
        Row(code: 13, words: ["URL/200", "--max-filesize", "1"]),
        Row(code: 13, words: ["URL/200", "--max-headers", "1"]),
        Row(code: 14, words: ["URL/200", "--expect-status", "201"]),
        Row(code: 14, words: ["URL/200", "--expect-type", "image/*"]),
        Row(code: 14, words: ["URL/200", "--expect-header", "X"]),
        Row(code: 14, words: ["URL/200", "--expect-json", "a==1"]),
        Row(code: 14, words: ["URL/200", "--budget", "total=0"]),
        Row(code: 14, words: ["URL/404", "--expect-status", "200"]),
        Row(code: 16, words: ["URL", "@/nonexistent"]), Row(code: 16, words: ["URL/200", "-o", "/nonexistent/f"]),
        Row(code: 16, words: ["URL/200"], output: .file("/dev/full")),
        Row(code: 16, words: ["URL/200", "--report", "/nonexistent/r"]),
        Row(code: 64, words: ["--nonsense"]), Row(code: 64, words: []), Row(code: 64, words: ["ftp://x"]),
        Row(code: 64, words: ["URL", "--timeout", "soon"]),
        Row(code: 141, words: ["URL/200"], output: .brokenPipe),
    ]

    private static let pin = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(arguments: rows)
    func `every command ends with the exit status of the table`(row: Row) async throws {
        try await withServer(Self.answer) { server in
            let (refusing, silent) = (try RefusingPort(), try UnresponsivePort())
            try await withTLS(row) { secure in
                let words = row.words.map { word in
                    word.replacing("HTTPS", with: secure).replacing("URL", with: "http://\(server.authority)")
                        .replacing("REFUSING", with: refusing.url()).replacing("SILENT", with: silent.url())
                }
                let program = Program(try Program.afcliPath(), words, input: row.input, output: row.output)
                let result = try await program.run()
                #expect(result.status == row.code, "\(result.errorText)")
                #expect(result.signal == nil)
                // A closed pipe has no reader for a message, and success needs no message.
                let isTold = ![0, 141].contains(row.code)
                #expect(result.errorText.hasPrefix("afcli: ") == isTold, "\(result.errorText)")
            }
        }
    }

    /// Starts a TLS server only for the rows that need one.
    private nonisolated(nonsending) func withTLS(_ row: Row, _ test: (String) async throws -> Void) async throws {
        guard row.words.contains(where: { $0.hasPrefix("HTTPS") }) else { return try await test("") }
        try await withNginx(files: ["200": .text("x")]) { try await test("https://localhost:\($0.securePort)") }
    }

    private static let answer: LocalServer.Responder = { request in
        switch request.path {
        case "/silence": .silence
        case "/reset": .reset
        case "/truncated": .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        case "/garbage": .raw("no HTTP at all\r\n\r\n")
        case "/loop": .redirect(to: "/loop")
        case "/ftp": .redirect(to: "ftp://example.invalid/")
        case "/302": .redirect(to: "/200")
        case "/digest":
            .status(401).header(
                "WWW-Authenticate", DigestLogin().challenge(isStale: request["Authorization"] != nil))
        default: .status(Int(request.path.dropFirst()) ?? 200, request.path == "/304" ? "" : "text")
        }
    }

    @Test(arguments: [(Int32(2), Int32(130)), (15, 143)])
    func `a signal has its own status, which is in the report`(signal: Int32, code: Int32) async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .silence
        } _: { server in
            for words in [[], ["--report", folder.file("r.json")]] {
                let program = try Program(try Program.afcliPath(), [server.url()] + words).start()
                try await eventually("the request has come") { server.requests.count == (words.isEmpty ? 1 : 2) }
                program.signal(signal)
                #expect(try await program.waitForEnd().status == code)
            }
            let report = try folder.text(of: "r.json")
            #expect(report.contains("\"error\": {\"code\": \(code), \"kind\": "))
            let word = signal == 15 ? "terminated" : "interrupted"
            #expect(report.contains("\"message\": \"\(word)\"}, \"exit_status\": \(code)}"))
            #expect(folder.list() == ["r.json"])
        }
    }

    @Test func `--offline and --curl do not wait for standard input`() async throws {
        let printing = [["--offline", "-p", "H"], ["--curl"], ["--offline", "-p", "H", "-F", "f=@-"]]
        try await concurrently(printing) { words in
            // The pipe stays open and silent: reading it would block forever.
            let program = Program(
                try Program.afcliPath(), ["post", "http://example.invalid/"] + words, input: .pipe)
            let result = try await program.run()
            #expect(result.status == 0)
            #expect(result.text.contains("POST /") || result.text.contains("curl "), "\(result.errorText)")
        }
    }
}
