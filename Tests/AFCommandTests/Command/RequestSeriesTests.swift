import AFFormatting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Lists whose responses are shown, and several files for a directory.
@Suite(.timeLimit(.minutes(5))) struct RequestSeriesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func run(_ list: String, _ words: String..., in world: ToolWorld = ToolWorld()) async throws -> ToolRun {
        try folder.write(list, to: "list")
        return await runTool(words + ["--input", folder.file("list")], in: world)
    }

    private func list(_ server: LocalServer, _ paths: String...) -> String {
        paths.map { server.url($0) + "\n" }.joined()
    }

    @Test func `a body that can be read only once is not sent to several URLs`() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        try await withServer { _ in
            .ok()
        } _: { server in
            let list = try folder.write("\(server.url("/1"))\n\(server.url("/2"))\n", to: "list")
            for words in [["@\(pipe)"], ["-T", pipe], ["-F", "f=@\(pipe)"], ["@\(pipe)", "-o", folder.file("d/")]] {
                let run = await runTool(["put", "--input", list] + words)
                #expect(run.status == 64 && run.errors.contains("the body can be read only once"), "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `requests that are shown did not succeed`() async throws {
        let files = try ["a", "b"].map { try folder.write($0, to: $0) }
        let run = await runTool("--offline", "-T", files[0], "-T", files[1], "http://127.0.0.1:9/d/")
        #expect(run.status == 0 && run.output.contains("PUT /d/b") && run.errors.isEmpty, "\(run.errors)")
    }

    @Test func `a list takes a method and a body, and shows the responses in its order`() async throws {
        let isLastDone = Gate()
        try await withScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request.path == "/a" { try connection.wait(for: isLastDone) }
                let text = "\(request.method) \(request.path)"
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
                if request.path == "/c" { isLastDone.open() }
            }
        } _: { server in
            let lines = ["/a", "/b", "/c"].map(server.url).joined(separator: "\n")
            for words in [["post"], ["-X", "POST"], []] {
                let run = await runTool(words + ["--input", try folder.write(lines, to: "list"), "n=1"])
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output == "POST /a\nPOST /b\nPOST /c\n")
                #expect(run.messages == ["afcli: 3 of 3 requests succeeded"])
            }
        }
    }

    @Test func `items, bodies and raw data are sent to each URL`() async throws {
        try await withServer {
            .ok(String(decoding: $0.body, as: UTF8.self))
        } _: { server in
            let lines = list(server, "/a", "/b")
            let items = try await run(lines, "put", "n=1", "X-A: b", "q==1")
            #expect(items.output == "{\"n\": \"1\"}\n{\"n\": \"1\"}\n")
            #expect(server.requests.allSatisfy { $0["X-A"] == "b" && $0.target.hasSuffix("?q=1") })
            let raw = try await run(lines, "--raw", "text")
            #expect(raw.output == "text\ntext\n")
            let form = try await run(lines, "-f", "a=1")
            #expect(form.output == "a=1\na=1\n")
            try folder.write("file", to: "f")
            let file = try await run(lines, "-T", folder.file("f"))
            #expect(file.output == "file\nfile\n")
        }
    }

    @Test func `a line that is a method's name is a host`() async throws {
        let hosts = try await run("get\npost\n", "X-A:b", "-w", "-")
        #expect(hosts.status != 64 && !hosts.errors.contains("--method"), "\(hosts.errors)")
        for name in ["get", "post"] {
            #expect(hosts.errors.contains("could not resolve host '\(name)'"), "\(hosts.errors)")
        }
    }

    @Test func `a line with a method says where it is written`() async throws {
        let run = try await run("GET http://127.0.0.1:1/x\n")
        #expect(run.status == 64 && run.errors.contains("afcli GET --input FILE"), "\(run.errors)")
    }

    @Test func `a URL among the items is not one of the list`() async throws {
        let run = try await run("get\n", "-d", "127.0.0.1:1/y")
        #expect(run.status == 64 && run.errors.contains("with --input the URLs are in the file"), "\(run.errors)")
    }

    @Test func `standard input is the body of each request`() async throws {
        try await withServer {
            .ok(String(decoding: $0.body, as: UTF8.self))
        } _: { server in
            try folder.write(list(server, "/a", "/b", "/c"), to: "list")
            func run(_ words: [String], _ list: String) async -> ToolRun {
                let input = StandardInput.fixed(.stream, delivery: .bytes, content: "piped")
                return await runTool(words + ["--input", list], in: ToolWorld(standardInput: input))
            }
            for words in [["post"], ["post", "@-"], ["--raw", "@-"], ["-T", "-"], ["post", "--chunked"]] {
                let run = await run(words, folder.file("list"))
                #expect(run.output == "piped\npiped\npiped\n", "\(words): \(run.errors)")
            }
            let read = await run(["post", "--raw", "@-"], "-")
            #expect(read.status == 64)
            #expect(read.messages.first?.hasSuffix("standard input can be read only once") == true, "\(read.errors)")
        }
    }

    @Test func `HEAD shows headers, and -w the statuses alone`() async throws {
        try await withServer {
            $0.path == "/missing" ? .status(404, "no") : .ok("x")
        } _: { server in
            let lines = list(server, "/a", "/missing")
            let heads = try await run(lines, "head")
            #expect(heads.status == 4)
            #expect(
                heads.output.hasPrefix("HTTP/1.1 200 OK\r\n") && heads.output.contains("HTTP/1.1 404 Not Found\r\n"))
            #expect(heads.messages.last == "afcli: warning: 1 of 2 requests succeeded, 1 failed")
            #expect(server.requests.allSatisfy { $0.method == "HEAD" })
            let statuses = try await run(lines, "-qq", "-p", "", "-w", "%{http_code} %{url}\n")
            #expect(statuses.output == "200 \(server.url("/a"))\n404 \(server.url("/missing"))\n")
            #expect(statuses.errors.isEmpty && statuses.status == 4)
        }
    }

    @Test func `filtered values are lines, and failures name their URL`() async throws {
        try await withServer {
            $0.path == "/b" ? .status(500, "broken") : .json("{\"id\": \"\($0.path)\"}")
        } _: { server in
            let run = try await run(list(server, "/a", "/b", "/c"), "--filter", "id")
            #expect(run.output == "\"/a\"\n\"/c\"\n")
            #expect(run.status == 5)
            #expect(run.errors.contains("\(server.url("/b")): the server responded with 500"), "\(run.errors)")
        }
    }

    @Test func `connections are shared, and --parallel limits them`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let lines = (1...40).map { server.url("/\($0)\n") }.joined()
            let first = try await run(lines, "post", "--parallel", "1")
            #expect(first.status == 0)
            #expect(server.acceptedConnections == 1)
            let second = try await run(lines, "post", "--parallel", "4")
            #expect(second.status == 0)
            #expect(server.acceptedConnections <= 5)
            #expect(server.requests.count == 80)
        }
    }

    @Test func `the configuration's aliases and hosts apply`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let url = server.url("/base")
            let text = """
                {"hosts": {"api": {"url": "\(url)", "headers": {"X-Alias": "1"}},
                    "127.0.0.1": {"headers": {"X-Host": "1"}}}}
                """
            try folder.write(text, to: "config.json")
            let world = ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.path])
            let run = try await run("api/a\n\(server.url("/b"))\n", "post", in: world)
            #expect(run.status == 0, "\(run.errors)")
            let requests = server.requests.sorted { $0.path < $1.path }
            #expect(requests.map(\.path) == ["/b", "/base/a"])
            #expect(requests.map { $0["X-Host"] } == ["1", "1"] && requests.map { $0["X-Alias"] } == [nil, "1"])
            #expect(!run.errors.contains("does not apply"))
        }
    }

    @Test func `reports have each request`() async throws {
        try await withServer {
            $0.path == "/b" ? .status(404) : .ok("x")
        } _: { server in
            let run = try await run(
                list(server, "/a", "/b"), "delete", "--report", folder.file("r.json"), "--report",
                "junit:\(folder.file("r.xml"))")
            #expect(run.status == 4)
            let lines = try folder.text(of: "r.json").split(separator: "\n").map { try ReadJSON(String($0)) }
            #expect(lines.map { $0["exit_status"] } == ["0", "4"])
            #expect(try folder.text(of: "r.xml").contains("tests=\"2\" failures=\"1\""))
        }
    }

    @Test func `with an option for files, any request is saved`() async throws {
        try await withServer {
            .ok("\($0.method) \($0.body.count)")
        } _: { server in
            let run = try await run("\(server.url("/a")) f\n", "post", "n=1", "--output-dir", folder.path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds("POST 10", in: "f"))
        }
    }

    @Test func `a list that cannot be sent is an error before the first request`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let url = server.url("/a")
            let cases: [(list: String, words: [String], message: String)] = [
                ("\(url)\n\(url) name\n", ["post"], "line 2 of '\(folder.file("list"))': names the file 'name'"),
                ("\(url)\nhttp://\n", ["post"], "line 2 of"),
                ("", ["post"], "there is no URL in"),
                ("\(url)\n", ["post", "http://h/?a=b"], "is not an item"),
                ("\(url)\n", ["post", "n=1", "--raw", "x"], "cannot be combined with --raw"),
                ("ws://h/\n", ["--filter", "a"], "is not possible for a WebSocket URL"),
                ("\(url)\n", ["-d", "-p", "h"], "-p: is for responses that are shown"),
                ("\(url)\n", ["-d", "--filter", "a"], "--filter: is for responses that are shown"),
                ("\(url)\n", ["-T", folder.file("list"), "-T", folder.file("x")], "several files cannot be sent"),
            ]
            for (list, words, message) in cases {
                try folder.write(list, to: "list")
                let run = await runTool(words + ["--input", folder.file("list")])
                #expect(run.status == 64, "\(words): \(run.errors)")
                #expect(run.errors.contains(message), "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    // Several files

    @Test func `several files go to a directory, each under its name`() async throws {
        let stored = Mutex<[String: String]>([:])
        try await withServer { request in
            stored.withLock { $0["\(request.method) \(request.path)"] = String(decoding: request.body, as: UTF8.self) }
            return .status(201)
        } _: { server in
            var words: [String] = []
            for number in 1...9 { words += ["-T", try folder.write("body \(number)", to: "f\(number)")] }
            let run = await runTool(words + [server.url("/u/")])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.messages == ["afcli: 9 of 9 requests succeeded"])
            #expect(stored.withLock(\.self).count == 9)
            #expect(stored.withLock { $0["PUT /u/f7"] } == "body 7")
            #expect(server.acceptedConnections <= 4)
        }
    }

    @Test func `several files that cannot be sent are an error before the first request`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let file = try folder.write("x", to: "f")
            _ = try folder.folder("d")
            let same = try folder.write("x", to: "d/f")
            let other = try folder.write("x", to: "g")
            let cases: [(words: [String], status: Int32, message: String)] = [
                (["-T", file, "-T", other, server.url("/u")], 64, "several files need the URL of a directory"),
                (["-T", file, "-T", "-", server.url("/u/")], 64, "standard input has no name"),
                (["-T", file, "-T", same, server.url("/u/")], 64, "two files have the name 'f'"),
                (["-T", file, "-T", folder.file("none"), server.url("/u/")], 16, "none"),
                (["-T", file, "-T", other, "-d", server.url("/u/")], 64, "which cannot be saved"),
                (["-T", file, "--parallel", "2", server.url("/u/")], 64, "--parallel: requires several requests"),
            ]
            for (words, status, message) in cases {
                let run = await runTool(words)
                #expect(run.status == status && run.errors.contains(message), "\(words): \(run.errors)")
            }
            #expect(server.requests.isEmpty)
        }
    }
}

struct OrderedOutputTests {
    @Test func `outputs have the order of the runs`() throws {
        let memory = MemoryOutput()
        let output = OrderedOutput(memory)
        let parts = (0..<3).map(output.part)
        try parts[2].write("c")
        try parts[0].write("a1 ")
        try parts[1].write("b ")
        #expect(output.end(2) == nil)
        try parts[0].write("a2 ")
        #expect(memory.text == "a1 a2 ")
        #expect(output.end(0) == nil)
        #expect(memory.text == "a1 a2 b ")
        #expect(output.end(1) == nil)
        #expect(memory.text == "a1 a2 b c")
    }

    @Test func `a full buffer waits for its turn, or for the end`() async throws {
        let memory = MemoryOutput()
        let output = OrderedOutput(memory)
        let text = String(repeating: "x", count: OrderedOutput.bufferLimit)
        let part = output.part(1)
        try part.write(text)
        async let later: Void = onThread { try part.write("y") }
        #expect(output.end(0) == nil)
        try await later
        #expect(memory.text == text + "y")
        let held = output.part(3)
        try held.write(text)
        let refused = Task { try await onThread { try held.write("y") } }
        output.release()
        await #expect(throws: OutputFailure.closed) { try await refused.value }
    }
}
