import TestSupport
import Testing

/// Bodies from pipes and redirected files, which need a separate process.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    private static let readOnce =
        "afcli: not retried: the body came from standard input or a pipe, which is read only once; put it into a file: --raw @FILE"

    private func run(
        _ words: [String],
        input: Program.Input,
        responder: @escaping LocalServer.Responder
    ) async throws -> (result: ProgramResult, requests: [RecordedRequest]) {
        try await withServer(responder) { server in
            var program = Program(try Program.afcliPath(), words.map { $0 == "URL" ? server.url() : $0 })
            program.input = input
            return (try await program.run(), server.requests)
        }
    }

    @Test(arguments: [["put", "URL"], ["put", "URL", "-F", "f=@-"], ["put", "URL", "-x"]])
    func `a chunked body from a pipe is not retried, and a message explains why`(words: [String]) async throws {
        let (result, requests) = try await run(words + ["--chunked", "--retry", "3"], input: .text("once")) { _ in
            .status(503, "busy")
        }
        #expect(result.status == 5)
        #expect(result.text == "busy")
        #expect(requests.count == 1)
        #expect(result.errorText.split(separator: "\n").last == Substring(Self.readOnce), "\(result.errorText)")
    }

    @Test(arguments: [(2, 130, "interrupted"), (15, 143, "terminated")])
    func `a signal interrupts a resumable upload, with a note`(signal: Int32, status: Int32, word: String) async throws
    {
        let folder = try ScratchFolder()
        let content = [UInt8](repeating: 7, count: 1_000_000)
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { ($0.cuts, $0.stallsAtCut) = ([250_000], true) }
        try await withScriptedServer(server.serve) { address in
            let words = ["-I", "put", address.url("/f"), "@\(file)", "--resume", "--expect100", "no"]
            let program = try Program(try Program.afcliPath(), words).start()
            try await eventually("the server has the start, and the tool knows its resource") {
                server.bytes?.count == 250_000 && folder.list().count == 2
            }
            program.signal(signal)
            let result = try await program.waitForEnd()
            #expect(result.status == status)
            #expect(result.errorText.hasPrefix("afcli: error: \(word)\n"), "\(result.errorText)")
            #expect(result.errorText.contains("run the same command again to resume the upload"), "\(result.errorText)")
            let again = try await Program(try Program.afcliPath(), words).run()
            #expect(again.status == 0 && server.bytes == content, "\(again.errorText)")
        }
    }

    @Test func `a response before the end of a pipe is reported`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        } _: { server in
            var program = Program(try Program.afcliPath(), ["put", server.url(), "--chunked"])
            // More than socket buffers hold.
            program.input = .text(String(repeating: "0123456789abcdef", count: 4 << 20))
            let result = try await program.run()
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.text == "ok")
            let sentence = "afcli: warning: the server responded with 200 OK before it had the body: only "
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
    }

    @Test(arguments: [["put", "URL"], ["put", "URL", "--chunked"], ["put", "URL", "-F", "f=@-"]])
    func `a redirected file is sent again in retries and redirects`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let text = String(repeating: "0123456789abcdef", count: 200_000)
        let file = try folder.write(text, to: "body")
        let (result, requests) = try await run(words + ["--retry", "2", "--retry-delay", "1ms"], input: .file(file)) {
            $0["X-Attempt"] == nil ? .status(503) : .ok()
        }
        #expect(result.status == 5, "\(result.errorText)")
        #expect(requests.count == 3)
        #expect(requests.allSatisfy { $0.text.contains(text) })
        let redirected = try await run(["-L"] + words, input: .file(file)) { request in
            request.path == "/" ? .redirect(to: "/next", status: 307) : .ok("all")
        }
        #expect(redirected.result.text == "all", "\(redirected.result.errorText)")
        #expect(redirected.requests.last?.text.contains(text) == true)
    }

    @Test func `a lost connection is reported with the reason for not retrying, or with a hint`() async throws {
        let (result, _) = try await run(["--chunked", "put", "URL", "--retry", "3"], input: .text("once")) { _ in .close
        }
        #expect(result.status == 13)
        let lines = result.errorText.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.last == Self.readOnce, "\(lines)")
        let (single, _) = try await run(["--chunked", "put", "URL"], input: .text("once")) { _ in .close }
        #expect(single.errorText.hasSuffix("\n  to allow a retry, put the body into a file: --raw @FILE\n"))
    }

    @Test func `a redirect that requires a piped body again is an error, and the body is sent once`() async throws {
        let text = String(repeating: "once ", count: 300_000)
        let (result, requests) = try await run(["put", "URL", "--expect100", "no", "-L"], input: .text(text)) { _ in
            .redirect(to: "/next", status: 307)
        }
        #expect(result.status == 6, "\(result.errorText)")
        #expect(requests.count(where: { !$0.body.isEmpty }) == 1)
        #expect(result.errorText.hasSuffix("  put the body into a file: --raw @FILE\n"), "\(result.errorText)")
    }

    @Test func `with Digest a piped body is sent only once, after the challenge`() async throws {
        let challenge = DigestLogin().challenge()
        let words = ["put", "URL", "--expect100", "no", "-A", "digest", "-a", "u:p"]
        let (result, requests) = try await run(words, input: .text(String(repeating: "once ", count: 300_000))) { _ in
            .status(401).header("WWW-Authenticate", challenge)
        }
        #expect(result.status == 4, "\(result.errorText)")
        #expect(requests.map(\.body.count) == [0, 1_500_000])
    }

    @Test(arguments: [["post", "URL"], ["URL"], ["URL", "@-"], ["URL", "-F", "f=@-"]])
    func `a redirected file of procfs is sent completely`(words: [String]) async throws {
        let content = String(decoding: try ScratchFolder.bytes(at: "/proc/version"), as: UTF8.self)
        let (result, requests) = try await run(words, input: .file("/proc/version")) { _ in .ok() }
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?.method == "POST")
        #expect(requests.first?.text.contains(content) == true)
    }
}
