import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// Files with a wrong size, and files that change while they are sent, as every kind of body.
@Suite(.timeLimit(.minutes(5))) struct FileUploadTests {
    /// Returns the contents of a file whose reported size is zero.
    private func content(_ path: String) throws -> String {
        String(decoding: try FileAccess.system(homeDirectory: nil).read(path, .text), as: UTF8.self)
    }

    private func send(_ words: [String]) async throws -> RecordedRequest {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool(words.map { $0.hasPrefix("URL") ? server.url() + $0.dropFirst(4) : $0 })
            #expect(run.status == 0, "\(run.errors)")
            return try #require(server.requests.first)
        }
    }

    @Test(arguments: [
        ["post", "URL", "@/proc/version"], ["post", "URL", "--raw", "@/proc/version"],
        ["URL", "-T", "/proc/version"], ["post", "URL/", "-T", "/proc/version"],
    ])
    func `a file without a size is the complete body`(words: [String]) async throws {
        let request = try await send(words)
        let content = try content("/proc/version")
        #expect(request.text == content)
        #expect(request["Content-Length"] == "\(content.utf8.count)")
    }

    @Test(arguments: [
        ["-F", "f=@/proc/version", "URL"], ["--form", "URL", "f@/proc/version"],
        ["--multipart", "URL", "f@/proc/version"], ["-F", "f=</proc/version", "URL"],
    ])
    func `a file without a size is a part`(words: [String]) async throws {
        let request = try await send(words)
        #expect(request.text.contains("\r\n\r\n\(try content("/proc/version"))\r\n--"))
        #expect(request["Content-Length"] == "\(request.body.count)")
    }

    @Test func `a file without a size is a value, as text and as JSON`() async throws {
        let number = "/proc/sys/kernel/pid_max"
        let request = try await send(["URL", "a=@\(number)", "b:=@\(number)"])
        let digits = try content(number).prefix { $0 != "\n" }
        #expect(request.text == #"{"a": "\#(digits)\n", "b": \#(digits)}"#)
    }

    @Test func `a file that reports a larger size is sent completely`() async throws {
        let path = "/sys/kernel/mm/transparent_hugepage/enabled"
        let request = try await send(["put", "URL", "@\(path)"])
        #expect(request.text == (try content(path)))
        #expect(try await send(["-F", "f=@\(path)", "URL"]).text.contains("\r\n\r\n\(try content(path))\r\n--"))
    }

    @Test func `a dry run shows the length of a file without a size`() async throws {
        let run = await runTool("--offline", "post", ":/", "@/proc/version")
        let content = try content("/proc/version")
        #expect(run.output.contains("Content-Length: \(content.utf8.count)\r\n"))
        #expect(run.output.hasSuffix("\r\n\r\n\(content)"))
    }

    @Test func `a response before the end of the upload is shown, with status 0`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 64 << 20)
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        } _: { server in
            let run = await runTool("put", server.url(), "-T", file, "--expect100", "no")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "ok")
            #expect(run.errors.contains("afcli: warning: the server responded with 200 OK before it had the body: "))
            #expect(run.errors.contains(" of 67.1 MB were sent"), "\(run.errors)")
        }
    }

    @Test(
        arguments: [["-T", "FILE"], ["-F", "f=@FILE"], ["-T", "FILE", "--chunked"], ["@FILE", "-x"]], [200, 204, 413])
    func `a response to Expect instead of the body is reported`(words: [String], status: Int) async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 2 << 20)
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 \(status) Early\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        } _: { (server) async throws in
            let typed = words.map { $0.replacing("FILE", with: file) }
            let sentence = "the server responded with \(status) Early before it had the body: "
            for more in [["--expect100", "yes"], ["--expect100", "yes", "-v"]] {
                let run = await runTool(["put", server.url()] + typed + more)
                #expect(run.status == (status < 300 ? 0 : 4), "\(run.errors)")
                #expect(run.errors.ranges(of: sentence).count == 1, "\(run.errors)")
                #expect(run.errors.contains("0 B"), "\(run.errors)")
            }
        }
    }

    @Test func `an early response over HTTP 2 is reported with the size of the sent part`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 2 << 20)
        for status in [200, 413] {
            let server = try LocalServer.scripted { connection in
                try connection.acceptHTTP2()
                try connection.skipFrames(through: .data)
                // More than the window of the stream is never sent.
                try connection.sendApart([.head(status), .body("early", isLast: true), .reset(.noError)])
                try connection.waitForClose()
            }
            let run = await runTool("--http2-prior-knowledge", "put", server.url(), "-T", file)
            #expect(run.status == (status == 200 ? 0 : 4), "\(run.errors)")
            #expect(run.output == "early")
            #expect(
                run.errors.contains("the server responded with \(status) before it had the body: "),
                "\(run.errors)")
            #expect(run.errors.contains(" of 2.1 MB were sent"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["-T", "FILE"], ["@FILE", "--chunked"], ["-F", "f=@FILE"], ["@FILE", "-x"], ["a=b"], ["--raw", ""],
    ])
    func `a response after the body is not reported as early`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 2 << 20)
        for status in [200, 413] {
            try await withServer { _ in
                .status(status)
            } _: { (server) async throws in
                let run = await runTool(["put", server.url()] + words.map { $0.replacing("FILE", with: file) })
                #expect(!run.errors.contains("before it had the body"), "\(run.errors)")
            }
        }
    }

    @Test func `a body that waits for a challenge is not reported as unsent`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 2 << 20)
        let login = DigestLogin()
        for password in [login.password, "wrong"] {
            try await withServer { request in
                login.accepts(request) ? .ok() : .status(401).header("WWW-Authenticate", login.challenge())
            } _: { (server) async throws in
                let run = await runTool(
                    "put", server.url(), "@\(file)", "-A", "digest", "-a", "\(login.user):\(password)")
                #expect(run.status == (password == login.password ? 0 : 4), "\(run.errors)")
                #expect(!run.errors.contains("before it had the body"), "\(run.errors)")
            }
        }
    }

    @Test(arguments: [["@FILE"], ["-T", "FILE"], ["-F", "f=@FILE"], ["--form", "f@FILE"]], [1, -1])
    func `a file that changes its length while it is sent is an error`(words: [String], change: Int) async throws {
        let folder = try ScratchFolder()
        let size = 64 << 20
        let file = try folder.writeSparse("big", size: size)
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            // More than socket buffers hold: the last byte is not read yet.
            guard truncate(file, size + change) == 0 else { throw CancellationError() }
            try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            try connection.waitForClose()
        } _: { server in
            let run = await runTool(["put", server.url()] + words.map { $0.replacing("FILE", with: file) })
            #expect(run.status == 16)
            let word = change > 0 ? "grew" : "shrank"
            #expect(run.messages.contains("afcli: error: \(file) \(word) while it was being sent"), "\(run.errors)")
            #expect(run.messages.last == "  send a copy that is not being written")
        }
    }
}
