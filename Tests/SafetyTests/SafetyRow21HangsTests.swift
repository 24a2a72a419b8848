import AFCore
import AFTransport
import Glibc
import TestSupport
import Testing

@Suite("Safety 21: hangs", .timeLimit(.minutes(5)))
struct SafetyRow21HangsTests {
    /// Less than every default time limit, and more than a busy machine needs.
    private static let longest = Duration.seconds(25)

    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Runs the tool with each of these arguments at the same time, with a limit: it must end soon after the limit, and name
    /// the option.
    private func timeOut(_ runs: (words: [String], option: String)...) async throws {
        try await concurrently(runs) { words, option in
            let start = ContinuousClock.now
            let run = try await folder.afcli(words, within: Self.longest)
            #expect(run.status == 2, "\(words): \(run.status) \(run.errorText)")
            #expect(run.errorText.contains(option), "\(words): \(run.errorText)")
            #expect(start.duration(to: .now) > .milliseconds(900), "\(words)")
        }
    }

    @Test func `by default connecting is limited to 30 s and silence to 60 s, without a total limit`() {
        let timeouts = TransferOptions().timeouts
        #expect(timeouts.connect == 30 && timeouts.idle == 60 && timeouts.total == nil)
        #expect(SessionConfiguration().timeouts == timeouts)
        let limits = TransferLimits()
        #expect(limits.headBytes == 256 << 10 && limits.headLines == 1000 && limits.interimResponses == 20)
        #expect(RedirectPolicy().limit == 30)
    }

    @Test(arguments: [
        ("connect-timeout", "default: 30 s"), ("timeout", "default: 60 s"), ("max-redirects", "default: 30"),
    ])
    func `the help states the defaults`(option: String, words: String) async throws {
        #expect(try await folder.afcli("--help=\(option)").text.contains(words))
    }

    @Test func `a connection that is never established`() async throws {
        let port = try UnresponsivePort()
        try await timeOut(
            (["--connect-timeout", "1", port.url()], "--connect-timeout"),
            (["--max-time", "1", port.url()], "--max-time"), (["--timeout", "1", port.url()], "timeout"))
    }

    @Test func `a handshake without a response`() async throws {
        try await withSilentServer { server in
            let url = "https://\(server.authority)/"
            try await timeOut(
                (["--connect-timeout", "1", url], "--connect-timeout"),
                (["--proxy", server.url(), "--connect-timeout", "1", "https://h.invalid/"], "timeout"))
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{", "HTTP/1.1 503 No\r\n\r\n{",
    ])
    func `a response that --wait judges and that never ends`(start: String) async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(start)
            let drop = start.hasSuffix("{") ? " " : "X: y\r\n"
            for _ in 0..<100 { try connection.sendSlowly(drop, pieces: 6, every: .milliseconds(250)) }
        } _: { server in
            let expectation = start.contains("503") ? ["--expect-status", "200"] : ["--expect-json", "a==1"]
            let run = try await folder.afcli(
                ["-q", "--wait", "1"] + expectation + [server.url()], within: Self.longest)
            #expect(run.status == 2 && run.errorText.contains("--wait (1.00 s)"), "\(run.errorText)")
        }
    }

    @Test func `a first byte that never arrives`() async throws {
        try await withSilentServer { server in
            try await timeOut(
                (["--timeout", "1", server.url()], "--timeout"), (["--max-time", "1", server.url()], "--max-time"),
                (["--timeout", "1", "-d", server.url()], "--timeout"))
        }
    }

    @Test func `a token response that never arrives`() async throws {
        try await withSilentServer { server in
            let words = ["-A", "oauth2", "-a", "ada:s3cret", "--token-url", server.url(), "http://h.invalid/"]
            try await concurrently([["--timeout", "1", "--session", "./s.json"], ["--max-time", "1"]]) { options in
                let run = try await folder.afcli(options + words, within: Self.longest)
                #expect(run.status == 2, "\(options): \(run.status) \(run.errorText)")
            }
        }
    }

