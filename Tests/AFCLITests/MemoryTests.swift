import TestSupport
import Testing

/// Bodies of any size need constant memory. The memory of the program itself is a separate matter: most of it is code.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MemoryTests {
    /// The maximum memory of a run in bytes: less than any of the bodies. 8 to 34 MB of it are pages of the program and
    /// its libraries, depending on how many the system has cached and maps in advance.
    private let limit = 56 << 20

    @Test func `an upload of 2 GB takes little memory`() async throws {
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
            #expect(result.peakMemory < limit, "\(result.peakMemory >> 10) KiB")
        }
    }

    /// All kinds of bodies; `FILE` is the file, `LENGTH | ` a pipe with the same contents.
    @Test(arguments: [
        ["put", "URL", "@FILE"], ["put", "URL", "@FILE", "--chunked"], ["put", "URL", "@FILE", "-xx"],
        ["URL", "-F", "a=@FILE", "-F", "b=@FILE", "-F", "c=@FILE"], ["--form", "URL", "a@FILE", "b@FILE", "--chunked"],
        ["put", "URL/login", "@FILE", "-A", "digest", "-a", "ada:open sesame"], ["-L", "put", "URL/moved", "@FILE"],
        ["LENGTH |", "put", "URL"], ["LENGTH |", "put", "URL", "-x"],
        ["LENGTH |", "URL", "-F", "a=@-", "-F", "b=@FILE"],
    ])
    func `an upload of any kind takes little memory`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let login = DigestLogin()
        let size = 200 << 20
        let file = try folder.writeSparse("large.bin", size: size)
        try await withServer(keepsBodies: false) { request in
            switch request.path {
            case "/login" where !login.accepts(request):
                .status(401).header("WWW-Authenticate", login.challenge())
            case "/moved": .redirect(to: "/", status: 307)
            default: .ok("\(request.bodyLength)")
            }
        } _: { server in
            let arguments = words.drop { $0 == "LENGTH |" }.map {
                $0.replacing("URL", with: server.authority).replacing("FILE", with: file)
            }
            let input = words.first == "LENGTH |" ? "<(head -c \(size) /dev/zero)" : "/dev/null"
            // The measured memory is that of the process that replaces the shell.
            let script = "exec \"$0\" \"$@\" < \(input)"
            let shell = Program("/bin/bash", ["-c", script, try Program.afcliPath()] + arguments)
            let result = try await shell.run(within: .seconds(120))
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.peakMemory < limit, "\(result.peakMemory >> 10) KiB")
        }
    }

    @Test func `a large download and a large formatted body take little memory`() async throws {
        let folder = try ScratchFolder()
        // 150,000 elements; a long string for each fifty, as a debug build formats strings twenty times as fast.
        let element = Array(#"{"name":"value","list":[1,2,3],"flag":true},"#.utf8)
        let text = Array(#""\#(String(repeating: "text", count: 5000))","#.utf8)
        let pieces = 3000
        let piece = [[UInt8]](repeating: element, count: 50).flatMap(\.self) + text
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
            #expect(shown.peakMemory < limit, "\(shown.peakMemory >> 10) KiB")
            var filtered = try Program.afcli("--filter", "[].name,..absent", server.url())
            filtered.output = .file("/dev/null")
            let selected = try await filtered.run(within: .seconds(120))
            #expect(selected.status == 0)
            #expect(selected.peakMemory < limit, "\(selected.peakMemory >> 10) KiB")
            let stored = try await Program.afcli("-o", folder.file("f"), server.url()).run(within: .seconds(120))
            #expect(stored.status == 0)
            #expect(stored.peakMemory < limit, "\(stored.peakMemory >> 10) KiB")
            #expect(try folder.size(of: "f") == pieces * piece.count + 3)
        }
    }
}
