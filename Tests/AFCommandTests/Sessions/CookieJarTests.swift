import AFHTTP
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct CookieJarTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Responds with the received cookies, and sets those in the query.
    private func server() throws -> LocalServer {
        try LocalServer { request in
            let answer = LocalServer.Response.ok(request["Cookie"] ?? "none")
            return (request.query ?? "").split(separator: "&").reduce(answer) {
                $0.header("Set-Cookie", String($1))
            }
        }
    }

    @Test func `cookies are read from the file and written to it`() async throws {
        let server = try server()
        let jar = try folder.write(
            """
            # Netscape HTTP Cookie File
            # kept by hand

            127.0.0.1\tFALSE\t/\tFALSE\t4000000000\told\t1
            #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t2
            127.0.0.1\tFALSE\t/\tFALSE\t1000\tover\t3
            .example.org\tTRUE\t/\tTRUE\t0\tother\t4

            """,
            to: "jar"
        )
        let run = await runTool("--cookie-jar", jar, server.url("/?new=5;Path=/;HttpOnly&old=6;Path=/"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "old=1; session=2")
        #expect(try folder.permissions(of: "jar") == 0o600)
        #expect(
            try folder.text(of: "jar") == """
                # Netscape HTTP Cookie File
                # kept by hand

                127.0.0.1\tFALSE\t/\tFALSE\t0\told\t6
                #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t2
                .example.org\tTRUE\t/\tTRUE\t0\tother\t4
                #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tnew\t5

                """
        )
        #expect(await runTool("--cookie-jar", jar, server.url("/?old=;Path=/;Max-Age=0")).status == 0)
        #expect(await runTool("--cookie-jar", jar, server.url()).output.contains("old") == false)
    }

    @Test func `a missing file is created, and curl reads it`() async throws {
        let server = try server()
        let jar = folder.file("jar")
        #expect(await runTool("--cookie-jar", jar, server.url("/?a=1;Path=/")).status == 0)
        #expect(try folder.permissions(of: "jar") == 0o600)
        let curl = try await Program("/usr/bin/curl", ["-sb", jar, "-c", jar, server.url("/?b=2;Path=/")]).run()
        #expect(curl.text == "a=1")
        let both = await runTool("--cookie-jar", jar, server.url())
        #expect(both.output.split(separator: "; ").sorted() == ["a=1", "b=2"])
    }

    @Test func `what a run does not change keeps its bytes`() async throws {
        let server = try server()
        let bytes: [UInt8] =
            Array("\u{FEFF}# HTTP Cookie File\r\nexample.org\ttrue\t/\tFALSE\t\tpython\t1\r\nnonsense\n".utf8)
            + Array("example.org\tFALSE\t/\tTrue\t0\tempty\n# a comment\n127.0.0.1\tFALSE\t/\tFALSE\t0\tn\tgr".utf8)
            + [0xFC, 0x0A] + Array("127.0.0.1\tFALSE\t/\tFALSE\t0\ta\t1".utf8)
        let jar = try folder.write(bytes, to: "jar", permissions: 0o600)
        let run = await runTool("--cookie-jar", jar, server.url("/?a=2;Path=/&b=3;Path=/"))
        #expect(run.status == 0)
        #expect(
            run.messages == [
                "afcli: warning: line 3 of '\(jar)' is not a cookie in Netscape's format: it is ignored and kept"
            ])
        let end = "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\t2\n127.0.0.1\tFALSE\t/\tFALSE\t0\tb\t3\n"
        #expect(try folder.bytes(of: "jar") == bytes.dropFirst(3).dropLast(29) + Array(end.utf8))
    }

    @Test(arguments: [
        (2, "lines 2 and 3"), (3, "lines 2, 3 and 4"), (11, "lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 12"),
        (12, "lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 other lines"),
    ])
    func `lines that cannot be read are counted`(count: Int, text: String) async throws {
        let lines = String(repeating: "nonsense\n", count: count)
        let jar = try folder.write("# Netscape HTTP Cookie File\n" + lines, to: "jar", permissions: 0o600)
        let server = try server()
        let run = await runTool("--cookie-jar", jar, server.url())
        let sentence = "\(text) of '\(jar)' are not cookies in Netscape's format: they are ignored and kept"
        #expect(run.messages == ["afcli: warning: " + sentence])
    }

    @Test func `a damaged line with the mark of HttpOnly is reported, too`() async throws {
        let server = try server()
        let jar = try folder.write(
            "# Netscape HTTP Cookie File\n#HttpOnly_h\tTRUE\n", to: "jar", permissions: 0o600)
        #expect(await runTool("--cookie-jar", jar, server.url()).messages.first?.contains("line 2 of") == true)
    }

    @Test func `a cookie whose last line has expired is gone`() async throws {
        let server = try server()
        let line = "127.0.0.1\tFALSE\t/\tFALSE\t"
        let jar = try folder.write("\(line)0\ta\t1\n\(line)1000\ta\t2\n", to: "jar", permissions: 0o600)
        #expect(await runTool("--cookie-jar", jar, server.url("/?b=3;Path=/")).output == "none")
        #expect(try !folder.text(of: "jar").contains("\ta\t"))
    }

    @Test func `of several lines of a cookie the last one counts, and one remains`() async throws {
        let server = try server()
        let line = "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\t"
        let jar = try folder.write("\(line)1\n\(line)2\n", to: "jar", permissions: 0o600)
        #expect(await runTool("--cookie-jar", jar, server.url("/?a=3;Path=/")).output == "a=2")
        #expect(try folder.text(of: "jar").ranges(of: line).count == 1)
        #expect(await runTool("--cookie-jar", jar, server.url()).output == "a=3")
    }

    @Test(arguments: ["Mon, 01-Jan-1601 00:00:00 GMT", "Thu, 01-Jan-70 00:00:01 GMT", "Mon, 01 Jan 1900 00:00:00 GMT"])
    func `a cookie that a server deletes is gone`(date: String) async throws {
        let server = try LocalServer { request in
            let answer = LocalServer.Response.ok(request["Cookie"] ?? "none")
            return switch request.path {
            case "/set": answer.header("Set-Cookie", "a=1; Path=/; Max-Age=1000")
            case "/delete": answer.header("Set-Cookie", "a=; Path=/; Expires=\(date)")
            default: answer
            }
        }
        let jar = folder.file("jar")
        #expect(await runTool("--cookie-jar", jar, server.url("/set")).status == 0)
        #expect(await runTool("--cookie-jar", jar, server.url("/delete")).output == "a=1")
        #expect(await runTool("--cookie-jar", jar, server.url()).output == "none")
        #expect(try !folder.text(of: "jar").contains("\ta\t"))
    }

    @Test func `a file with other contents is rejected and remains`() async throws {
        let server = try server()
        let text = "# notes\nbuy milk\n"
        let file = try folder.write(text, to: "notes")
        let run = await runTool("--cookie-jar", file, server.url("/?a=1"))
        #expect(run.status == 16)
        #expect(
            run.messages.first
                == "afcli: error: --cookie-jar: '\(file)' is malformed: line 2 is not a cookie in Netscape's format")
        #expect(server.requests.isEmpty)
        #expect(folder.holds(text, in: "notes"))
    }

    @Test func `links, directories and devices are rejected`() async throws {
        let server = try server()
        try folder.write("", to: "target")
        try folder.link("link", to: folder.file("target"))
        for path in [folder.file("link"), folder.path, "/dev/null"] {
            #expect(await runTool("--cookie-jar", path, server.url()).status == 16)
        }
        for option in ["--cookie-jar", "--session", "--hsts"] {
            let run = await runTool(option, folder.file("no/"), server.url())
            #expect(run.status == 16)
            let problem = "'\(folder.file("no/"))' ends with a slash"
            #expect(run.messages.first == "afcli: error: \(option): \(problem)")
        }
        let missing = await runTool("--cookie-jar", folder.file("no/j"), server.url())
        #expect(missing.errors.contains("cannot write '\(folder.file("no/j"))': there is no such directory"))
        #expect(await runTool("--cookie-jar", "", server.url()).status == 64)
        #expect(server.requests.isEmpty)
    }

    @Test func `new cookies are written to a jar and a session`() async throws {
        let server = try server()
        let jar = try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tj\t1\n", to: "jar")
        let session = try folder.write(#"{"cookies": [{"name": "s", "value": "2"}]}"#, to: "s.json")
        let run = await runTool("--cookie-jar", jar, "--session", session, server.url("/?n=3;Path=/"))
        #expect(run.output.split(separator: "; ").sorted() == ["j=1", "s=2"])
        #expect(try SessionFile(folder.bytes(of: "s.json")).cookies.map(\.name) == ["s", "n"])
        let names = try folder.text(of: "jar").split(separator: "\n").dropFirst().map { $0.split(separator: "\t")[5] }
        #expect(names == ["j", "n"])
    }

    @Test func `cookies of other hosts and paths are not sent, and remain stored`() async throws {
        let server = try server()
        let lines = "other.test\tFALSE\t/\tFALSE\t0\ta\t1\n127.0.0.1\tFALSE\t/elsewhere\tFALSE\t0\tb\t2\n"
        let jar = try folder.write(lines, to: "jar")
        #expect(await runTool("--cookie-jar", jar, server.url()).output == "none")
        #expect(folder.holds(lines, in: "jar"))
    }
}
