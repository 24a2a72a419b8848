import TestSupport
import Testing

/// The rules for reading standard input, with real pipes that stay open: no script hangs.
@Suite(.timeLimit(.minutes(5))) struct InputRulesTests {
    /// Runs with a pipe that is open, delivers this and does not end before the program does.
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
    func `methods that have no body leave a pipe alone, even one that delivers`(method: String) async throws {
        let (result, request) = try await run([method, "URL"], delivering: "not for the server")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == method.uppercased())
        #expect(request?.body == [])
    }

    @Test(arguments: [["get", "URL", "@-"], ["delete", "URL", "--raw", "@-"], ["options", "URL", "-T", "-"]])
    func `they read it where they are asked to`(words: [String]) async throws {
        let (result, request) = try await run(words, delivering: "asked for", ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == words[0].uppercased())
        #expect(request?.text == "asked for")
    }

    @Test func `an item takes it to its end`() async throws {
        let (result, request) = try await run(["get", "URL", "a=@-"], delivering: "text", ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.text == #"{"a": "text"}"#)
    }

    @Test(arguments: ["post", "put", "patch", "purge"])
    func `for other methods it is the body, to its end`(method: String) async throws {
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

    @Test func `without a method a pipe that ends in time leaves a GET`() async throws {
        let (result, request) = try await run(["URL"], after: .seconds(1), ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(request?.method == "GET")
    }

    @Test(arguments: [["post", "URL"], ["put", "URL", "a=@-"], ["post", "URL", "--form", "f@-"]])
    func `a silent pipe that is the body is reported once after five seconds`(words: [String]) async throws {
        let start = ContinuousClock.now
        let (result, request) = try await run(words, delivering: "late", after: .milliseconds(6500), ending: true)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(start.duration(to: .now) >= .seconds(6))
        let message = "afcli: waiting for data on standard input; --ignore-stdin skips it\n"
        #expect(result.errorText.ranges(of: message).count == 1, "\(result.errorText)")
        #expect(request?.text.contains("late") == true)
    }

    @Test func `a pause of a pipe that has delivered is not reported`() async throws {
        let (result, _) = try await run(["post", "URL", "--timeout", "6"], delivering: "first")
        #expect(result.status == 2)
        #expect(!result.errorText.contains("waiting for data"), "\(result.errorText)")
    }

    @Test func `without a method a silent pipe is an error after five seconds`() async throws {
        let start = ContinuousClock.now
        let (result, request) = try await run(["URL"])
        #expect(result.status == 64)
        #expect(result.errorText.contains("standard input is open but has no data\n  use --ignore-stdin"))
        #expect(start.duration(to: .now) >= .seconds(5))
        #expect(request == nil)
    }

    @Test(arguments: [
        ["URL", "a=b"], ["URL", "--raw", "x"], ["URL", "-F", "a=b"], ["post", "URL", "a=b"], ["-I", "URL"],
        ["--ignore-stdin", "post", "URL"], ["get", "URL", "q==1"], ["--offline", "URL", "a=b"],
    ])
    func `a silent pipe does not block requests that do not need it`(words: [String]) async throws {
        let (result, _) = try await run(words)
        #expect(result.status == 0, "\(result.errorText)")
    }

    @Test func `a body that never comes is given up like any other silence`() async throws {
        let (result, _) = try await run(["post", "URL", "--timeout", "1"])
        #expect(result.status == 2, "\(result.errorText)")
        #expect(
            result.errorText == """
                afcli: error: standard input delivered no data for 1.00 s
                  check the program that writes it, or increase --timeout; 0 waits without limit

                """)
    }

    @Test func `a loop over lines keeps its input`() async throws {
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

    @Test func `a loop over lines keeps its input from bodies too, and hears no warning`() async throws {
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
