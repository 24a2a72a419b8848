import TestSupport
import Testing

/// The rules for reading standard input, with real pipes that stay open: no script hangs.
@Suite(.timeLimit(.minutes(5))) struct InputRulesTests {
    /// Runs the tool with an open pipe that delivers a text and does not end unless `ending` is true.
    private func run(
        _ words: [String],
        delivering text: String = "",
        after delay: Duration = .zero,
        ending: Bool = false,
        within limit: Duration = Deadline.timeout
    ) async throws -> (result: ProgramResult, request: RecordedRequest?) {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            var program = Program(try Program.afcliPath(), words.map { $0 == "URL" ? server.url() : $0 })
            program.input = .pipe
            let running = try program.start()
            // The delay is under test: a pipe with a slow writer.
            if delay > .zero { try await Task.sleep(for: delay) }
            running.write(text)
            if ending { running.closeInput() }
            return (try await running.waitForEnd(within: limit), server.requests.first)
        }
    }

    @Test(arguments: ["get", "head", "options", "delete", "trace"])
    func `methods without a body do not send a pipe, even if it has data`(method: String) async throws {
        let (result, request) = try await run([method, "URL"], delivering: "not for the server")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == method.uppercased())
        #expect(request?.body == [])
    }

    @Test(arguments: [["get", "URL", "@-"], ["delete", "URL", "--raw", "@-"], ["options", "URL", "-T", "-"]])
    func `methods without a body send standard input if it is requested`(words: [String]) async throws {
        let (result, request) = try await run(words, delivering: "asked for", ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == words[0].uppercased())
        #expect(request?.text == "asked for")
    }

    @Test func `a request item reads standard input to its end`() async throws {
        let (result, request) = try await run(["get", "URL", "a=@-"], delivering: "text", ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.text == #"{"a": "text"}"#)
    }

    @Test(arguments: [
        (["URL", "-a", "fd:0"], "ada:secret\nrest"), (["URL", "-a", "@/dev/stdin"], "ada:secret\nrest"),
        (["post", "URL", "-a", "@-"], "ada:secret"), (["URL", "--netrc-file", "/dev/stdin"], Self.netrc),
        (["put", "URL", "--netrc-file", "/proc/self/fd/0"], Self.netrc),
    ])
    func `standard input that an option reads is no body`(words: [String], text: String) async throws {
        let (result, request) = try await run(words, delivering: text, ending: true)
        #expect(result.status == 0 && !result.errorText.contains("standard input"), "\(result.errorText)")
        #expect(request?.method == (words[0] == "URL" ? "GET" : words[0].uppercased()))
        #expect(request?["Authorization"] == "Basic YWRhOnNlY3JldA==")
        #expect(request?.body == [])
    }

    private static let netrc = "default login ada password secret\n"

    @Test func `a field from standard input is no body`() async throws {
        let (result, request) = try await run(["URL", "X-A:@/dev/stdin"], delivering: "secret", ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == "GET" && request?["X-A"] == "secret" && request?.body == [])
    }

    @Test(arguments: [["URL", "@/dev/stdin"], ["URL", "--raw", "@/dev/fd/0"], ["post", "URL", "-T", "/dev/stdin"]])
    func `the path of standard input has the meaning of a dash`(words: [String]) async throws {
        let (result, request) = try await run(words, delivering: "some text", ending: true)
        #expect(result.status == 0 && !result.errorText.contains("ignoring"), "\(result.errorText)")
        #expect(request?.text == "some text" && request?["Content-Length"] == "9")
    }

    @Test(arguments: ["post", "put", "patch", "purge"])
    func `for other methods standard input is the body, even if it arrives late`(method: String) async throws {
        let (result, request) = try await run(
            [method, "URL"], delivering: "late", after: .milliseconds(300), ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == method.uppercased())
        #expect(request?.text == "late")
    }

    @Test func `without a method a pipe that delivers in time is the body of a POST`() async throws {
        let (result, request) = try await run(["URL"], delivering: "in time", after: .seconds(1), ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == "POST")
        #expect(request?.text == "in time")
    }

    @Test func `without a method a pipe that ends in time results in a GET`() async throws {
        let (result, request) = try await run(["URL"], after: .seconds(1), ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == "GET")
    }

    @Test func `a silent pipe that is the body is reported once after five seconds`() async throws {
        try await concurrently([["post", "URL"], ["put", "URL", "a=@-"], ["post", "URL", "--form", "f@-"]]) { words in
            try await withServer { _ in
                .ok("answer")
            } _: { server in
                let start = ContinuousClock.now
                var program = Program(try Program.afcliPath(), words.map { $0 == "URL" ? server.url() : $0 })
                program.input = .pipe
                let running = try program.start()
                let message = "afcli: waiting for data on standard input; --ignore-stdin skips it\n"
                try await running.waitForText(message)
                #expect(start.duration(to: .now) >= .seconds(5), "\(words)")
                try await remains("there is no other message", for: .seconds(1)) {
                    running.errorText.ranges(of: message).count == 1
                }
                running.write("late")
                running.closeInput()
                let result = try await running.waitForEnd()
                #expect(result.status == 0, "\(words): \(result.errorText)")
                #expect(result.errorText.ranges(of: message).count == 1, "\(words): \(result.errorText)")
                #expect(server.requests.first?.text.contains("late") == true, "\(words)")
            }
        }
    }

    @Test func `a pause after the first data of a pipe is not reported`() async throws {
        let (result, _) = try await run(["post", "URL", "--timeout", "6"], delivering: "first")
        #expect(result.status == 2)
        #expect(!result.errorText.contains("waiting for data"), "\(result.errorText)")
    }

    @Test func `without a method a silent pipe results in a GET after two seconds, with a note`() async throws {
        let start = ContinuousClock.now
        let (result, request) = try await run(["URL"])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("standard input is open but has no data: sending GET"))
        #expect(start.duration(to: .now) >= .seconds(2))
        #expect(request?.method == "GET")
    }

    @Test(arguments: [
        ["URL", "a=b"], ["URL", "--raw", "x"], ["URL", "-F", "a=b"], ["post", "URL", "a=b"], ["-I", "URL"],
        ["--ignore-stdin", "post", "URL"], ["get", "URL", "q==1"], ["--offline", "URL", "a=b"],
    ])
    func `a silent pipe does not block requests that do not need it`(words: [String]) async throws {
        let (result, _) = try await run(words)
        #expect(result.status == 0, "\(result.errorText)")
    }

    @Test func `standard input without data runs into the timeout`() async throws {
        let (result, _) = try await run(["post", "URL", "--timeout", "1"])
        #expect(result.status == 2, "\(result.errorText)")
        #expect(
            result.errorText == """
                afcli: standard input has no data yet and is sent as JSON; Content-Type:TYPE names another type
                afcli: error: standard input delivered no data for 1.00 s
                  check the program that writes it, or increase --timeout; 0 waits without limit

                """)
    }

    @Test func `get in a shell loop does not consume the input of the loop`() async throws {
        let folder = try ScratchFolder()
        let lines = try folder.write("one\ntwo\nthree\n", to: "lines")
        try await withServer { _ in
            .ok("")
        } _: { server in
            let script = #"while read -r word; do "$0" get "$1" "w==$word"; done"#
            var program = Program("/bin/sh", ["-c", script, try Program.afcliPath(), server.url()])
            program.input = .file(lines)
            #expect(try await program.run().status == 0)
            #expect(server.requests.map(\.target) == ["/?w=one", "/?w=two", "/?w=three"])
        }
    }

    @Test func `post with items in a shell loop does not consume its input and prints no warning`() async throws {
        let folder = try ScratchFolder()
        let lines = try folder.write("one\ntwo\n", to: "lines")
        try await withServer { _ in
            .ok("")
        } _: { server in
            let script = #"while read -r word; do "$0" post "$1" "w=$word"; done"#
            var program = Program("/bin/sh", ["-c", script, try Program.afcliPath(), server.url()])
            program.input = .file(lines)
            let result = try await program.run()
            #expect(result.status == 0)
            #expect(result.errorText.isEmpty)
            #expect(server.requests.map(\.text) == [#"{"w": "one"}"#, #"{"w": "two"}"#])
        }
    }

    @Test func `a redirected file that is not sent causes a warning`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("{}", to: "body")
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            var program = try Program.afcli("post", server.url(), "a=b")
            program.input = .file(file)
            let result = try await program.run()
            #expect(result.status == 0)
            #expect(result.text == "answer")
            #expect(result.errorText.hasPrefix("afcli: warning: ignoring standard input: "))
            #expect(server.requests.first?.text == #"{"a": "b"}"#)
        }
    }
}
