import TestSupport
import Testing

/// Bodies from pipes and redirected files, which only a program of its own has.
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
    func `a body out of a pipe is sent once, and why is told`(words: [String]) async throws {
        let (result, requests) = try await run(words + ["--chunked", "--retry", "3"], input: .text("once")) { _ in
            .status(503, "busy")
        }
        #expect(result.status == 5)
        #expect(result.text == "busy")
        #expect(requests.count == 1)
        #expect(result.errorText.split(separator: "\n").last == Substring(Self.readOnce), "\(result.errorText)")
    }

    @Test(arguments: [["put", "URL"], ["put", "URL", "--chunked"], ["put", "URL", "-F", "f=@-"]])
    func `a redirected file is sent again`(words: [String]) async throws {
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

    @Test func `a broken connection is reported with its reason or a hint`() async throws {
        let (result, _) = try await run(["--chunked", "put", "URL", "--retry", "3"], input: .text("once")) { _ in .close
        }
        #expect(result.status == 13)
        let lines = result.errorText.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.last == Self.readOnce, "\(lines)")
        let (single, _) = try await run(["--chunked", "put", "URL"], input: .text("once")) { _ in .close }
        #expect(single.errorText.hasSuffix("\n  to allow a retry, put the body into a file: --raw @FILE\n"))
    }

    @Test func `a pipe whose body is wanted again is an error before half of it is sent twice`() async throws {
        let text = String(repeating: "once ", count: 300_000)
        let (result, requests) = try await run(["put", "URL", "--expect100", "no", "-L"], input: .text(text)) { _ in
            .redirect(to: "/next", status: 307)
        }
        #expect(result.status == 6, "\(result.errorText)")
        #expect(requests.count(where: { !$0.body.isEmpty }) == 1)
        #expect(result.errorText.hasSuffix("  put the body into a file: --raw @FILE\n"), "\(result.errorText)")
    }

    @Test func `a login that asks first gets the body of a pipe once`() async throws {
        let challenge = DigestLogin().challenge()
        let words = ["put", "URL", "--expect100", "no", "-A", "digest", "-a", "u:p"]
        let (result, requests) = try await run(words, input: .text(String(repeating: "once ", count: 300_000))) { _ in
            .status(401).header("WWW-Authenticate", challenge)
        }
        #expect(result.status == 4, "\(result.errorText)")
        #expect(requests.map(\.body.count) == [0, 1_500_000])
    }

    @Test(arguments: [["post", "URL"], ["URL"], ["URL", "@-"], ["URL", "-F", "f=@-"]])
    func `a made-up file that is redirected is sent whole`(words: [String]) async throws {
        let content = String(decoding: try ScratchFolder.bytes(at: "/proc/version"), as: UTF8.self)
        let (result, requests) = try await run(words, input: .file("/proc/version")) { _ in .ok() }
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?.method == "POST")
        #expect(requests.first?.text.contains(content) == true)
    }
}
