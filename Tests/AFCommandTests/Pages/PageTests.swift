import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `--follow-next` and `--next`
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    /// Serves three pages of two elements, with links.
    @Sendable private static func pages(_ request: RecordedRequest) -> LocalServer.Response {
        let number = Int(request.query?.split(separator: "=").last ?? "1") ?? 1
        let page = LocalServer.Response.json(#"[{"id":\#(number)0},{"id": \#(number)1}]"#)
            .header("Set-Cookie", "page=\(number)")
        guard number < 3 else { return page.header("Link", #"<?page=1>; rel="first prev""#) }
        return page.header("Link", #"<?page=9>; title="a, b"; rel=last"#)
            .header("Link", #"</x>; rel=up, <?page=\#(number + 1)>; REL="other Next""#)
    }

    /// Serves three pages with cursors, whose query parameter is `at`.
    @Sendable private static func cursors(_ request: RecordedRequest) -> LocalServer.Response {
        let query = request.query ?? ""
        let next = !query.contains("at=") ? #""b&c \u0064""# : query.contains("7") ? "null" : "7"
        return .json(#"{"items": [1, {"a": 2}], "meta": {"next": \#(next)}}"#)
    }

    private let values = #"{"id":10}\#n{"id":11}\#n{"id":20}\#n{"id":21}\#n{"id":30}\#n{"id":31}\#n"#

    @Test func `links are followed to the last page, over one connection`() async throws {
        try await withServer(Self.pages) { server in
            let run = await runTool("--follow-next", server.url("/p"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.map(\.target) == ["/p", "/p?page=2", "/p?page=3"])
            #expect(server.requests.map { $0["Cookie"] } == [nil, "page=1", "page=2"])
            #expect(server.acceptedConnections == 1)
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines == (1...3).map { #"[{"id":\#($0)0},{"id": \#($0)1}]"# })
            #expect(run.messages.isEmpty)
        }
    }

    @Test func `a filter shows the values of all pages`() async throws {
        try await withServer(Self.pages) { server in
            let run = await runTool("--follow-next", "--filter", "[].id", server.url("/p"))
            #expect(run.output == "10\n11\n20\n21\n30\n31\n")
        }
    }

    @Test(arguments: [[], ["-q"], ["--filter", "[]"], ["--pretty", "all"]])
    func `a file has a value of the pages in each line`(options: [String]) async throws {
        let folder = try ScratchFolder()
        try await withServer(Self.pages) { server in
            let run = await runTool(["--follow-next", "-o", folder.file("f"), server.url("/p")] + options)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(folder.holds(values, in: "f"))
        }
    }

    @Test func `the output of -w for each page is not a part of the file`() async throws {
        let folder = try ScratchFolder()
        try await withServer(Self.pages) { server in
            let words = ["--follow-next", "-w", "%{http_code} %{url.query}\\n", server.url("/p")]
            let run = await runTool(words + ["-o", folder.file("f")])
            #expect(run.output == "200 \n200 page=2\n200 page=3\n")
            #expect(folder.holds(values, in: "f"))
            let shown = await runTool(words)
            #expect(shown.output.contains("21}]200 page=2\n[{"), "\(shown.output)")
        }
    }

    @Test(arguments: [[], ["--filter", "[]"]])
    func `an incomplete page of a file is requested again`(options: [String]) async throws {
        let folder = try ScratchFolder()
        let count = Mutex(0)
        try await withScriptedServer { connection in
            while let request = try connection.readRequest() {
                let isLast = request.query != nil
                let isCut =
                    isLast
                    && count.withLock {
                        $0 += 1; return $0 < 3
                    }
                let link = isLast ? "" : "Link: <?page=2>; rel=next\r\n"
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(link)Content-Length: 7\r\n\r\n"
                try connection.send(head + (isCut ? "[4,5," : isLast ? "[4,5,6]" : "[1,2,3]"))
                if isCut { return }
            }
        } _: { server in
            let words = ["--follow-next", "--retry", "3", "--retry-delay", "1ms", "-o", folder.file("f"), server.url()]
            let run = await runTool(words + options)
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds("1\n2\n3\n4\n5\n6\n", in: "f"), "\((try? folder.text(of: "f")) ?? "")")
        }
    }

    @Test func `a cursor of the body replaces the query parameter`() async throws {
        let folder = try ScratchFolder()
        try await withServer(Self.cursors) { server in
            let run = await runTool(
                "--next", "at==meta.next", "-o", folder.file("f"), server.url("/p?a=%20"), "b==1")
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                server.requests.map(\.target) == ["/p?a=%20&b=1", "/p?a=%20&b=1&at=b%26c+d", "/p?a=%20&b=1&at=7"])
            let page: (String) -> String = { #"{"items":[1,{"a":2}],"meta":{"next":\#($0)}}"# }
            #expect(folder.holds("\(page(#""b&c \u0064""#))\n\(page("7"))\n\(page("null"))\n", in: "f"))
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"next":null}"#, #"{"next":""}"#, #"{"next":false}"#, #"{"next":[]}"#, #"{"next":{}}"#, "[]", "",
    ])
    func `a body without a cursor is the last page`(body: String) async throws {
        try await withServer({ _ in .json(body) }) { server in
            let run = await runTool("--next", "at==next", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.count == 1)
            let isMissing = ["{}", "[]", ""].contains(body)
            #expect(run.errors.contains("the first page has no value at 'next' (--next)") == isMissing, "\(run.errors)")
        }
    }

    @Test(arguments: [
        (#"{"next":{"a":1}}"#, 14, "expected a cursor at 'next', got a value of type object"),
        (#"{"next":[1]}"#, 14, "expected a cursor at 'next', got a value of type array"),
        ("<p>", 13, "the body is not JSON: expected a JSON value at byte 1"),
    ])
    func `a body with an unusable cursor is an error after it was shown`(body: String, status: Int32, message: String)
        async throws
    {
        try await withServer({ _ in .json(body) }) { server in
            let run = await runTool("--next", "at==next", server.url())
            #expect(run.status == status)
            #expect(run.output == body)
            #expect(run.messages.contains("afcli: error: \(message)"), "\(run.errors)")
        }
    }

    @Test func `a post is sent again with its body`() async throws {
        try await withServer(Self.cursors) { server in
            let run = await runTool("post", server.url(), "--next", "at==meta.next", "q=x", "--filter", "items[0]")
            #expect(run.output == "1\n1\n1\n")
            #expect(server.requests.map(\.text) == Array(repeating: #"{"q": "x"}"#, count: 3))
        }
    }

    @Test func `a filter may select nothing of some pages, but not of all`() async throws {
        let server: LocalServer.Responder = { request in
            .json(request.query == nil ? #"{"a":[],"n":"1"}"# : #"{"a":[5]}"#)
        }
        try await withServer(server) { server in
            let run = await runTool("--next", "n==n", "--filter", "a[]", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "5\n")
            let empty = await runTool("--next", "n==n", "--filter", "b[]", server.url())
            #expect(empty.status == 14)
            #expect(empty.errors.contains("the filter 'b[]' selected nothing"))
        }
    }

    @Test func `the number of pages is limited, which is no error`() async throws {
        try await withServer(Self.pages) { server in
            let run = await runTool("--follow-next", "--max-pages", "2", "--filter", "[0].id", server.url("/p"))
            #expect(run.status == 0)
            #expect(run.output == "10\n20\n")
            #expect(run.messages == ["afcli: stopped after 2 pages: there are more (--max-pages)"])
        }
    }

    @Test func `a page that was received already is an error`() async throws {
        try await withServer({ _ in .json("[1]").header("Link", "<>; rel=next") }) { server in
            let run = await runTool("--follow-next", server.url("/p"))
            #expect(run.status == 6)
            #expect(server.requests.count == 1)
            #expect(run.output == "[1]")
            let message = "error: the pages repeat: the next one was received already: \(server.url("/p"))"
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func `a failing page ends the run with its status, and nothing is saved`() async throws {
        let folder = try ScratchFolder()
        try folder.write("old", to: "f")
        let server: LocalServer.Responder = { request in
            request.query == nil ? .json("[1]").header("Link", "<?2>; rel=next") : .status(404, "gone")
        }
        try await withServer(server) { server in
            let run = await runTool("--follow-next", "--filter", "[]", server.url())
            #expect(run.status == 4)
            #expect(run.output == "1\n")
            let saved = await runTool("--follow-next", "-o", folder.file("f"), server.url())
            #expect(saved.status == 4 || saved.status == 13, "\(saved.errors)")
            #expect(saved.messages.last == "afcli: nothing was saved: page 2 failed")
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `expectations hold for each page`() async throws {
        try await withServer(Self.pages) { server in
            let words = ["--follow-next", "--filter", "[0].id", "--expect-json", "[0].id<20"]
            let run = await runTool(words + [server.url("/p")])
            #expect(run.status == 14)
            #expect(run.output == "10\n20\n")
            #expect(server.requests.count == 2)
        }
    }

    @Test func `another origin needs trust, and then receives the credentials`() async throws {
        try await withServer({ _ in .json("[2]") }) { other in
            let url = other.url("/next")
            try await withServer({ _ in .json("[1]").header("Link", "<\(url)>; rel=next") }) { server in
                let words = ["--follow-next", "-a", "u:p", "-H", "Host: a.example", server.url()]
                let run = await runTool(words)
                #expect(run.status == 6)
                #expect(run.errors.contains("error: the next page is at another origin: \(url)"))
                #expect(run.errors.contains("--trust-redirects"))
                #expect(other.requests.isEmpty)
                let trusting = await runTool(words + ["--trust-redirects"])
                #expect(trusting.status == 0, "\(trusting.errors)")
                #expect(other.requests.map { $0["Authorization"] } == ["Basic dTpw"])
                #expect(other.requests.map { $0["Host"] } == ["a.example"])
            }
        }
    }

    @Test func `a rate limit with the time of a retry is waited for`() async throws {
        let count = Mutex(0)
        let server: LocalServer.Responder = { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            switch index {
            case 0: return .json("[1]").header("Link", "<?2>; rel=next")
            case 1: return .status(429).header("Retry-After", "0")
            default: return .json("[2]")
            }
        }
        try await withServer(server) { server in
            let run = await runTool("--follow-next", "--filter", "[]", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "1\n2\n")
            #expect(run.errors.contains("retrying in"))
        }
        count.withLock { $0 = 0 }
        try await withServer(server) { server in
            #expect(await runTool("--follow-next", "--retry", "0", server.url()).status == 4)
        }
        try await withServer({ _ in .status(429) }) { server in
            #expect(await runTool("--follow-next", server.url()).status == 4)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a curl command requests the first page`() async throws {
        let run = await runTool("--follow-next", "--curl", "http://localhost:1/")
        #expect(run.status == 0)
        #expect(!run.output.contains("--retry"))
        #expect(run.errors.contains("the command does not contain --follow-next"))
    }

    @Test func `reports have each page`() async throws {
        let folder = try ScratchFolder()
        try await withServer(Self.pages) { server in
            let run = await runTool(
                "--follow-next", "-q", "--har", folder.file("h"), "--report", folder.file("r"), server.url("/p"))
            #expect(run.status == 0, "\(run.errors)")
            let log = try ReadJSON(folder.text(of: "h"))
            #expect(log.count("log.entries") == 3)
            #expect(try folder.text(of: "r").split(separator: "\n").count == 3)
        }
    }

    @Test func `a session keeps the cookies of all pages`() async throws {
        let folder = try ScratchFolder()
        try await withServer(Self.pages) { server in
            var world = ToolWorld()
            world.variables["AFCLI_CONFIG_DIR"] = folder.path
            let run = await runTool(["--follow-next", "-q", "--session=s", server.url("/p")], in: world)
            #expect(run.status == 0, "\(run.errors)")
            _ = await runTool(["-q", "--session=s", server.url("/p?page=3")], in: world)
            #expect(server.requests.last?["Cookie"] == "page=3")
        }
    }

    @Test(arguments: [
        (["--follow-next", "-o", "d/"], "-o: names a directory, but all pages go to one file"),
        (["--follow-next", "-v", "-o", "f"], "-o: names a file, which has nothing but the values of all pages"),
        (["--follow-next", "post", "a=b"], "--follow-next: follows links with GET or HEAD, not POST"),
        (["--next", "a"], "--next: expected PARAM==PATH, got 'a'"),
        (["--next", "a=b"], "--next: expected PARAM==PATH, got 'a=b'"),
        (["--next", "==b"], "--next: expected PARAM==PATH, got '==b'"),
        (["--next", "a=="], "--next: expected PARAM==PATH, got 'a=='"),
        (["--next", "a==b,c"], "--next: expected the path of one value, got 'b,c'"),
        (["--next", "a==[].{b}"], "--next: expected the path of one value, got '[].{b}'"),
        (["--next", "a==b["], "--next: expected ']'"),
        (["--max-pages", "2"], "--max-pages: requires --follow-next or --next"),
        (["--follow-next", "--max-pages", "0"], "--max-pages: expected a number from 1 to 1000000000, got '0'"),
        (["--follow-next", "--next", "a==b"], "--next: cannot be combined with --follow-next"),
        (["--follow-next", "-d"], "-d: cannot be combined with --follow-next"),
    ])
    func `what makes no sense is an error before a request`(words: [String], message: String) async throws {
        try await withServer(Self.pages) { server in
            let method = words.contains("post") ? ["post"] : []
            let items = words.filter { $0 == "a=b" && method == ["post"] }
            let options = words.filter { !method.contains($0) && !items.contains($0) }
            let run = await runTool(options + method + [server.url()] + items)
            #expect(run.status == 64, "\(run.errors)")
            #expect(run.messages.first == "afcli: error: \(message)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a body that is read once is no body of several pages`() async throws {
        var world = ToolWorld()
        world.standardInput = .fixed(.stream, delivery: .bytes, content: "a")
        let run = await runTool(["post", "http://localhost:1/", "--raw", "@-", "--next", "a==b"], in: world)
        #expect(run.status == 11, "\(run.errors)")
    }
}
