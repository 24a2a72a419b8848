import AFHTTP
import TestSupport
import Testing

@testable import AFCommand

/// The bytes that the server receives.
@Suite(.timeLimit(.minutes(5))) struct RequestOnTheWireTests {
    /// Returns the request of a command line, in which `URL` is the server's.
    private func request(_ words: String..., path: String = "/") async throws -> (RecordedRequest, String) {
        try await withServer { _ in
            .ok("fine")
        } _: { server in
            let run = await runTool(words.map { $0 == "URL" ? server.url(path) : $0 })
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "fine")
            return (try #require(server.requests.first), server.authority)
        }
    }

    @Test func `a plain GET has HTTPie's headers in HTTPie's order`() async throws {
        let (request, authority) = try await request("get", "URL", path: "/x?a=1")
        #expect(
            request.headText == """
                GET /x?a=1 HTTP/1.1\r
                Host: \(authority)\r
                Accept-Encoding: gzip, deflate, br, zstd\r
                Accept: */*\r
                Connection: keep-alive\r
                User-Agent: afcli/\(AFInfo.version)\r
                \r

                """
        )
    }

    @Test func `items make a JSON object and a POST`() async throws {
        let (request, authority) = try await request(
            "URL", "name=Ada", "age:=36", #"tags:=["a", 1e400]"#, "a[b][0]=x", "q==1 2", "X-Own:yes", "Accept:text/x"
        )
        #expect(
            request.headText == """
                POST /?q=1+2 HTTP/1.1\r
                Host: \(authority)\r
                Accept-Encoding: gzip, deflate, br, zstd\r
                Connection: keep-alive\r
                User-Agent: afcli/\(AFInfo.version)\r
                Accept: text/x\r
                Content-Type: application/json\r
                X-Own: yes\r
                Content-Length: 67\r
                \r

                """
        )
        #expect(request.text == #"{"name": "Ada", "age": 36, "tags": ["a", 1e400], "a": {"b": ["x"]}}"#)
    }

    @Test func `form fields are encoded`() async throws {
        let (request, _) = try await request("--form", "URL", "a=1 2", "b=ü&", "a=3")
        #expect(request.method == "POST")
        #expect(request["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(request.text == "a=1+2&b=%C3%BC%26&a=3")
    }

    @Test func `parts are sent as typed, with their length`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("hello", to: "a.txt")
        let (request, _) = try await request(
            "URL", "-F", "n=v", "-F", "f=@\(file);type=text/x;filename=b\"c.txt", "m=w", "--boundary", "B"
        )
        #expect(request["Content-Type"] == "multipart/form-data; boundary=B")
        #expect(request["Content-Length"] == "\(request.body.count)")
        #expect(request["Transfer-Encoding"] == nil)
        #expect(
            request.text == """
                --B\r
                Content-Disposition: form-data; name="n"\r
                \r
                v\r
                --B\r
                Content-Disposition: form-data; name="f"; filename="b%22c.txt"\r
                Content-Type: text/x\r
                \r
                hello\r
                --B\r
                Content-Disposition: form-data; name="m"\r
                \r
                w\r
                --B--\r

                """
        )
    }

    @Test func `a raw body and an uploaded file are sent unchanged`() async throws {
        let (raw, _) = try await request("put", "URL", "--raw", "{\"a\":1}\n")
        #expect(raw.method == "PUT")
        #expect(raw.text == "{\"a\":1}\n")
        let folder = try ScratchFolder()
        let file = try folder.write([0, 1, 2, 255], to: "x.bin")
        let (upload, _) = try await request("-T", file, "URL", path: "/up/")
        #expect(upload.method == "PUT")
        #expect(upload.target == "/up/x.bin")
        #expect(upload.body == [0, 1, 2, 255])
        let (whole, _) = try await request("URL", "@\(file)")
        #expect(whole.method == "POST")
        #expect(whole.body == [0, 1, 2, 255])
    }

    @Test func `several cookies become one field after the host`() async throws {
        let (request, _) = try await request("URL", "Cookie:a=1", "X-First:1", "Cookie:b=2")
        #expect(request.values(for: "Cookie") == ["a=1; b=2"])
        #expect(request.headers.first?.name == "Host")
        #expect(Set(request.headers.prefix(2).map(\.name)) == ["Host", "Cookie"])
    }

    @Test func `headers can be repeated, emptied and removed`() async throws {
        let (request, _) = try await request(
            "URL", "X-A:1", "X-A:2", "X-E;", "User-Agent:", "Accept:", "Accept-Encoding:")
        #expect(request.values(for: "X-A") == ["1", "2"])
        #expect(request["X-E"] == "")
        #expect(request["User-Agent"] == nil)
        #expect(request["Accept"] == nil)
        #expect(request["Accept-Encoding"] == nil)
    }

    @Test func `Host can be removed, and is then not shown either`() async throws {
        #expect(try await request("URL", "host:").0["Host"] == nil)
        #expect(await runTool("--offline", ":/x", "host:", "-p", "H").output.contains("Host") == false)
    }

    @Test func `the method is sent as typed, in any case`() async throws {
        #expect(try await request("oPTions", "URL").0.method == "OPTIONS")
        #expect(try await request("-X", "sEaRch-1", "URL").0.method == "sEaRch-1")
        let (post, _) = try await request("post", "URL")
        #expect(post["Content-Length"] == "0")
    }

    @Test func `brackets in a query are preserved, and other characters are encoded once`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            _ = await runTool(server.url("/?a=b c&d[]=[1]"), "q==ü")
            #expect(server.requests.first?.target == "/?a=b%20c&d[]=[1]&q=%C3%BC")
        }
    }

    @Test func `the path is sent as parsed`() async throws {
        #expect(try await request("URL", path: "/a/../b/./c%2f d?x=ü#top").0.target == "/b/c%2f%20d?x=%C3%BC")
        #expect(try await request("--path-as-is", "URL", path: "/a/../b").0.target == "/a/../b")
    }

    @Test func `credentials are sent as header fields and not in the URL`() async throws {
        #expect(try await request("-a", "ada:pa:ss", "URL").0["Authorization"] == "Basic YWRhOnBhOnNz")
        #expect(try await request("-A", "bearer", "-a", "t0k", "URL").0["Authorization"] == "Bearer t0k")
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("http://ada:p%40ss@\(server.authority)/x", "-v")
            #expect(server.requests.first?["Authorization"] == "Basic YWRhOnBAc3M=")
            #expect(server.requests.first?.target == "/x")
            #expect(!run.output.contains("p%40ss@"))
        }
    }

    @Test func `a digest challenge is followed by a request with credentials`() async throws {
        try await withServer { request in
            request["Authorization"]?.hasPrefix("Digest username=\"ada\"") == true
                ? .ok("in")
                : .status(401).header(
                    "WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#)
        } _: { server in
            let run = await runTool("-A", "digest", "-a", "ada:secret", "post", server.url(), "--raw", "body")
            #expect(run.status == 0)
            #expect(run.output == "in")
            #expect(server.requests.last?.text == "body")
            #expect(server.requests.allSatisfy { $0["Authorization"]?.contains("secret") != true })
        }
    }

    @Test(arguments: [
        ["get", "URL", "X-A:1", "Cookie:a=1", "Cookie:b=2"],
        ["URL", "a=1", "b:=2", "Accept:text/html", "X-Z;"],
        ["--form", "put", "URL", "a=1"],
        ["URL", "-F", "a=1", "--boundary", "xyz"],
        ["delete", "URL", "-a", "ada:lovelace"],
        ["head", "URL", "Host:other.example", "User-Agent:"],
        ["post", "URL"],
    ])
    func `a dry run shows exactly the header that would be sent`(words: [String]) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = words.map { $0 == "URL" ? server.url("/p/../q?x=1") : $0 }
            let dry = await runTool(words + ["--offline", "--show-secrets"])
            #expect(dry.status == 0)
            #expect(server.requests.isEmpty)
            _ = await runTool(words)
            let sent = try #require(server.requests.first)
            #expect(dry.output == String(decoding: sent.wire, as: UTF8.self))
        }
    }

    @Test func `a dry run shows no length with a typed Transfer-Encoding`() async throws {
        let words = ["post", "URL", "--raw", "body", "Transfer-Encoding:chunked"]
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = words.map { $0 == "URL" ? server.url() : $0 }
            let dry = await runTool(words + ["--offline", "-p", "H"])
            _ = await runTool(words)
            let sent = try #require(server.requests.first)
            #expect(dry.output == sent.headText)
            #expect(sent["Content-Length"] == nil)
            #expect(sent.text == "body")
        }
    }

    @Test func `items and methods follow the rules of the default scheme and local hosts`() async throws {
        #expect(
            await runTool("--offline", "--https", "example.org/x", "-p", "H").output.contains("Host: example.org\r\n"))
        #expect(
            await runTool("--offline", ":/path", "-p", "H").output.hasPrefix(
                "GET /path HTTP/1.1\r\nHost: localhost\r\n"))
        #expect(await runTool("--offline", ":3000/x", "-p", "H").output.contains("Host: localhost:3000\r\n"))
        #expect(await runTool("--offline", "fe80::1%lo", "-p", "H").output.contains("Host: [fe80::1]\r\n"))
        #expect(await runTool("--offline", "://example.org", "-p", "H").output.contains("Host: example.org\r\n"))
    }

    @Test func `a Unix socket is used in place of the host`() async throws {
        let folder = try ScratchFolder()
        try await withServer(on: .unix(path: folder.file("s"))) { _ in
            .ok("unix")
        } _: { (server) async throws in
            #expect(await runTool("--unix-socket", folder.file("s"), "http://localhost/x").output == "unix")
            #expect(server.requests.first?["Host"] == "localhost")
            func run(_ words: String...) async -> ToolRun {
                await runTool(words + ["http://localhost/x"], in: ToolWorld(homeDirectory: folder.path))
            }
            #expect(await run("--unix-socket", "~/s").output == "unix")
            #expect(await run("--unix-socket=~/s").output == "unix")
            // In a command of curl, the shell has expanded it already.
            let literal = await run("curl", "--unix-socket", "~/s")
            #expect(literal.status != 0 && literal.output.isEmpty)
            #expect(server.requests.count == 3)
        }
        let world = ToolWorld(homeDirectory: "/" + String(repeating: "h", count: 105))
        let tooLong = await runTool("--unix-socket", "~/s", "http://localhost/x", in: world)
        #expect(tooLong.status == 64)
        #expect(
            tooLong.messages.first == "afcli: error: --unix-socket: a socket's path has 1 to 107 bytes, this one 108")
    }

    @Test func `Expect is sent and answered with 100`() async throws {
        #expect(try await request("URL", "--raw", "x", "--expect100", "yes").0["Expect"] == "100-continue")
        #expect(try await request("URL", "--raw", "x", "--expect100", "no").0["Expect"] == nil)
    }
}
