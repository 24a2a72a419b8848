import Synchronization
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite(.timeLimit(.minutes(5))) struct OutputTests {
    @Test func `letters select the parts to show`() async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            func shown(_ words: String...) async -> [Bool] {
                let run = await runTool(words + ["post", server.url(), "--raw", "question"])
                return ["POST /", "question", "HTTP/1.1 200", "answer", "Elapsed"].map(run.output.contains)
            }
            #expect(await shown() == [false, false, false, true, false])
            #expect(await shown("-h") == [false, false, true, false, false])
            #expect(await shown("-b") == [false, false, false, true, false])
            #expect(await shown("-m") == [false, false, false, false, true])
            #expect(await shown("-v") == [true, true, true, true, false])
            #expect(await shown("-vv") == [true, true, true, true, true])
            for number in 0..<32 {
                // Every set of letters.
                let letters = zip("HBhbm", 0...).filter { number >> $1 & 1 == 1 }.map(\.0).reversed()
                #expect(await shown("-p", String(letters)) == "HBhbm".map(letters.contains), "\(letters)")
            }
            #expect(await shown("-p", "H", "-h", "-b") == [false, false, false, true, false])
            #expect(await shown("-v", "-p", "m") == [false, false, false, false, true])
            #expect(await shown("-p", "") == [false, false, false, false, false])
            #expect(await shown("-q") == [false, false, false, false, false])
            #expect(await shown("-q", "-v") == [false, false, false, false, false])
        }
    }

    @Test func `HEAD shows the header also outside of a terminal`() async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            func output(_ words: String...) async -> String { await runTool(["head", server.url()] + words).output }
            #expect(await output().hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(await output("-w", "%{http_code}\n").hasSuffix("\r\n\r\n200\n"))
            for words in [["-p", ""], ["-b"], ["-q"], ["-o", "-"], ["--filter", "a"]] {
                #expect(await runTool(["head", server.url()] + words).output.isEmpty, "\(words)")
            }
        }
    }

    @Test func `-q shows warnings, and -qq only errors`() async throws {
        try await withServer { _ in
            .status(404, "gone")
        } _: { server in
            let quiet = await runTool("-q", server.url())
            #expect(quiet.messages.first == "afcli: the server responded with 404 Not Found")
            #expect(quiet.messages.last == "  | gone", "\(quiet.errors)")
            #expect(await runTool("-qq", server.url()).errors.isEmpty)
            #expect(await runTool("-qq", server.url()).status == 4)
            let port = try RefusingPort()
            #expect(await runTool("-qq", port.url()).messages.count == 2)
        }
    }

    @Test func `a redirected body is unchanged`() async throws {
        let bytes = [UInt8](0...255) + Array("\u{1B}[2J {\"b\":1,\"a\":[]}".utf8)
        try await withServer { _ in
            .bytes(bytes).header("Content-Type", "application/json")
        } _: { server in
            let run = await runTool(server.url())
            #expect(run.outputBytes == bytes)
            #expect(run.errors.isEmpty)
        }
    }

    @Test func `a terminal shows header and body, formatted and colored`() async throws {
        try await withServer { _ in
            .json(#"{"b":1.50,"a":[true]}"#)
        } _: { server in
            let run = await runTool(server.url(), in: .terminal())
            #expect(run.output.contains("\u{1B}[34mContent-Type\u{1B}[0m: application/json\n"))
            #expect(run.output.contains("    \u{1B}[1;34m\"b\"\u{1B}[0m: \u{1B}[36m1.50\u{1B}[0m,\n"))
            #expect(run.output.hasSuffix("}\n\n") || run.output.hasSuffix("}\u{1B}[0m\n\n"))
            let plain = await runTool(server.url(), "--pretty=none", in: .terminal())
            #expect(plain.output.hasSuffix("\r\n\r\n{\"b\":1.50,\"a\":[true]}\n\n"))
            let formatted = await runTool(server.url(), "--pretty=format", "-b")
            #expect(formatted.output == "{\n    \"b\": 1.50,\n    \"a\": [\n        true\n    ]\n}")
            let sorted = await runTool(server.url(), "--pretty=format", "-b", "--sorted")
            #expect(sorted.output.hasPrefix("{\n    \"a\""))
            let narrow = await runTool(server.url(), "--pretty=format", "-b", "--format-options", "json.indent:1")
            #expect(narrow.output.hasPrefix("{\n \"b\""))
        }
    }

    @Test(
        arguments: [
            ([], [:], true), (["--color=never"], [:], false), ([], ["NO_COLOR": "1"], false),
            ([], ["NO_COLOR": ""], true),
            (["--color=always"], ["NO_COLOR": "1"], true), ([], ["TERM": "dumb"], false),
            ([], ["TERM": "dumb", "FORCE_COLOR": "1"], true), ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        ] as [([String], [String: String], Bool)])
    func `colors depend on the option, else on variables, else on the terminal`(
        words: [String],
        variables: [String: String],
        isColored: Bool
    ) async throws {
        try await withServer { _ in
            .json("{}")
        } _: { server in
            let run = await runTool(words + [server.url()], in: .terminal(variables: variables))
            #expect(run.output.contains("\u{1B}[") == isColored)
        }
    }

    @Test func `bytes of the network do not move the cursor of a terminal`() async throws {
        let head = "HTTP/1.1 404 Go\u{1B}[2Jne\u{9B}\r\nX-\u{7}A: \u{1B}]0;title\u{7}\r\nContent-Type: text/plain\r\n"
        try await withServer { _ in
            .raw(head + "\r\nbody \u{1B}[31m \u{202E} \r over\u{85}")
        } _: { server in
            for color in ["always", "never"] {
                let run = await runTool("-v", "--timing", "--color", color, server.url("/%1b[2J"), in: .terminal())
                let seen =
                    run.output.replacing(#/\e\[[0-9;]*m/#, with: "") + run.errors.replacing(#/\e\[[0-9;]*m/#, with: "")
                let isClean = seen.unicodeScalars.allSatisfy { scalar in
                    switch scalar.value {
                    case 0x0A, 0x0D, 0x09: true
                    case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E: false
                    default: true
                    }
                }
                #expect(isClean)
                #expect(run.output.contains("\\x1b[31m"))
                #expect(!run.output.contains("\u{1B}[2J"))
            }
            // A body in a file is not on a terminal.
            #expect(await runTool(server.url()).output.contains("\u{1B}[31m"))
        }
    }

    @Test func `a reason phrase with control characters is escaped in a warning`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 404 \u{1B}[2J\r\nContent-Length: 0\r\n\r\n")
        } _: { server in
            let run = await runTool("-q", server.url(), in: .terminal())
            #expect(
                run.messages == [
                    #"afcli: the server responded with 404 \x1b[2J"#, "afcli: the response:",
                    #"  | HTTP/1.1 404 \x1b[2J"#,
                ])
        }
    }

    @Test func `a note replaces a binary body on a terminal`() async throws {
        try await withServer { _ in
            .bytes([0x89, 0x50, 0, 1, 2]).header("Content-Type", "image/png")
        } _: { server in
            let run = await runTool(server.url(), in: .terminal())
            #expect(run.output.contains("| NOTE: binary data not shown in terminal |"))
            #expect(run.output.contains("| 5 B of image/png: -o FILE saves it      |"), "\(run.output)")
            let several = await runTool("--repeat", "2", server.url(), in: .terminal())
            #expect(!several.output.contains("-o FILE"), "\(several.output)")
            #expect(!run.outputBytes.contains(0))
        }
    }

    @Test func `JSON is unformatted from an error on, with one warning`() async throws {
        try await withServer { _ in
            .json(#"{"a":1,"b":tru}{"c":[[[}"#)
        } _: { server in
            let run = await runTool("--pretty=format", "-b", server.url())
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("{\n    \"a\": 1,\n    \"b\": "))
            #expect(run.output.hasSuffix("}{\"c\":[[[}"))
            #expect(run.messages.count == 1)
            #expect(run.messages.first?.hasPrefix("afcli: warning: the body is not JSON from byte 15 on") == true)
        }
    }

    @Test func `XML is formatted, and unchanged with one warning if it is malformed`() async throws {
        try await withServer { request in
            .bytes(Array((request.path == "/bad" ? "<a><b></a>" : "<a><b>1</b></a>").utf8))
                .header("Content-Type", "application/xml")
        } _: { server in
            #expect(await runTool("--pretty=format", "-b", server.url()).output == "<a>\n  <b>1</b>\n</a>")
            let options = ["--pretty=format", "-b", "--format-options"]
            #expect(await runTool(options + ["xml.indent:1", server.url()]).output == "<a>\n <b>1</b>\n</a>")
            #expect(await runTool(options + ["xml.format:false", server.url()]).output == "<a><b>1</b></a>")
            let small = await runTool("--pretty=format", "-b", "--max-formatted", "10", server.url())
            #expect(small.output == "<a><b>1</b></a>")
            #expect(small.messages.count == 1)
            let bad = await runTool("--pretty=format", "-b", server.url("/bad"))
            #expect(bad.status == 0)
            #expect(bad.output == "<a><b></a>")
            let sentence = "the body is not well-formed XML from byte 7 on, and is shown unchanged"
            #expect(bad.errors == "afcli: warning: \(sentence)\n")
        }
    }

    @Test func `HTML is colored and otherwise unchanged`() async throws {
        let page = "<!DOCTYPE html>\n<p class=x>1 &lt; 2</p>"
        try await withServer { _ in
            .bytes(Array(page.utf8)).header("Content-Type", "text/html; charset=utf-8")
        } _: { server in
            let run = await runTool("-b", server.url(), in: .terminal())
            #expect(run.output.contains("\u{1B}[1;34m<p\u{1B}[0m"))
            #expect(run.output.withoutColors == "\(page)\n\n")
        }
    }

    @Test func `a style colors heads, bodies and timings alike`() async throws {
        try await withServer { _ in
            .json("[1]")
        } _: { server in
            let words = ["-v", "--timing", "-s", "ocean", server.url()]
            let rich = await runTool(words, in: .terminal(variables: ["TERM": "xterm-256color"]))
            #expect(rich.output.contains("\u{1B}[38;5;32mContent-Type\u{1B}[0m"))
            #expect(rich.output.contains("\u{1B}[38;5;63m1\u{1B}[0m"))
            #expect(rich.errors.contains("\u{1B}[38;5;"))
            for text in [rich.output, rich.errors] {
                let sixteen = text.matches(of: #/\e\[(1;)?3[1-6]m/#)
                #expect(sixteen.isEmpty)
            }
            let poor = await runTool(words, in: .terminal(variables: ["TERM": "xterm"]))
            #expect(poor.output.contains("\u{1B}[34mContent-Type\u{1B}[0m"))
            #expect(!(poor.output + poor.errors).contains("38;5;"))
            let mono = await runTool("-s", "mono", server.url(), in: .terminal())
            #expect(mono.output.contains("\u{1B}[1mContent-Type\u{1B}[0m"))
            #expect(mono.output.matches(of: #/\e\[[0-9;]*3[0-9]/#).isEmpty)
            #expect(await runTool("--style", "Plaid", server.url()).status == 64)
        }
    }

    @Test func `a body to sort is buffered up to limits that options change`() async throws {
        let text = #"{"b":1,"a":2}"#
        try await withServer { _ in
            .json(text)
        } _: { server in
            let words = ["--pretty=format", "-b", "--sorted", "--max-formatted"]
            #expect(await runTool(words + ["1k", server.url()]).output.hasPrefix("{\n    \"a\""))
            let run = await runTool(words + ["10", server.url()])
            #expect(run.output.hasPrefix("{\n    \"b\""))
            #expect(run.messages.count == 1)
            #expect(run.errors.contains("--max-formatted"))
            #expect(await runTool(words + ["2g", server.url()]).status == 64)
        }
    }

    @Test func `a body with an extreme compression ratio is shown only with the option`() async throws {
        let folder = try ScratchFolder()
        let zeros = try folder.writeSparse("zeros", size: 8 << 20)
        let packed = try await Program("/bin/gzip", ["-9c"], input: .file(zeros)).run().output
        try await withServer { _ in
            .bytes(packed).header("Content-Encoding", "gzip").header("Content-Type", "application/json")
        } _: { server in
            let refused = await runTool("--pretty=format", "-b", "--max-ratio", "10", server.url())
            #expect(refused.status == 13)
            #expect(refused.errors.contains("decodes to more than 10 times its received size"))
            #expect(refused.errors.contains("--max-ratio"))
            #expect(await runTool("--pretty=format", "-b", "--max-ratio", "0", server.url()).status == 0)
            // Unescaped bytes are harmless in a pipe.
            #expect(await runTool("--max-ratio", "10", server.url()).outputBytes.count == 8 << 20)
            // A body that is buffered for searching is limited.
            #expect(await runTool("--max-ratio", "10", "--expect-json", "a", server.url()).status == 13)
        }
    }

    @Test func `events are written as they arrive`() async throws {
        let output = MemoryOutput()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
            for number in 1...3 {
                try connection.send("data: \(number)\n\n")
                let deadline = ContinuousClock.now + .seconds(10)
                while !output.text.contains("data: \(number)\n"), ContinuousClock.now < deadline {}
                #expect(output.text.contains("data: \(number)\n"))
            }
        } _: { server in
            let run = await runTool(server.url(), in: ToolWorld(output: output))
            #expect(run.status == 0)
            #expect(output.text == "data: 1\n\ndata: 2\n\ndata: 3\n\n")
        }
    }

    @Test func `a digest authentication is shown as sent`() async throws {
        try await withServer { request in
            request["Authorization"] != nil
                ? .ok("in") : .status(401).header("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)
        } _: { server in
            let run = await runTool("-v", "-A", "digest", "-a", "ada:secret", server.url())
            let lines = run.output.split(separator: "\r\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("HTTP") }
            #expect(lines == ["GET / HTTP/1.1", "HTTP/1.1 401 Unauthorized", "GET / HTTP/1.1", "HTTP/1.1 200 OK"])
            #expect(run.output.hasSuffix("\r\n\r\nin"))
        }
    }

    @Test func `interim and replaced responses are shown in order`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst
                ? .raw("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
                : .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } _: { server in
            let run = await runTool("-v", "--retry", "1", "--retry-delay", "1ms", server.url())
            let lines = run.output.split(separator: "\r\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("HTTP") }
            #expect(
                lines == [
                    "GET / HTTP/1.1", "HTTP/1.1 503 Busy", "GET / HTTP/1.1", "HTTP/1.1 103 Early Hints",
                    "HTTP/1.1 200 OK",
                ])
        }
    }

    @Test func `timings have every hop and every attempt`() async throws {
        let count = Mutex(0)
        try await withServer { request in
            if request.path == "/" { return .redirect(to: "/x") }
            return count.withLock {
                $0 += 1; return $0 == 1 ? .status(503) : .ok("fine")
            }
        } _: { server in
            let run = await runTool(
                "-L", "--timing", "--retry", "1", "--retry-delay", "1ms", server.url(), in: ToolWorld(errorColumns: 160)
            )
            #expect(run.output == "fine")
            #expect(run.errors.contains("GET \(server.url("/"))"))
            #expect(run.errors.contains("GET \(server.url("/x")) (retry 1)"))
            #expect(run.errors.contains("302"))
            #expect(run.errors.contains("503"))
        }
    }

    @Test func `the formatter and an expectation report the same invalid byte`() async throws {
        try await withServer { _ in
            .json(#"{"a": 1, "b": x}"#)
        } _: { server in
            let run = await runTool("--pretty=format", "--expect-json", "a", server.url())
            #expect(run.errors.ranges(of: "byte 15").count == 2, "\(run.errors)")
        }
    }

    @Test func `COLUMNS is the width without a terminal`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            for width in [60, 150] {
                let world = ToolWorld().with(variables: ["COLUMNS": "\(width)"])
                let run = await runTool("--timing", server.url(), in: world)
                #expect(
                    run.messages.map(\.columnCount).max().map { $0 <= width && $0 > width - 30 } == true,
                    "\(run.errors)")
            }
        }
    }

    @Test func `a message starts on its own line`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .status(404, "no line end")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(
                run.errors == """
                    no line end
                    afcli: the server responded with 404 Not Found; nothing was saved

                    """)
        }
    }

    @Test func `debugging shows internal events`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let run = await runTool("--debug", server.url())
            #expect(run.output == "x")
            #expect(run.messages.first?.hasPrefix("* afcli ") == true)
            #expect(run.messages.count > 2)
            #expect(run.messages.allSatisfy { $0.hasPrefix("* ") })
        }
    }
}
