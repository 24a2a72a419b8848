import TestSupport
import Testing

/// Bodies of any size pass in flat memory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MemoryTests {
    @Test func `an upload of 2 GB stays under 32 MB`() async throws {
        let folder = try ScratchFolder()
        let size = 2 << 30
        let file = try folder.writeSparse("big.bin", size: size)
        try await withServer(keepsBodies: false) {
            .ok("\($0.bodyLength)")
        } _: { server in
            let program = try Program.afcli("post", server.url("/upload"), "-F", "name=x", "-F", "f=@\(file)")
            let result = try await program.run(within: .seconds(240))
            #expect(result.status == 0, "\(result.errorText)")
            #expect((Int(result.text) ?? 0) > size)
            #expect(server.requests.first?["Transfer-Encoding"] == nil)
            #expect(result.peakMemory < 32 << 20, "\(result.peakMemory >> 20) MB")
        }
    }

    @Test func `a download and a formatted body stay under 32 MB`() async throws {
        let folder = try ScratchFolder()
        let element = Array(#"{"name":"value","list":[1,2,3],"flag":true},"#.utf8)
        let pieces = 3000
        let piece = [[UInt8]](repeating: element, count: 500).flatMap(\.self)
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            let length = pieces * piece.count + 3
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n[")
            for _ in 0..<pieces { try connection.send(piece) }
            try connection.send("0]")
        } _: { server in
            var formatted = try Program.afcli("--pretty=format", server.url())
            formatted.output = .file("/dev/null")
            let shown = try await formatted.run(within: .seconds(120))
            #expect(shown.status == 0)
            #expect(shown.peakMemory < 32 << 20, "\(shown.peakMemory >> 20) MB")
            let stored = try await Program.afcli("-o", folder.file("f"), server.url()).run(within: .seconds(120))
            #expect(stored.status == 0)
            #expect(stored.peakMemory < 32 << 20, "\(stored.peakMemory >> 20) MB")
            #expect(try folder.size(of: "f") == pieces * piece.count + 3)
        }
    }
}
