import TestSupport
import Testing

/// Bodies that are shown while they are received.
@Suite(.timeLimit(.minutes(5))) struct LiveOutputTests {
    /// Serves three chunks, each of them only after the output of the program contains the previous one.
    ///
    /// - Parameter shown: A string that indicates each chunk in the output.
    private func expectLive(
        _ words: [String],
        type: String,
        pieces: [String],
        shown: [String],
        onTerminal: Bool = false
    ) async throws {
        let gates = pieces.map { _ in Gate() }
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n")
            for (piece, gate) in zip(pieces, gates) {
                try connection.send(piece)
                try connection.wait(for: gate)
            }
        } _: { server in
            defer { gates.forEach { $0.open() } }
            var program = Program(try Program.afcliPath(), words + [server.url()])
            if onTerminal { program = program.onTerminal() }
            program.environment = ["TERM": "xterm", "LANG": "C.UTF-8"]
            let running = try program.start()
            for (sign, gate) in zip(shown, gates) {
                try await running.waitForText(sign)
                #expect(!running.hasEnded)
                gate.open()
            }
            #expect(try await running.waitForEnd().status == 0)
        }
    }

    @Test(arguments: [[], ["--pretty=format"], ["--pretty=all"], ["-S"]])
    func `events are written to a pipe as they arrive`(words: [String]) async throws {
        let pieces = (1...3).map { "data: event-\($0)\n\n" }
        try await expectLive(words, type: "text/event-stream", pieces: pieces, shown: (1...3).map { "event-\($0)" })
    }

    @Test(arguments: [[], ["--pretty=format"], ["--pretty=all"], ["--pretty=format", "--sorted"], ["-S"]])
    func `JSON lines are written to a pipe as they arrive`(words: [String]) async throws {
        try await expectLiveRecords(words, type: "application/x-ndjson")
    }

    @Test func `filtered values are written to a pipe while data keeps arriving`() async throws {
        let gate = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[\"first\"")
            // Without a pause of 50 ms, after which output is flushed in any case.
            while !gate.isOpen { try connection.sendSlowly(",1", every: .milliseconds(5)) }
        } _: { server in
            defer { gate.open() }
            let running = try Program(try Program.afcliPath(), ["--filter", "[0]", server.url()]).start()
            try await running.waitForText("first")
            #expect(!running.hasEnded)
        }
    }

    @Test(arguments: ["text/plain", "application/octet-stream"])
    func `a slow body is written to a pipe as it arrives`(type: String) async throws {
        try await expectLiveRecords([], type: type)
    }

    @Test func `a slow response to a large upload is written to a pipe as it arrives`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("large", size: 2 << 20)
        try await expectLiveRecords(["--raw", "@\(file)"], type: "text/plain")
    }

    @Test(arguments: ["text/plain", "application/json", "application/octet-stream"])
    func `with -S every line is written to a pipe as it arrives`(type: String) async throws {
        try await expectLiveRecords(["-S"], type: type)
        try await expectLiveRecords(["-S", "--pretty=format"], type: type)
    }

    private func expectLiveRecords(_ words: [String], type: String) async throws {
        let isFormatted = words.contains { $0.hasPrefix("--pretty") }
        let records = (1...3).map { "{\"line\":\($0)}\n" }
        let signs = (1...3).map { isFormatted ? "\"line\": \($0)\n}" : "{\"line\":\($0)}" }
        try await expectLive(words + ["--color=never"], type: type, pieces: records, shown: signs)
    }

    @Test func `lines of text reach a terminal as they arrive`() async throws {
        let lines = (1...3).map { "line-\($0)" }
        let pieces = lines.map { "\($0)\n" }
        try await expectLive([], type: "text/plain", pieces: pieces, shown: lines, onTerminal: true)
    }
}
