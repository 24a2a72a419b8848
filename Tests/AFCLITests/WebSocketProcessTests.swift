import Glibc
import TestSupport
import Testing

/// `afcli` with ws:// URLs.
@Suite(.timeLimit(.minutes(5))) struct WebSocketProcessTests {
    private nonisolated(nonsending) func run(
        _ words: [String],
        input: String? = nil,
        _ script: @escaping @Sendable (WebSocketPeer) throws -> Void
    ) async throws -> (result: ProgramResult, requests: [RecordedRequest]) {
        try await withScriptedServer { connection in
            try script(WebSocketPeer(accepting: connection))
        } _: { server in
            let url = server.url("/x").replacing("http:", with: "ws:")
            var program = Program(try Program.afcliPath(), words + [url])
            program.input = input.map { .bytes(Array($0.utf8)) } ?? .empty
            return (try await program.run(), server.requests)
        }
    }

    @Test func `input lines are sent as messages, and messages are printed as lines`() async throws {
        let run = try await run(["-p", "b"], input: "one\r\n\nthree {\"a\": 1}") { peer in
            #expect(try (0..<3).map { _ in try peer.receive().text } == ["one", "", "three {\"a\": 1}"])
            let close = try peer.receive()
            #expect(close.opcode == 8 && close.closeCode == 1000)
            // Messages are written until the server's Close frame.
            try peer.send("late")
            try peer.close(1000)
        }
        #expect(run.result.status == 0, "\(run.result.errorText)")
        #expect(run.result.text == "late\n")
        #expect(run.requests.first?.method == "GET" && run.requests.first?.target == "/x")
    }

    @Test func `a reply after the end of the input is not lost`() async throws {
        for words in [[], ["--max-messages", "1"]] {
            let run = try await run(words, input: "a\nb\n") { peer in
                for _ in 0..<2 { _ = try peer.receive() }
                // The server's work on the last line.
                usleep(300_000)
                try peer.send("late")
                #expect(try peer.receive().closeCode == 1000)
                try peer.close(1000)
            }
            #expect(run.result.status == 0, "\(run.result.errorText)")
            #expect(run.result.text == "late\n")
            #expect(run.result.errorText.isEmpty, "\(run.result.errorText)")
        }
    }

    @Test func `--linger 0 closes at the end of the input, with a note if no message was received`() async throws {
        let run = try await run(["--linger", "0"], input: "a\n") { peer in
            #expect(try peer.receive().text == "a")
            #expect(try peer.receive().closeCode == 1000)
            try peer.close(1000)
        }
        #expect(run.result.status == 0)
        #expect(run.result.errorText.contains("--linger"), "\(run.result.errorText)")
    }

    @Test func `after the Close frame, only --timeout limits the wait for the server`() async throws {
        let run = try await run(["--linger", "0", "--timeout", "1"], input: "a\n") { peer in
            for _ in 0..<2 { _ = try peer.receive() }
            _ = try? peer.receive()
        }
        #expect(run.result.status == 2, "\(run.result.errorText)")
        #expect(run.result.errorText.contains("did not answer the Close frame"), "\(run.result.errorText)")
    }

    @Test func `a message that the server's Close cuts is an error`() async throws {
        let run = try await run(["-I"]) { peer in
            try peer.send(bytes: [0x01, 6] + Array("{\"n\":2".utf8))
            try peer.close(1000)
        }
        #expect(run.result.status == 13, "\(run.result.errorText)")
        #expect(run.result.text.isEmpty)
    }

    @Test func `header fields and credentials are sent in the handshake`() async throws {
        let run = try await run(["-a", "u:p", "-H", "X-A: 1"]) { peer in
            #expect(peer.request["X-A"] == "1" && peer.request["Authorization"] == "Basic dTpw")
            try peer.close(nil)
            _ = try peer.receive()
        }
        #expect(run.result.status == 0)
    }

    @Test func `with --ignore-stdin the connection stays open until the server closes it`() async throws {
        let run = try await run(["--ignore-stdin"], input: "x\n") { peer in
            try peer.send("a")
            try peer.send("b")
            try peer.close(1000)
            #expect(try peer.receive().opcode == 8)
        }
        #expect(run.result.status == 0)
        #expect(run.result.text == "a\nb\n")
    }

    @Test func `binary messages are written unchanged with --binary, and hidden without it`() async throws {
        let bytes: [UInt8] = [0, 0xFF, 10, 13]
        let run = try await run(["--binary"], input: "raw") { peer in
            let frame = try peer.receive()
            #expect(frame.opcode == 2 && frame.text == "raw")
            try peer.send(2, bytes)
            try peer.send("t")
            try peer.close(1000)
        }
        #expect(run.result.status == 0)
        #expect(run.result.output == bytes + Array("t".utf8))
        let hidden = try await self.run(["-I"]) { peer in
            try peer.send(2, bytes)
            try peer.close(1000)
        }
        #expect(hidden.result.output.isEmpty && hidden.result.status == 0)
        #expect(hidden.result.errorText == "afcli: warning: binary messages are not shown; --binary writes them\n")
    }

    @Test func `messages that are not JSON are skipped by --filter, with one warning`() async throws {
        let run = try await run(["-I", "--filter", "a"]) { peer in
            for message in [#"{"a": 1}"#, "hello", "bye", #"{"a": 2}"#] { try peer.send(message) }
            try peer.close(1000)
            _ = try peer.receive()
        }
        #expect(run.result.status == 0)
        #expect(run.result.text == "1\n2\n")
        #expect(
            run.result.errorText == "afcli: warning: a message is not JSON: --filter selects nothing from it\n")
    }

    @Test func `the body of a rejected handshake is printed`() async throws {
        try await withServer { _ in
            .status(403, "the token has expired")
        } _: { server in
            let url = server.url("/x").replacing("http:", with: "ws:")
            var program = Program(try Program.afcliPath(), ["-I", url])
            program.input = .empty
            let result = try await program.run()
            #expect(result.status == 4)
            #expect(result.text == "the token has expired")
            program.arguments += ["--expect-body", "expired"]
            let expected = try await program.run()
            #expect(expected.status == 4, "\(expected.errorText)")
            program.arguments = ["-I", "-v", url]
            let verbose = try await program.run()
            #expect(verbose.text.split(separator: "HTTP/1.1 403").count == 2, "\(verbose.text)")
        }
    }

    @Test func `--max-messages ends the run after that number of messages`() async throws {
        let run = try await run(["-I", "--max-messages", "2"]) { peer in
            for _ in 0..<5 { try peer.send("m") }
            #expect(try peer.receive().closeCode == 1000)
            try peer.close(1000)
        }
        #expect(run.result.status == 0)
        #expect(run.result.text == "m\nm\n")
    }

    @Test func `each message is filtered, and must meet the expectations`() async throws {
        let script: @Sendable (WebSocketPeer) throws -> Void = { peer in
            for number in 1...3 { try peer.send(#"{"n": \#(number), "o": {"s": "x"}}"#) }
            try peer.close(1000)
            _ = try peer.receive()
        }
        let filtered = try await run(["-I", "--filter", "o.s,n"], script)
        #expect(filtered.result.status == 0, "\(filtered.result.errorText)")
        #expect(filtered.result.text == "1\n\"x\"\n2\n\"x\"\n3\n\"x\"\n")
        let none = try await run(["-I", "--filter", "absent"], script)
        #expect(none.result.status == 14)
        #expect(none.result.errorText.contains("the filter 'absent' selected nothing"))
        let met = try await run(["-I", "--expect-json", "n<4"], script)
        #expect(met.result.status == 0)
        let unmet = try await run(["-I", "--expect-json", "n<2"], script)
        #expect(unmet.result.status == 14)
        #expect(unmet.result.text.split(separator: "\n").count == 2)
    }

    @Test(arguments: [1001, 1011, 4000])
    func `a close code other than 1000 is a failure`(code: Int) async throws {
        let run = try await run(["-I"]) { peer in
            try peer.close(code, "reason")
            _ = try peer.receive()
        }
        #expect(run.result.status == 13)
        #expect(run.result.errorText.hasPrefix("afcli: error: 127.0.0.1:"))
        #expect(run.result.errorText.hasSuffix(" closed the connection with the code \(code): reason\n"))
    }

    @Test func `protocol violations, lost connections, large messages and missing pongs are failures`() async throws {
        let masked = try await run(["-I"]) { peer in
            try peer.send(bytes: [0x81, 0x80, 0, 0, 0, 0])
            _ = try peer.receive()
        }
        #expect(masked.result.status == 13)
        #expect(masked.result.errorText == "afcli: error: the server sent a masked frame\n")
        let lost = try await run(["-I"]) { _ in }
        #expect(lost.result.status == 13)
        let large = try await run(["-I", "--max-filesize", "5"]) { peer in
            try peer.send("123456")
            #expect(try peer.receive().closeCode == 1009)
        }
        #expect(large.result.status == 13)
        #expect(large.result.errorText.contains("increase --max-filesize"))
        let silent = try await run(["-I", "--ping-interval", "100ms"]) { peer in
            while try peer.receive().opcode == 9 {}
        }
        #expect(silent.result.status == 2)
    }

    @Test(arguments: [(403, 4), (503, 5), (200, 13), (302, 3)])
    func `the exit status of a rejected handshake depends on its response`(code: Int, status: Int32) async throws {
        try await withServer { _ in
            .status(code, "no")
        } _: { server in
            let result = try await Program.afcli("-I", server.url().replacing("http:", with: "ws:")).run()
            #expect(result.status == status)
            #expect(!result.errorText.isEmpty)
        }
    }

    @Test(arguments: [
        (["--binary", "http://127.0.0.1:1/"], "--binary: requires a ws:// or wss:// URL"),
        (["post", "ws://127.0.0.1:1/"], "a WebSocket request is a GET without a body"),
        (["ws://127.0.0.1:1/", "a=b"], "a WebSocket request is a GET without a body"),
        (["-o", "f", "ws://127.0.0.1:1/"], "-o: is not possible for a WebSocket URL"),
        (["--offline", "ws://127.0.0.1:1/"], "--offline: is not possible for a WebSocket URL"),
        (["-A", "digest", "-a", "u:p", "ws://h/"], "-A: 'digest' is not possible for a WebSocket URL"),
        (["--max-messages", "0", "ws://127.0.0.1:1/"], "--max-messages: expected at least 1, got '0'"),
        (["ws:/h/"], "a scheme is followed by two slashes"),
    ])
    func `options that a WebSocket cannot support are usage errors`(words: [String], message: String) async throws {
        let result = try await Program(try Program.afcliPath(), words).run()
        #expect(result.status == 64)
        #expect(result.errorText.contains(message), "\(result.errorText)")
    }

    @Test func `input that is not UTF-8 is an error`() async throws {
        try await withScriptedServer { connection in
            _ = try WebSocketPeer(accepting: connection)
            try connection.waitForClose()
        } _: { server in
            var program = try Program.afcli(server.url().replacing("http:", with: "ws:"))
            program.input = .bytes([0xFF, 10])
            let result = try await program.run()
            #expect(result.status == 16)
            #expect(result.errorText.hasPrefix("afcli: error: standard input is not UTF-8 text"))
        }
    }

    @Test func `messages are written to a pipe as they arrive, and a signal ends the run`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            try peer.send("now")
            try connection.waitForClose()
        } _: { server in
            let running = try Program.afcli("-I", server.url().replacing("http:", with: "ws:")).start()
            try await running.waitForText("now\n")
            running.signal(2)
            #expect(try await running.waitForEnd().status == 130)
        }
    }
}
