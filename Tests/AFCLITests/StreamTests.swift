import TestSupport
import Testing

/// Standard streams as set up by shells.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    @Test func `a pipe is read to its end and sent as the body`() async throws {
        try await withServer { _ in
            .ok("got it")
        } _: { server in
            var program = try Program.afcli("post", server.url())
            program.input = .text("from a pipe")
            let result = try await program.run()
            #expect(result.status == 0)
            #expect(result.text == "got it")
            #expect(result.errorText.isEmpty)
            let request = try #require(server.requests.first)
            #expect(request.text == "from a pipe")
            #expect(request["Content-Length"] == "11")
            #expect(request["Transfer-Encoding"] == nil)
            #expect(request["Content-Type"] == "text/plain; charset=utf-8")
        }
    }

    @Test func `--write-out is one write, so that parallel processes do not mix their lines`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok()
        } _: { server in
            let template = #"%{http_code} %{method} %{url}\n"#
            var program = try Program.afcli("-qq", "-w", template, server.url("/x"))
            let calls = ["-f", "-qq", "-s", "200", "-e", "trace=write", "-o", folder.file("calls"), program.path]
            program.arguments = calls + program.arguments
            program.path = try Program.installed("strace", package: "strace").path
            #expect(try await program.run().text == "200 GET \(server.url("/x"))\n")
            let writes = try folder.text(of: "calls").split(separator: "\n").filter { $0.contains("write(1,") }
            #expect(writes.count == 1, "\(writes)")
        }
    }

    @Test func `a redirected file is sent as the body with its length`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("from a file", to: "f")
        try await withServer { _ in
            .ok()
        } _: { server in
            var program = try Program.afcli(server.url())
            program.input = .file(file)
            #expect(try await program.run().status == 0)
            #expect(server.requests.first?.method == "POST")
            #expect(server.requests.first?["Content-Length"] == "11")
            #expect(server.requests.first?.text == "from a file")
        }
    }

    @Test func `a chunked body from a pipe is not retried, and the response is shown`() async throws {
        try await withServer { _ in
            .status(503, "busy")
        } _: { server in
            var program = try Program.afcli("--chunked", "put", server.url(), "--retry", "2", "--retry-delay", "1ms")
            program.input = .text("once")
            let result = try await program.run()
            #expect(result.status == 5)
            #expect(result.text == "busy")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ["get", "head", "options", "delete"])
    func `a method without a body never waits for standard input`(method: String) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            var program = try Program.afcli(method, server.url())
            program.input = .pipe
            let running = try program.start()
            #expect(try await running.waitForEnd().status == 0)
            #expect(server.requests.first?.body == [])
        }
    }

    @Test func `an empty pipe and a silent pipe result in a GET, the latter with a note`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            #expect(try await Program.afcli(server.url()).run().status == 0)
            #expect(server.requests.first?.method == "GET")
            var program = try Program.afcli(server.url())
            program.input = .pipe
            let result = try await program.start().waitForEnd()
            #expect(result.status == 0)
            #expect(result.errorText.contains("standard input is open but has no data"))
            #expect(server.requests.map(\.method) == ["GET", "GET"])
        }
    }

    @Test func `--offline shows the same request head as is sent for a body from a pipe`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            var program = try Program.afcli("-p", "H", "post", server.url(), "Cookie:a=b", "X-A:1")
            program.input = .text("from a pipe")
            let sent = try await program.run()
            program.arguments += ["--offline", "--show-secrets"]
            #expect(try await program.run().text == sent.text)
            #expect(server.requests.map(\.headText) == [sent.text])
        }
    }

    @Test func `-v shows a body from a pipe as it is sent`() async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            var program = try Program.afcli("-v", "post", server.url())
            program.input = .text("streamed body")
            let whole = try await program.run()
            #expect(whole.text.contains("\r\n\r\nstreamed body\n\nHTTP/1.1 200 OK\r\n"), "\(whole.text)")
            program = try Program.afcli(
                "-v", "post", server.url(), "--boundary", "B", "-F", "a=first", "-F", "b=@-;filename=x", "-F", "c=last")
            program.input = .text("streamed part")
            let parts = try await program.run()
            let request = try #require(server.requests.last)
            #expect(request.text.contains("streamed part"))
            #expect(parts.text.contains(request.text + "\n\nHTTP/1.1 200 OK\r\n"), "\(parts.text)")
        }
    }

    @Test(arguments: [["URL"], ["post", "URL"], ["URL", "--raw", "@-"], ["-T", "-", "URL"], ["URL", "-F", "a=@-"]])
    func `a directory as standard input is an error with a hint`(words: [String]) async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok()
        } _: { server in
            var program = Program(try Program.afcliPath(), words.map { $0 == "URL" ? server.url() : $0 })
            program.input = .file(folder.path)
            let result = try await program.run()
            #expect(result.status == 16)
            let sentence = "cannot read standard input: it is a directory\n  "
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a closed standard input is ignored`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            var program = try Program.afcli(server.url())
            program.input = .closed
            #expect(try await program.run().text == "x")
            #expect(server.requests.first?.method == "GET")
        }
    }

    @Test func `a broken output pipe ends the run without a message`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 65, count: 1_000_000))
        } _: { server in
            var program = try Program.afcli(server.url())
            program.output = .brokenPipe
            let result = try await program.run()
            #expect(result.status == 141)
            #expect(result.errorText.isEmpty)
        }
    }

    @Test func `a closed standard output is an error, and no socket reuses its descriptor`() async throws {
        try await withServer { _ in
            .ok("body")
        } _: { server in
            for words in [["get", server.url()], ["--offline", server.url()], ["--help"]] {
                var program = Program(try Program.afcliPath(), words)
                program.output = .closed
                let result = try await program.run()
                #expect(result.status == 16)
                #expect(result.errorText.hasPrefix("afcli: error: cannot write the output"))
            }
            #expect(server.requests.allSatisfy { $0.body.isEmpty })
        }
    }

    @Test(arguments: [Program.Output.closed, .brokenPipe, .file("/dev/full")])
    func `a download succeeds even if standard error cannot be written`(errors: Program.Output) async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok("body")
        } _: { server in
            var program = try Program.afcli("-v", "-d", "-o", folder.file("f"), server.url())
            program.errors = errors
            #expect(try await program.run().status == 0)
            #expect(try folder.text(of: "f") == "body")
        }
    }

    @Test func `a full disk is an error for standard output and for --output`() async throws {
        try await withServer { _ in
            .ok("body")
        } _: { server in
            var program = try Program.afcli(server.url())
            program.output = .file("/dev/full")
            let result = try await program.run()
            #expect(result.status == 16)
            #expect(result.errorText.hasPrefix("afcli: error: cannot write the output: the disk is full\n"))
            let device = try await Program.afcli("-o", "/dev/full", server.url()).run()
            #expect(device.status == 16)
            let sentence = "afcli: error: --output: cannot write '/dev/full': the disk is full\n"
            #expect(device.errorText == sentence)
        }
    }

    @Test func `CA certificates can be set with environment variables`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("secret")]) { nginx in
            for variables in [["SSL_CERT_FILE": nginx.root], ["SSL_CERT_DIR": certificates.rootFolder]] {
                var program = try Program.afcli(nginx.secureURL("/x"))
                program.environment = variables
                #expect(try await program.run().text == "secret")
            }
        }
    }

    @Test func `an argument that is not UTF-8 is an error with its position`() async throws {
        let result = try await Program("/bin/sh", ["-c", #"exec "$0" get "$(printf 'a\377')""#, Program.afcliPath()])
            .run()
        #expect(result.status == 64)
        #expect(result.errorText.contains("argument 2 is not UTF-8"))
    }

    @Test func `a preloaded library that sets a variable does not change the arguments`() async throws {
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            var program = try Program.afcli("get", server.url("/a b?c=ü"), "x==")
            program.environment = ["LD_PRELOAD": try Program.fakeTimeLibrary(), "FAKETIME": "-1d"]
            let result = try await program.run()
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.text == "hello")
            #expect(server.requests.first?.target == "/a%20b?c=%C3%BC&x=")
        }
    }
}