    @Test func `delays between attempts count toward the total limit`() async throws {
        try await withServer { _ in
            .status(503)
        } _: { server in
            let words = ["--max-time", "2", "--retry", "9", "--retry-delay", "1", server.url()]
            let run = try await folder.afcli(words, within: Self.longest)
            #expect([2, 5].contains(run.status), "\(run.status) \(run.errorText)")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n",
    ])
    func `a response that stalls`(beginning: String) async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(beginning)
            try connection.waitForClose()
        } _: { server in
            try await timeOut(
                (["-b", "--timeout", "1", server.url()], "--timeout"),
                (["-b", "--max-time", "1", server.url()], "--max-time"))
        }
    }

    @Test func `an upload that the server does not read`() async throws {
        let file = try folder.writeSparse("big", size: 64 << 20)
        let isOver = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.wait(for: isOver)
        } _: { server in
            defer { isOver.open() }
            let words = ["--expect100", "no", "--raw", "@\(file)", server.url()]
            let run = try await folder.afcli(["--timeout", "1"] + words, within: Self.longest)
            #expect(run.status == 2, "\(run.errorText)")
        }
    }

    @Test func `an endless slow body is limited by --max-time`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<300 { try connection.sendSlowly("1\r\nx\r\n", pieces: 6, every: .milliseconds(100)) }
        } _: { server in
            try await timeOut((["-b", "--timeout", "1", "--max-time", "3", server.url()], "--max-time"))
        }
    }

    @Test(.enabled(if: MountNamespace.isAllowed, "a resolv.conf of the test's own needs root and unshare --mount"))
    func `a name server that does not respond`() async throws {
        // Its port is fixed, so that each test process has an address of its own.
        let host = "127.78.\(getpid() >> 8 & 0xFF).\(getpid() & 0xFF)"
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let status = withUnsafePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try expect(status == 0, "port 53 of \(host) is needed, which is the superuser's")
        try folder.write("nameserver \(host)\noptions timeout:30 attempts:2\n", to: "resolv.conf")
        try folder.write("hosts: files dns\n", to: "nsswitch.conf")
        let script = """
            mount --bind resolv.conf /etc/resolv.conf && mount --bind nsswitch.conf /etc/nsswitch.conf && exec "$@"
            """
        for option in ["--connect-timeout", "--max-time"] {
            var program = try Program.installed(
                "unshare", package: "util-linux", ["--mount", "/bin/sh", "-c", script, "sh"])
            program.arguments += [try Program.afcliPath(), option, "1", "http://example.org/"]
            (program.workingDirectory, program.environment) = (folder.path, ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
            let run = try await program.run(within: Self.longest)
            #expect(run.status == 2, "\(run.status) \(run.errorText)")
        }
    }

    @Test(arguments: ["86400", "Mon, 01 Jan 2125 00:00:00 GMT"])
    func `a Retry-After of a day or more ends the retries`(time: String) async throws {
        try await withServer { _ in
            .status(503).header("Retry-After", time)
        } _: { server in
            let run = try await folder.afcli(["--retry", "5", server.url()], within: Self.longest)
            #expect(run.status == 5, "\(run.errorText)")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [
        ["get", "URL"], ["head", "URL"], ["delete", "URL"], ["URL", "a=b"], ["-I", "URL"], ["-I", "post", "URL"],
        ["-d", "-o", "f", "URL"],
    ])
    func `a silent standard input does not block requests that do not need it`(words: [String]) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = words.map { $0 == "URL" ? server.url() : $0 }
            let run = try await folder.afcli(words, input: .pipe)
            #expect(run.status == 0, "\(run.errorText)")
        }
    }

    @Test func `a silent standard input that would be read results in a GET with a note, or a timeout`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let unasked = try await folder.afcli([server.url()], input: .pipe)
            #expect(unasked.status == 0, "\(unasked.errorText)")
            #expect(unasked.errorText.contains("standard input is open but has no data: sending GET"))
            let body = try await folder.afcli(
                ["post", server.url(), "--timeout", "1"], input: .pipe)
            #expect(body.status == 2, "\(body.errorText)")
            #expect(server.requests.filter(\.isComplete).map(\.method) == ["GET"])
        }
    }

    @Test func `a silent standard input that is the body is reported`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            try await concurrently([["post", server.url()], ["put", server.url(), "a=@-"]]) { words in
                var program = Program(try Program.afcliPath(), words)
                program.input = .pipe
                let running = try program.start()
                try await running.waitForText("waiting for data on standard input; --ignore-stdin")
                running.closeInput()
                #expect(try await running.waitForEnd(within: Self.longest).status == 0, "\(words)")
            }
        }
    }

    @Test func `the timeout can be disabled`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            // Longer than the limit that is not there.
            usleep(1_500_000)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate")
        } _: { (server) async throws in
            let limits = [["--timeout", "1", "--no-timeout"], ["--timeout", "0"], ["--timeout", "1"]]
            try await concurrently(limits) { options in
                let run = try await folder.afcli(options + ["-b", server.url()])
                if options == ["--timeout", "1"] {
                    #expect(run.status == 2, "\(run.errorText)")
                } else {
                    #expect(run.text == "late", "\(options): \(run.errorText)")
                }
            }
        }
    }
}
