import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// The hints about responses and failed transfers.
@Suite(.timeLimit(.minutes(5))) struct FailureHintTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a range that the server ignored is a warning`() async throws {
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            let run = await runTool("--range", "0-1", server.url())
            #expect(run.output == "hello")
            #expect(
                run.messages == ["afcli: warning: the server ignored the Range header and sent the complete resource"])
        }
    }

    @Test func `a range of a coded body is not decoded`() async throws {
        try await withServer { _ in
            .raw(
                """
                HTTP/1.1 206 Partial Content\r
                Content-Encoding: gzip\r
                Content-Range: bytes 0-1/40\r
                Content-Length: 2\r
                \r
                ab
                """)
        } _: { server in
            for words in [[], ["-o", folder.file("f")]] {
                let run = await runTool([server.url(), "--range", "0-1"] + words)
                #expect(run.status == 13 && run.output.isEmpty, "\(run.errors)")
                let raw = await runTool([server.url(), "--range", "0-1", "--no-decode"] + words)
                #expect(raw.status == 0, "\(raw.errors)")
            }
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a proxy that uses TLS is named`() async throws {
        try await withServer { _ in
            .raw("\u{15}\u{3}\u{3}\0\u{2}\u{2}F")
        } _: { proxy in
            let run = await runTool("http://h.invalid/", "--proxy", proxy.url())
            #expect(run.status == 13 && run.errors.contains("the proxy '"), "\(run.errors)")
            #expect(run.errors.contains("use https:// in the URL of the proxy"), "\(run.errors)")
        }
    }

    @Test func `an address of an excluded family is reported as the reason`() async {
        #expect(
            await runTool("-4", "http://[::1]:1").messages.first
                == "afcli: error: could not connect to [::1]:1: --ipv4 excludes IPv6 addresses")
        #expect(
            await runTool("-6", "http://127.0.0.1:1").messages.first
                == "afcli: error: could not connect to 127.0.0.1:1: --ipv6 excludes IPv4 addresses")
    }

    @Test(arguments: ["fe80::1", "febf:0::1"])
    func `a link-local address without an interface is explained`(address: String) async {
        let run = await runTool("http://[\(address)]:9/")
        #expect(run.status == 11)
        #expect(
            run.messages == [
                "afcli: error: could not connect to [\(address)]:9: a link-local address needs an interface",
                "  add it to the host, such as in [fe80::1%eth0]; the command 'ip address' lists the names",
            ])
    }

    @Test func `a silent pipe is not reported as the server's timeout`() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // Opened for reading and writing, so that neither end waits for the other.
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("post", server.url(), "@\(pipe)", "--timeout", "300ms")
            #expect(run.status == 2)
            #expect(
                run.errors == """
                    afcli: error: '\(pipe)' delivered no data for 300 ms
                      check the program that writes it, or increase --timeout; 0 waits without limit

                    """)
        }
    }

    @Test func `the hint of a slow connection names the option that limits it`() async throws {
        let silent = try LocalServer.silent()
        let url = "https://127.0.0.1:\(silent.port)/"
        for (words, hint) in [
            (["--timeout", "300ms"], "increase --timeout, or set --connect-timeout"),
            (["--timeout", "300ms", "--connect-timeout", "300ms"], "increase --connect-timeout"),
        ] {
            let run = await runTool([url] + words)
            #expect(run.status == 2)
            #expect(
                run.messages == [
                    "afcli: error: connecting to 127.0.0.1:\(silent.port) took longer than 300 ms", "  \(hint)",
                ])
        }
    }

    @Test(arguments: ["--http2", "--http2-prior-knowledge"])
    func `a response that breaks the rules of HTTP 2 is explained`(option: String) async throws {
        let server = try LocalServer.scripted { connection in
            if option == "--http2" {
                _ = try connection.readHead()
                try connection.upgradeToHTTP2()
            } else {
                try connection.acceptHTTP2()
            }
            try connection.send(.head(200, [("connection", "SECRET")], isLast: true))
            try connection.waitForClose()
        }
        let run = await runTool(option, server.url())
        #expect(run.status == 13)
        #expect(
            run.errors == """
                afcli: error: \(server.authority) sent a malformed response: it breaks the HTTP/2 protocol: the field \
                'connection' is invalid
                  --http1.1 may show the response

                """)
    }

    @Test(arguments: [500, 502, 503, 504])
    func `a gateway that fails after an unanswered Expect is explained`(status: Int) async throws {
        let file = try folder.writeSparse("big", size: 2 << 20)
        let advice = "the body is sent without waiting for 100 Continue"
        for (words, isAnswered, note) in [
            ([], false, "afcli: with --expect100 no, \(advice)"),
            (["Expect:100-continue"], false, "afcli: without the Expect field, \(advice)"),
            ([], true, nil), (["--expect100", "no"], true, nil),
        ] as [([String], Bool, String?)] {
            try await withScriptedServer { connection in
                if isAnswered { _ = try connection.readRequest() } else { _ = try connection.readHead() }
                try connection.send(
                    "HTTP/1.1 \(status) Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            } _: { (server) async throws in
                let run = await runTool(["put", server.url(), "@\(file)"] + words)
                #expect(run.status == 5, "\(run.errors)")
                let expected = status == 500 ? nil : note
                #expect(run.messages.first { $0.contains("100 Continue") } == expected, "\(run.errors)")
            }
        }
    }

    @Test(arguments: [401, 403])
    func `credentials that were not sent to another origin are mentioned`(status: Int) async throws {
        let other = try LocalServer { $0["Authorization"] == nil ? .status(status, "no") : .ok("yes") }
        try await withServer { _ in
            .redirect(to: other.url("/x"))
        } _: { server in
            let note =
                "afcli: the credentials were not sent to another origin, http://\(other.authority); "
                + "--trust-redirects sends them"
            for words in [["-a", "ada:pw"], ["Authorization:mine"], ["X-Api-Key:k"]] {
                let run = await runTool([server.url(), "-L"] + words)
                #expect(run.status == 4)
                #expect(run.messages.last == note, "\(run.errors)")
            }
            #expect(await runTool(server.url(), "-L").messages.count == 1)
            #expect(await runTool(server.url(), "-L", "-a", "ada:pw", "--trust-redirects").output == "yes")
            let direct = await runTool(other.url(), "X-Api-Key:k")
            #expect(direct.messages.count == 1, "\(direct.errors)")
            let unmet = await runTool(server.url(), "-L", "-a", "ada:pw", "--expect-status", "200")
            #expect(unmet.messages.contains(note.replacing("afcli:", with: " ")), "\(unmet.errors)")
        }
    }

    @Test(arguments: [false, true])
    func `a redirect without a target is reported`(isEmpty: Bool) async throws {
        try await withServer { _ in
            isEmpty ? .status(302).header("Location", "") : .status(302)
        } _: { server in
            let followed = await runTool("-L", server.url())
            #expect(followed.status == 3)
            let sentence = "afcli: the server responded with 302 Found"
            #expect(followed.errors == sentence + "; the response has no Location field\n")
            #expect(await runTool(server.url()).errors == sentence + "\n")
        }
    }

    @Test func `an unrequested range is reported`() async throws {
        try await withServer { _ in
            .status(206, "ab").header("Content-Range", "bytes 0-1/10")
        } _: { server in
            let run = await runTool(server.url())
            #expect(run.output == "ab")
            #expect(
                run.errors
                    == "afcli: warning: the server sent only a range, although the complete resource was requested\n"
            )
            #expect(await runTool(server.url(), "--range", "0-1").errors.isEmpty)
        }
    }

    @Test func `a proxy that opens no tunnel is distinguished from one that requires credentials`() async throws {
        for (status, hint) in [
            (403, "the proxy must allow CONNECT to this host and port; --no-proxy HOST bypasses it"),
            (404, "check host and port, and that a server is listening"),
            (502, "check host and port, and that a server is listening"),
            (401, "check --proxy and its credentials"),
        ] {
            try await withServer { _ in
                .status(status)
            } _: { proxy in
                let run = await runTool("https://localhost:1/", "--proxy", "http://\(proxy.authority)")
                #expect(run.status == 11)
                #expect(run.messages.last == "  \(hint)", "\(run.errors)")
            }
        }
    }

    @Test(
        arguments: [
            (
                1, "could not connect to server.example:80: general failure",
                "check host and port, and that a server is listening"
            ),
            (
                2, "refused the connection to server.example:80: its rules do not allow it",
                "the proxy must allow CONNECT to this host and port; --no-proxy HOST bypasses it"
            ),
            (
                5, "could not connect to server.example:80: connection refused",
                "check host and port, and that a server is listening"
            ),
            (
                8, "could not connect to server.example:80: the type of the address is not supported",
                "--no-proxy HOST bypasses the proxy"
            ),
        ] as [(UInt8, String, String)])
    func `the reply of a SOCKS proxy is explained`(reply: UInt8, problem: String, hint: String) async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 16)
            try connection.send([5, 0])
            _ = try connection.receive(atMost: 100)
            try connection.send([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
            try connection.waitForClose()
        } _: { (proxy) async throws in
            let url = "socks5h://\(proxy.authority)"
            let run = await runTool("http://server.example/", "--proxy", url)
            #expect(run.status == 11)
            #expect(run.messages == ["afcli: error: the proxy '\(url)' \(problem)", "  \(hint)"])
        }
    }

    @Test(arguments: [("", "requires authentication"), ("ada:wrong@", "rejected the credentials")])
    func `the credentials of a SOCKS proxy are explained`(credentials: String, problem: String) async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 16)
            // RFC 1928 §3: no acceptable method, or user name and password, which RFC 1929 then rejects.
            try connection.send(credentials.isEmpty ? [5, 0xFF] : [5, 2])
            if !credentials.isEmpty {
                _ = try connection.receive(atMost: 100)
                try connection.send([1, 1])
            }
            try connection.waitForClose()
        } _: { (proxy) async throws in
            let run = await runTool("http://server.example/", "--proxy", "socks5h://\(credentials)\(proxy.authority)")
            #expect(run.status == 11)
            #expect(run.messages.first == "afcli: error: the proxy 'socks5h://\(proxy.authority)' \(problem)")
            #expect(run.messages.last == "  --proxy socks5h://USER:PASSWORD@HOST:PORT sets the credentials")
        }
    }

    @Test func `an IPv6 address behind a SOCKS 4 proxy is no misspelled host`() async throws {
        try await withScriptedServer {
            try $0.waitForClose()
        } _: { (proxy) async throws in
            let url = "socks4://\(proxy.authority)"
            let run = await runTool("http://[::1]:81/", "--proxy", url)
            #expect(run.status == 11)
            #expect(
                run.messages == [
                    "afcli: error: the proxy '\(url)' could not connect to [::1]:81: SOCKS 4 has no IPv6 addresses",
                    "  use socks5:// if the proxy supports it; --no-proxy HOST bypasses it",
                ])
        }
    }

    @Test func `a download from a server that has only a compressed file has a hint that works`() async throws {
        try await withServer { request in
            request["Accept-Encoding"]?.contains("gzip") == true
                ? .bytes(CodedBody.gzip.bytes).header("Content-Encoding", "gzip") : .status(406)
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 4)
            let hint = try #require(run.messages.last)
            #expect(hint.hasPrefix("afcli: 'Accept-Encoding:"), "\(run.errors)")
            let field = try #require(hint.split(separator: "'").dropFirst().first)
            #expect(await runTool("-o", folder.file("f"), server.url(), String(field)).status == 0)
            #expect(try folder.text(of: "f") == CodedBody.text)
            #expect(!(await runTool(server.url(), "Accept-Encoding:br")).errors.contains("Accept-Encoding"))
        }
    }

    @Test func `an empty session file is mentioned`() async throws {
        let file = try folder.write("", to: "s.json", permissions: 0o600)
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("--session", file, server.url())
            #expect(run.status == 0)
            #expect(run.errors == "afcli: warning: the session file '\(file)' is empty: a new session starts\n")
            #expect(await runTool("--session", file, server.url()).errors.isEmpty)
            #expect(await runTool("--session", folder.file("new.json"), server.url()).errors.isEmpty)
        }
    }

    @Test func `a partial file without a validator has a hint`() async throws {
        try await withServer {
            $0["Range"] == nil
                ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234")
                : .status(206, "0123456789").header("Content-Range", "bytes 0-9/10")
        } _: { server in
            let words = ["-o", folder.file("f"), server.url()]
            let run = await runTool(words)
            #expect(run.status == 13)
            #expect(
                run.messages.last
                    == "  '\(folder.file("f.part"))' has the first 5 B, but the response had no strong ETag or Last-Modified; "
                    + "the same command restarts; --resume=unsafe compares only its end", "\(run.errors)")
            let resumed = await runTool(words + ["--resume=unsafe"])
            #expect(resumed.status == 0, "\(resumed.errors)")
            #expect(folder.holds("0123456789", in: "f"))
        }
    }

    @Test func `an error about a name of the list does not name an option`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let path = folder.file("out") + "/"
            func message(_ words: String...) async -> ToolRun {
                await runTool(["--input", folder.file("list")] + words)
            }
            try folder.write("\(server.url()) none/x", to: "list")
            let missing = await message("--output", path)
            #expect(missing.status == 16)
            let start = "afcli: error: \(server.url()): --input: cannot write '\(path)"
            #expect(missing.messages.first == start + "none/x': there is no such directory", "\(missing.errors)")
            _ = try folder.folder("out/d")
            try folder.write("\(server.url()) d", to: "list")
            let directory = await message("--output", path)
            #expect(directory.messages.first == start + "d': it is a directory", "\(directory.errors)")
            #expect(directory.messages.dropFirst().first == "  write another name after the URL in the list")
        }
    }
}
