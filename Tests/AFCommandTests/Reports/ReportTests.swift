import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func report(_ words: [String]) async throws -> (run: ToolRun, json: ReadJSON) {
        let run = await runTool(words + ["--report", folder.file("r.json")])
        return (run, try ReadJSON(try folder.text(of: "r.json")))
    }

    @Test func `earlier headers are reported with their hop`() async throws {
        let login = DigestLogin()
        try await withServer { request in
            guard login.accepts(request) else {
                return .status(401, "no").header("WWW-Authenticate", login.challenge())
            }
            return .raw(
                "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=secret\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            )
        } _: { server in
            let (run, json) = try await report(["-A", "digest", "-a", "ada:open sesame", server.url()])
            #expect(run.output == "ok")
            #expect(json.count("hops") == 1)
            #expect(json["hops[0].status"] == "200")
            #expect(json.count("hops[0].earlier") == 2)
            #expect(json.string("hops[0].earlier[0].kind") == "round")
            #expect(json.string("hops[0].earlier[0].method") == "GET")
            #expect(json["hops[0].earlier[0].status"] == "401")
            #expect(json.string("hops[0].earlier[0].request_headers[0].value") == server.authority)
            #expect(json["hops[0].earlier[0].response_headers"]?.contains("Digest realm") == true)
            #expect(json.string("hops[0].earlier[1].kind") == "interim")
            #expect(json["hops[0].earlier[1].status"] == "103")
            #expect(try !folder.text(of: "r.json").contains("a=secret"))
        }
    }

    @Test func `a proxy's response to CONNECT is reported with its hop, without credentials`() async throws {
        let nginx = try await NginxServer(files: ["x": .text("inside")])
        let proxy = try TunnelProxy()
        let words = ["--proxy", "http://ada:s3cret@127.0.0.1:\(proxy.port)", "--cacert", nginx.root, "--http1.1"]
        let (run, json) = try await report(words + [nginx.secureURL("/x")])
        #expect(run.output == "inside", "\(run.errors)")
        #expect(json.count("hops[0].earlier") == 1)
        #expect(json.string("hops[0].earlier[0].kind") == "tunnel")
        #expect(json.string("hops[0].earlier[0].method") == "CONNECT")
        #expect(json.string("hops[0].earlier[0].reason") == "Established")
        #expect(json.string("hops[0].earlier[0].response_headers[0].name") == "X-Proxy")
        #expect(json["hops[0].earlier[0].request_headers"]?.contains("Proxy-Authorization") == true)
        #expect(json["hops[0].earlier[0].request_headers"]?.contains("YWRhOnMzY3JldA") == false)
        #expect(json["hops[0].request_headers"]?.contains("Proxy-Authorization") == false)
    }

    @Test func `a session that cannot be stored is reported, too`() async throws {
        let session = folder.file("s.json")
        try await withServer { _ in
            // Another program has created a directory with this name in the meantime.
            mkdir(session, 0o700)
            return .ok().header("Set-Cookie", "a=1")
        } _: { server in
            let (run, json) = try await report(["--session", session, server.url()])
            #expect(run.status == 16)
            #expect(json["exit_status"] == "16" || json["exit_code"] == "16" || json["status"] == "16")
        }
    }

    @Test func `every hop is reported with request, response and times`() async throws {
        try await withServer {
            $0.path == "/a" ? .redirect(to: "/b") : .json("{}").header("X-A", "1").header("X-A", "2")
        } _: { server in
            let (run, json) = try await report(["-L", "put", server.url("/a"), "name=Ada", "--post302"])
            #expect(run.status == 0)
            #expect(run.output == "{}")
            #expect(json["version"] == "1")
            #expect(json.string("request.method") == "PUT")
            #expect(json.string("request.url") == server.url("/a"))
            #expect(json["request.sent"] == "true")
            #expect(json.string("request.body.kind") == "bytes")
            #expect(json["request.body.size"] == "15")
            #expect(json.string("request.body.type") == "application/json")
            #expect(json.count("hops") == 2)
            #expect(json["hops[0].status"] == "302")
            #expect(json.string("hops[0].reason") == "Found")
            #expect(json.string("hops[0].protocol") == "HTTP/1.1")
            #expect(json.string("hops[1].url") == server.url("/b"))
            // Only the wire knows of Host.
            #expect(json.string("hops[1].request_headers[0].name") == "Host")
            #expect(json.string("hops[1].request_headers[0].value") == server.authority)
            let names = (0..<json.count("hops[1].response_headers")).map {
                json.string("hops[1].response_headers[\($0)].name")
            }
            #expect(names.filter { $0 == "X-A" }.count == 2)
            #expect(json["hops[1].sizes.response_body"] == "2")
            #expect(json.number("hops[0].sizes.request_head") == Double(server.requests[0].head.count))
            #expect(json.string("hops[0].connection.remote.address") == "127.0.0.1")
            #expect(json["hops[1].connection.reused"] == "true")
            #expect(json["hops[0].tls"] == "null")
            let times = ["dns", "connect", "tls", "waiting", "transfer"].compactMap {
                json.number("hops[0].timings.\($0)")
            }
            let total = try #require(json.number("hops[0].timings.total"))
            #expect(times.count == 5)
            #expect(abs(times.reduce(0, +) - total) < 0.0001)
            #expect(json["totals.redirects"] == "1")
            #expect(json["error"] == "null")
            #expect(json["exit_status"] == "0")
            #expect(folder.list() == ["r.json"])
        }
    }

    @Test func `retries are reported with their reasons`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            count.withLock { count in
                count += 1
                return count == 1 ? .status(503).closing() : count == 2 ? .reset : .ok("fine")
            }
        } _: { server in
            let (_, json) = try await report(["--retry", "2", "--retry-delay", "1ms", server.url()])
            #expect(json.count("hops") == 3)
            #expect(json["hops[2].attempt"] == "3")
            #expect(json["hops[1].status"] == "null")
            #expect(json.count("retries") == 2)
            #expect(json["retries[0].status"] == "503")
            #expect(json["retries[1].status"] == "null")
            #expect(json["retries[0].delay"] == "0.001000")
            #expect(json.string("retries[0].reason") == "the server responded with 503 Service Unavailable")
            #expect(json["totals.retries"] == "2")
        }
    }

    @Test func `a failure is reported with its code, its kind and its message`() async throws {
        let port = try RefusingPort()
        var (run, json) = try await report([port.url()])
        #expect(run.status == 11)
        #expect(json["error.code"] == "11")
        #expect(json.string("error.kind") == "connection")
        #expect(run.messages.first == "afcli: error: \(json.string("error.message") ?? "?")")
        #expect(json["exit_status"] == "11")
        try await withServer { _ in
            .status(404, "gone")
        } _: { server in
            (run, json) = try await report([server.url()])
            #expect(json.string("error.kind") == "client-error")
            #expect(json.string("error.message") == "the server responded with 404 Not Found")
            #expect(json["hops[0].status"] == "404")
            (run, json) = try await report([server.url(), "--expect-status", "200", "--expect-header", "X"])
            #expect(json.string("error.kind") == "expectation")
            #expect(json.count("error.details") == 2)
            (run, json) = try await report([server.url(), "--no-check-status"])
            #expect(json["error"] == "null")
        }
        (run, json) = try await report(["example.invalid", "name=@\(folder.file("missing"))"])
        #expect(run.status == 16)
        #expect(json["error.code"] == "16")
        #expect(json["request"] == "null")
        #expect(json.count("hops") == 0)
        (run, json) = try await report(["ftp://example.invalid"])
        #expect(json.string("error.kind") == "usage")
        #expect(!run.errors.isEmpty)
    }

    @Test func `an output that fails does not lose the report`() async throws {
        var world = ToolWorld()
        world.output = FullOutput()
        try await withServer { _ in
            .ok("fine")
        } _: { server in
            let (path, archive) = (folder.file("r.json"), folder.file("r.har"))
            let run = await runTool(
                "-o", folder.file("body"), "-w", "%{http_code}", "--report", path, "--har", archive, server.url(),
                in: world)
            #expect(run.status == 16)
            #expect(run.errors.contains("the disk is full"))
            let report = try folder.text(of: "r.json")
            #expect(report.contains(#""exit_status": 16"#), "\(report)")
            #expect(folder.list().contains("r.har"))
        }
    }

    @Test func `a saved body is reported with its file`() async throws {
        try await withServer { _ in
            .ok("fine")
        } _: { server in
            let (_, json) = try await report(["-o", folder.file("f"), server.url()])
            #expect(json.string("file") == folder.file("f"))
            let (refused, failed) = try await report(["-o", folder.file("no/f"), server.url()])
            #expect(refused.status == 16)
            #expect(failed.string("error.kind") == "file")
            #expect(failed.string("request.url") == server.url())
            let wrong = "md5:" + String(repeating: "0", count: 32)
            let (mismatch, other) = try await report(["-o", folder.file("g"), "--checksum", wrong, server.url()])
            #expect(mismatch.status == 15)
            #expect(other.string("error.kind") == "checksum")
        }
    }

    @Test func `a dry run is reported as a request that was not sent`() async throws {
        let (run, json) = try await report(["--offline", "example.invalid", "a=b"])
        #expect(run.status == 0)
        #expect(json["request.sent"] == "false")
        #expect(json["hops"] == "[]")
    }

    @Test(arguments: ["--report", "--har"])
    func `secrets are omitted by default`(option: String) async throws {
        try await withServer {
            $0.path == "/a"
                ? .redirect(to: "/b?access_token=t0psecret").header("Set-Cookie", "sid=c00kie; Path=/; HttpOnly")
                : .ok()
        } _: { server in
            let words = [
                "-L", "-f", server.url("/a?api_key=k3y&q=1"), "-a", "ada:passw0rd", "Cookie:x=c00kie", "X-Api-Key:k3y",
                "password=passw0rd", "note=plain", option, folder.file("f"),
            ]
            let secrets = ["passw0rd", "YWRhOnBhc3N3MHJk", "k3y", "c00kie", "t0psecret"]
            #expect(await runTool(words).status == 0)
            let hidden = try folder.text(of: "f")
            for secret in secrets { #expect(!hidden.contains(secret), "\(secret)") }
            #expect(hidden.contains("Basic •••") && hidden.contains("x=•••") && hidden.contains("q=1"))
            #expect(try folder.permissions(of: "f") == 0o666 & ~currentMask())
            #expect(await runTool(words + ["--show-secrets"]).status == 0)
            let shown = try folder.text(of: "f")
            for secret in ["YWRhOnBhc3N3MHJk", "k3y", "c00kie", "t0psecret"] { #expect(shown.contains(secret)) }
            #expect(try folder.permissions(of: "f") == 0o600)
        }
    }

    @Test func `an invalid item is reported without its value`() async throws {
        let (run, json) = try await report(["example.invalid", "token:=t0p"])
        #expect(run.errors.contains("token:=...: not JSON: ") && !run.errors.contains("t0p"))
        #expect(json.string("error.message")?.hasPrefix("token:=...: not JSON: ") == true)
        #expect(try !folder.text(of: "r.json").contains("t0p"))
    }

    @Test(arguments: [
        (["-F", "note=abc;t0p"], "-F: unknown attribute '...': use type=, filename= or headers="),
        (["-f", "token:={\"a\":\"t0p\"}"], "token:=...: a form field cannot be of type object"),
        (["--", "-t0p"], "...: is not an item"),
        (["-X", "t0 p"], "-X: invalid method '...'"), (["X-A:t0p\u{1}"], nil),
    ])
    func `a usage error is reported without typed values`(words: [String], message: String?) async throws {
        for option in ["--report", "--har"] {
            let run = await runTool([option, folder.file("r.json"), "example.invalid"] + words)
            #expect(run.status == 64)
            let record = try folder.text(of: "r.json")
            #expect(!record.contains("t0"), "\(record)")
            guard let message else { continue }
            #expect(try ReadJSON(record).string(option == "--har" ? "log.comment" : "error.message") == message)
        }
    }

    private func currentMask() -> UInt32 {
        let mask = umask(0o022)
        umask(mask)
        return mask
    }

    @Test func `an unwritable report is an error before a request is sent`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for (path, reason) in [
                (folder.file("no/r"), "there is no such directory"), (folder.path, "it is a directory"),
            ] {
                let run = await runTool(server.url(), "--report", path)
                #expect(run.status == 16)
                #expect(run.messages.first == "afcli: error: --report: cannot write '\(path)': \(reason)")
            }
            #expect(await runTool(server.url(), "--har", "").status == 64)
            #expect(server.requests.isEmpty)
            let full = await runTool(server.url(), "--report", "/dev/full")
            #expect(full.status == 16)
            #expect(full.errors.contains("the disk is full"))
        }
    }

    @Test func `an earlier report remains if the new one cannot be completed`() throws {
        _ = try folder.write("old", to: "r")
        // A directory prevents the rename.
        let taken = try folder.folder("taken")
        func write(to path: String) throws {
            try AtomicFile.write("new", to: path, isPrivate: false, waits: WaitLimits(), option: "--report")
        }
        #expect(throws: FileProblem.self) { try write(to: taken + "/") }
        try write(to: folder.file("r"))
        #expect(folder.holds("new", in: "r"))
        #expect(folder.list() == ["r", "taken"])
    }

    @Test func `every member and every kind of error is in the documentation of the report`() async throws {
        let folders = #filePath.split(separator: "/").dropLast(4)
        let document = String(
            decoding: try ScratchFolder.bytes(at: "/\(folders.joined(separator: "/"))/Documentation/report.md"),
            as: UTF8.self)
        try await withServer { _ in
            .status(503)
        } _: { server in
            let (_, json) = try await report(["put", server.url(), "a=b", "--retry", "1", "--retry-delay", "1ms"])
            for path in [
                "", "request", "request.body", "hops[0]", "hops[0].timings", "hops[0].sizes", "hops[0].connection",
                "retries[0]", "totals", "error",
            ] {
                let names = json.names(path)
                #expect(!names.isEmpty)
                for name in names {
                    let isThere = ["`\(name)`", ".\(name)`", "{\(name),", " \(name),", " \(name)}"].contains(
                        where: document.contains)
                    #expect(isThere, "\(path).\(name)")
                }
            }
        }
        for code in 1...143 {
            let kind = ExitStatus(code: Int32(code)).kind
            #expect(document.contains("`\(kind)`"), "\(kind)")
        }
    }

    @Test func `an unknown format is an error, and no part of a file name`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok()
        } _: { server in
            for argument in ["nope:x", "JUnit:x", "json:\(folder.file("x"))"] {
                let run = await runTool("--report", argument, server.url())
                #expect(run.status == 64)
                let prefix = argument.prefix { $0 != ":" }
                let hint = "write junit:FILE, or ./\(argument) for a file of this name"
                let message = "'\(prefix):' is not a prefix of --report\n  \(hint)\n"
                #expect(run.errors.contains(message), "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
            for name in ["a:b", "12:00.json"] {
                #expect(await runTool("--report", folder.file(name), server.url()).status == 0)
                #expect(folder.has(name))
            }
        }
    }

    @Test func `a dash means standard output`() async throws {
        try await withServer { _ in
            .ok("body")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), "--report", "-", server.url())
            let json = try run.json
            #expect(json["exit_status"] == "0")
            #expect(run.output.hasSuffix("}\n"))
        }
    }

    @Test(arguments: [("body", "body\n{"), ("body\n", "body\n{"), ("", "{"), ("a\n\n", "a\n\n{")])
    func `a report after a body starts on its own line`(body: String, beginning: String) async throws {
        try await withServer { _ in
            .ok(body)
        } _: { server in
            for option in ["--report", "--har"] {
                let run = await runTool(option, "-", server.url())
                #expect(run.output.hasPrefix(beginning), "\(run.output.prefix(40))")
            }
            let both = await runTool("-w", "%{http_code}", "--report", "-", server.url())
            #expect(both.output.hasPrefix("\(body)200\n{"))
        }
    }

    @Test func `text of the server is escaped on a terminal`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nX-A: \u{1B}[31m\u{202E}\r\nContent-Length: 0\r\n\r\n")
        } _: { server in
            for words in [["--report", "-"], ["-w", "%header{x-a}"]] {
                let run = await runTool(words + [server.url(), "-q"], in: .terminal())
                #expect(!run.output.contains("\u{1B}") && !run.output.contains("\u{202E}"))
            }
        }
    }
}

/// An output on a full disk.
private final class FullOutput: ByteOutput {
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) { throw .failed(errno: ENOSPC) }
}
