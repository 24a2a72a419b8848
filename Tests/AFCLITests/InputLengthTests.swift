import Glibc
import TestSupport
import Testing

/// Bodies from standard input have a length if the input ends soon: many servers treat a chunked body as empty.
@Suite(.timeLimit(.minutes(5))) struct InputLengthTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Runs a shell command, where `afcli` is the tool and `$URL` the server.
    private func shell(
        _ script: String,
        inheriting descriptors: [Int32] = [],
        responder: @escaping LocalServer.Responder = { _ in .ok("answer") }
    ) async throws -> (result: ProgramResult, requests: [RecordedRequest]) {
        try await withServer(responder) { server in
            var program = Program(
                "/bin/sh", ["-c", #"afcli() { "$AFCLI" "$@"; }; "# + script],
                environment: [
                    "AFCLI": try Program.afcliPath(), "URL": server.url(), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                ],
                workingDirectory: folder.path
            )
            program.inherited = descriptors
            return (try await program.run(), server.requests)
        }
    }

    @Test(arguments: [
        "echo hello | afcli post $URL", "echo hello | afcli $URL", "afcli post $URL <<EOF\nhello\nEOF",
        "afcli $URL < hello", "afcli post $URL < hello", "echo hello | afcli $URL @-",
        "echo hello | afcli get $URL --raw @-", "echo hello | afcli $URL -T -",
        "(sleep 0.3; echo hello) | afcli put $URL",
        "(echo hel; sleep 0.2; echo lo) | tr -d '\n' | (cat; echo) | afcli $URL", "cat hello | afcli $URL @-",
    ])
    func `input that ends soon is sent with its length`(script: String) async throws {
        try folder.write("hello\n", to: "hello")
        let (result, requests) = try await shell(script)
        #expect(result.status == 0, "\(result.errorText)")
        let request = try #require(requests.first)
        #expect(request.text == "hello\n")
        #expect(request.values(for: "Content-Length") == ["6"])
        #expect(request["Transfer-Encoding"] == nil)
    }

    @Test(arguments: ["", "-x", "-xx"]) func `a form with a part from a pipe has a length`(option: String) async throws
    {
        let (result, requests) = try await shell("echo hello | afcli \(option) $URL -F a=b -F f=@-")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?["Content-Length"] == requests.first.map { "\($0.body.count)" })
        #expect(requests.first?["Transfer-Encoding"] == nil)
    }

    @Test(arguments: ["cat text | afcli -x post $URL", "afcli -x $URL < text", "afcli -xx $URL @- < text"])
    func `compressed input has a length`(script: String) async throws {
        let text = String(repeating: "again ", count: 10_000)
        try folder.write(text, to: "text")
        let (result, requests) = try await shell(script) { .bytes($0.body).header("Content-Encoding", "deflate") }
        #expect(result.text == text, "\(result.errorText)")
        let request = try #require(requests.first)
        #expect(request["Content-Encoding"] == "deflate")
        #expect(request.values(for: "Content-Length") == ["\(request.body.count)"])
        #expect(request["Transfer-Encoding"] == nil && request.body.count < 1000)
    }

    @Test(arguments: [
        ("head -c 1048576 /dev/zero | afcli $URL", 1 << 20, false),
        ("head -c 1048577 /dev/zero | afcli $URL", (1 << 20) + 1, true),
        ("head -c 5000000 /dev/zero | afcli $URL", 5_000_000, true),
        ("head -c 2000000 /dev/zero > f; afcli $URL < f", 2_000_000, false),
        ("echo x | afcli --chunked $URL", 2, true),
        ("head -c 2000000 /dev/zero | afcli -xx $URL", nil, true),
    ])
    func `only piped input above one mebibyte or with --chunked is sent with chunked encoding`(
        script: String, count: Int?, isChunked: Bool
    ) async throws {
        let (result, requests) = try await shell(script)
        #expect(result.status == 0, "\(result.errorText)")
        let request = try #require(requests.first)
        if let count { #expect(request.bodyLength == count) }
        #expect(request["Transfer-Encoding"] == (isChunked ? "chunked" : nil))
        #expect((request["Content-Length"] == nil) == isChunked)
    }

    @Test func `the bytes read while waiting come first in the stream`() async throws {
        let lines = (0..<400_000).map { "\($0)\n" }.joined()
        try folder.write(lines, to: "lines")
        let (result, requests) = try await shell("(cat lines; sleep 0.6; echo end) | afcli -v post $URL")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?["Transfer-Encoding"] == "chunked")
        #expect(requests.first?.text == lines + "end\n")
    }

    /// Runs the tool with a pipe that the test writes to.
    private func run(
        _ words: [String],
        _ steps: (RunningProgram, LocalServer) async throws -> Void
    ) async throws -> (result: ProgramResult, requests: [RecordedRequest]) {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            var program = Program(try Program.afcliPath(), words.map { $0 == "URL" ? server.url() : $0 })
            program.input = .pipe
            let running = try program.start()
            try await steps(running, server)
            return (try await running.waitForEnd(), server.requests)
        }
    }

    @Test(arguments: [["post", "URL"], ["URL"], ["--chunked", "post", "URL"]])
    func `the output of a slow producer is sent before it ends`(words: [String]) async throws {
        let (result, requests) = try await run(words) { running, server in
            running.write("first ")
            try await eventually("the first bytes arrive") { server.requests.first?.text == "first " }
            running.write("second")
            running.closeInput()
        }
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?["Transfer-Encoding"] == "chunked")
        #expect(requests.first?.text == "first second")
    }

    @Test(arguments: [["-L", "post", "URL/moved"], ["post", "URL/login", "-A", "digest", "-a", "ada:open sesame"]])
    func `a short body from a pipe is sent again after a redirect or a challenge`(words: [String]) async throws {
        let login = DigestLogin()
        let (result, requests) = try await shell(
            "printf twice | afcli \(words.map { "'\($0)'" }.joined(separator: " "))"
                .replacing("'URL/", with: "\"$URL\"'")
        ) { request in
            switch request.path {
            case "/moved": .redirect(to: "/next", status: 307)
            case "/login" where !login.accepts(request): .status(401).header("WWW-Authenticate", login.challenge())
            default: .ok(request.text)
            }
        }
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.text == "twice")
        #expect(requests.last?["Content-Length"] == "5")
    }

    @Test func `a short body out of a pipe is sent again in a retry`() async throws {
        let script = "printf again | afcli put $URL --retry 2 --retry-delay 1ms"
        let (result, requests) = try await shell(script) { _ in .status(503, "busy") }
        #expect(result.status == 5)
        #expect(requests.map(\.text) == ["again", "again", "again"])
    }

    @Test func `an empty pipe is sent as an empty body without Content-Type`() async throws {
        let (result, requests) = try await shell("true | afcli post $URL")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?["Content-Length"] == "0")
        #expect(requests.first?["Content-Type"] == nil)
    }

    @Test func `a pipe in non-blocking mode is read to its end`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        defer { close(ends[0]) }
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = ["-c", #""$0" --chunked post "$1" <&3"#, try Program.afcliPath(), server.url()]
            var program = Program("/bin/sh", words)
            program.inherited = [ends[0]]
            let running = try program.start()
            #expect(write(ends[1], "first ", 6) == 6)
            try await eventually("the first bytes arrive") { server.requests.first?.text == "first " }
            #expect(write(ends[1], "second", 6) == 6)
            close(ends[1])
            let result = try await running.waitForEnd()
            #expect(result.status == 0, "\(result.errorText)")
            #expect(server.requests.first?.text == "first second")
        }
    }
}
