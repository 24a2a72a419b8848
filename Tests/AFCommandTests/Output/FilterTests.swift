import AFJSON
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite(.timeLimit(.minutes(5))) struct FilterTests {
    private static let people = #"[{"name": "Ada", "id": 1.0}, {"id": 2}, {"name": "Bo\u0062", "tags": ["x", "y"]}]"#

    private static let paths: [(String, String)] = [
        ("[].name", "* 'name'"), ("[*][name]", "* 'name'"), (".[].name", "* 'name'"), (".", ""),
        ("a.b[0]", "'a' 'b' 0:1"), ("a[b][1:3]", "'a' 'b' 1:3"), ("[:2][1:][:]", "0:2 1:max 0:max"), ("..id", "..'id'"),
        ("a..[b.c]", "'a' ..'b.c'"), ("id,tags[], x", "'id', 'tags' *, 'x'"), (#"a\.b.c\,d\[e\]"#, "'a.b' 'c,d[e]'"),
        (#"[\*][\1][\1:2]"#, "'*' '1' '1:2'"), ("0.1", "'0' 1:2"), ("[a,b][c.d]", "'a,b' 'c.d'"),
        ("*.a:b", "'*' 'a:b'"), (#"[a\.b][c\,d]..[e\.f]"#, "'a.b' 'c,d' ..'e.f'"),
        (#"a\b\\c"#, #"'a\b\c'"#),
    ]

    @Test(arguments: paths)
    func `the paths of filters extend those of expectations`(path: String, steps: String) throws {
        let found = try BodyFilter(argument: path).paths.map { $0.map(Self.text).joined(separator: " ") }
        #expect(found.joined(separator: ", ") == steps)
    }

    private static func text(_ step: JSONFilter.Step) -> String {
        switch step {
        case .all: "*"
        case .member(let name): "'\(String(decoding: name, as: UTF8.self))'"
        case .descendants(let name): "..'\(String(decoding: name, as: UTF8.self))'"
        case .fromEnd(let place): "-\(place)"
        case .matching: "?"
        case .elements(let range): "\(range.lowerBound):\(range.upperBound == .max ? "max" : "\(range.upperBound)")"
        }
    }

    private static let malformed: [(String, String, Int?)] = [
        ("[-1]", "negative indexes", 1), ("a[-2:]", "negative indexes", 2), ("a[1:-2]", "negative indexes", 4),
        ("a.-1", "negative indexes", 2), ("a[3:3]", "is empty", 2), ("a[", "expected ']'", 2),
        ("a[b", "expected ']'", 3),
        ("a]", "a backslash before ']'", 1), ("a[[", "a backslash before '['", 2), ("a.", "a name after '.'", 1),
        ("a..", "a name after '..'", 1), ("...a", "a name after '..'", 0), ("..[0]", "selects members", 0),
        ("a.[b]", "a name after '.'", 1),
        ("[0]a", "expected '.'", 3), ("a,", "a path is empty", 2), (",a", "a path is empty", 0),
        ("a,,b", "a path is empty", 2),
        ("a[1:x]", "must be numbers", 2), ("a[x:1]", "must be numbers", 2), ("a[1:2:3]", "must be numbers", 2),
        ("[99999999999999999999]", "too large", 1), ("[1:99999999999999999999]", "too large", 3),
        (String(repeating: "[]", count: 65), "at most 64", nil), ("$.a", "'$' is not supported", nil),
        ("[].{b:a}", "without quotes and colons", 5), ("{\"a\"}", "without quotes and colons", 1),
        ("a,{'a'}", "without quotes and colons", 3), ("a[?]", "the condition is empty", 1),
        ("a[? ]", "the condition is empty", 1),
    ]

    @Test(arguments: malformed)
    func `a malformed path is a usage error`(path: String, problem: String, offset: Int?) async {
        let run = await runTool("--filter", path, "example.invalid")
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: --filter: ") == true, "\(run.errors)")
        #expect(run.messages.first?.contains(problem) == true, "\(run.errors)")
        do {
            _ = try BodyFilter(argument: path)
            Issue.record("accepted")
        } catch {
            #expect(error.excerpt?.offset == offset)
        }
    }

    @Test(arguments: [
        (["[].name"], "\"Ada\"\n\"Bo\\u0062\"\n"), (["[].name", "--raw-output"], "Ada\nBob\n"), (["[0].id"], "1.0\n"),
        (["[].id,..tags"], "1.0\n2\n[\"x\",\"y\"]\n"),
        (["[2].tags", "--pretty=format"], "[\n    \"x\",\n    \"y\"\n]\n"),
        (["[1:].id", "--stream"], "2\n"), (["[1].id", "-q"], "2\n"),
        (["[1]", "-p", "b", "-p", "h"], "HTTP/1.1 200 OK\r\n"),
    ])
    func `only the selected values are shown`(words: [String], expected: String) async throws {
        try await withServer { _ in
            .json(Self.people)
        } _: { server in
            let run = await runTool(["--filter"] + words + [server.url()])
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
            #expect(words.contains("h") ? run.output.hasPrefix(expected) : run.output == expected)
            #expect(!words.contains("h") || !run.output.contains("id"))
        }
    }

    @Test func `a terminal shows formatted and colored values`() async throws {
        try await withServer { _ in
            .json(Self.people)
        } _: { server in
            let run = await runTool("-b", "--filter", "[].name,[].tags", server.url(), in: .terminal())
            #expect(run.status == 0)
            #expect(run.output.contains("\u{1B}["))
            #expect(run.output.hasSuffix("\n\n"))
            #expect(run.output.split(separator: "\n").count == 6)
            let bare = await runTool(
                "-b", "--filter", "[].name", "--raw-output", server.url(), in: .terminal())
            #expect(bare.output == "Ada\nBob\n\n")
        }
    }

    @Test func `JSON lines are filtered one by one with any media type`() async throws {
        try await withServer { _ in
            .ok("{\"a\":1}\n{\"b\":2}\n{\"a\":{\"b\":3}}\n")
        } _: { server in
            #expect(await runTool("--filter", "a", server.url()).output == "1\n{\"b\":3}\n")
        }
    }

    @Test(arguments: [("[].nme", "[]"), ("x", "{}"), ("a", "")])
    func `nothing selected is a failed expectation`(path: String, body: String) async throws {
        try await withServer { _ in
            .json(body)
        } _: { server in
            let run = await runTool("--filter", path, server.url())
            #expect(run.status == 14)
            #expect(run.output.isEmpty)
            let response = ["afcli: the response:", "  | HTTP/1.1 200 OK", "  | Content-Type: application/json"]
            let evidence = run.messages.dropFirst(body.isEmpty ? 1 : 2)
            #expect(Array(evidence) == response + (body.isEmpty ? [] : ["  | ", "  | \(body)"]))
            #expect(
                run.messages[0] == "afcli: error: the filter '\(path)' selected nothing"
                    + (body.isEmpty ? ": there is no body" : ""))
            #expect(await runTool("-q", "--filter", path, server.url()).status == 14)
            let terminal = await runTool("--filter", path, server.url(), in: .terminal())
            #expect(terminal.status == 14)
        }
    }

    @Test(arguments: [
        ("<html></html>", "the body is not JSON: expected a JSON value at byte 1", ""),
        ("[1,{\"a\":2]", "the body is not JSON: expected ',' or '}' at byte 10", "1\n{\"a\":2"),
        ("[1,", "the body is incomplete JSON: it ends where a JSON value is expected", "1\n"),
    ])
    func `a body that is not JSON is an error`(body: String, message: String, output: String) async throws {
        try await withServer { _ in
            .ok(body)
        } _: { server in
            for words in [[], ["--stream"], ["--expect-status", "200"]] {
                let run = await runTool(["--filter", "[]", server.url()] + words)
                #expect(run.status == 13)
                #expect(run.output == output)
                #expect(run.messages.first == "afcli: error: \(message)")
            }
        }
    }

    @Test func `the status of an error response comes before its body`() async throws {
        try await withServer { _ in
            .status(404, "<html>")
        } _: { server in
            #expect(await runTool("--filter", "a", server.url()).status == 4)
            #expect(await runTool("--filter", "a", "--no-check-status", server.url()).status == 13)
            #expect(await runTool("--filter", "a", "--expect-status=404", server.url()).status == 13)
        }
    }

    @Test func `standard output has only selected values, and the body of an error is shown in part`() async throws {
        try await withServer { request in
            request.path == "/json"
                ? .raw("HTTP/1.1 500 E\r\nContent-Type: application/json\r\n\r\n{\"a\": 1, \"b\": 2}")
                : .status(500, "try later").header("Content-Type", "text/plain")
        } _: { server in
            let text = await runTool("--filter", "a", server.url("/text"))
            #expect(text.status == 5)
            #expect(text.output.isEmpty)
            #expect(
                text.messages == [
                    "afcli: the server responded with 500 Internal Server Error", "afcli: the response:",
                    "  | HTTP/1.1 500 Internal Server Error", "  | Content-Type: text/plain",
                    "  | Content-Type: text/plain", "  | ", "  | try later",
                ])
            let json = await runTool("--filter", "a", server.url("/json"))
            #expect(json.status == 5)
            #expect(json.output == "1\n")
            #expect(await runTool("--filter", "a", "--print", "", server.url("/text")).output.isEmpty)
        }
    }

    @Test func `the data of each event is filtered`() async throws {
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
            try connection.send(": hello\nid: 1\ndata: {\"a\":\ndata: \"x\", \"b\": 1}\n\ndata: {\"a\"")
            try connection.send(": \"y\"}\r\n\r\nevent: ping\n\ndata: [DONE]\n\ndata: \u{FEFF}{\"a\": \"z\"}\n\n")
            try connection.send("data: )]}',{\"a\": \"g\"}\n\ndata: {\"a\": \"cut\"}\n")
        } _: { server in
            let run = await runTool("--filter", "a", "--raw-output", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "x\ny\nz\ng\n")
        }
    }

    @Test func `events without JSON select nothing`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: [DONE]\n\n")
        } _: { server in
            let run = await runTool("--filter", "a", server.url())
            #expect(run.status == 14)
            #expect(run.messages.first == "afcli: error: the filter 'a' selected nothing")
        }
    }

    @Test func `a body of another kind has a hint`() async throws {
        try await withServer { _ in
            .ok("<html></html>")
        } _: { server in
            let run = await runTool("--filter", "title", server.url())
            #expect(run.messages.contains("  --filter-text /REGEX/ searches text, HTML and XML"), "\(run.errors)")
        }
        let run = await runTool("http://h/", "--expect-json", "name == Ada and id == 1")
        #expect(run.messages.contains("  an expectation is one condition; repeat the option for others"))
    }

    @Test func `an expression of jq has a hint`() async throws {
        try await withServer { _ in
            .json(#"{"a": 1}"#)
        } _: { server in
            for (typed, path) in [("$.a", "a"), ("$[0].a", "'[0].a'"), ("$..b", "..b")] {
                let run = await runTool("--filter", typed, server.url())
                #expect(run.status == 64 && run.messages.contains("  omit the $: --filter \(path)"), "\(run.errors)")
            }
            for typed in [".a | length", "length(a)"] {
                let run = await runTool("--filter", typed, server.url())
                #expect(run.messages.contains { $0.contains("pipes and functions need jq") }, "\(run.errors)")
            }
        }
    }

    @Test func `a filter concerns only bodies that are shown`() async {
        for words in [["--filter", "a", "-o", "f"], ["--filter", "a", "-d"], ["--raw-output"]] {
            let run = await runTool(words + ["example.invalid"])
            #expect(run.status == 64)
            #expect(run.messages.count == 2)
        }
    }

    @Test func `bodies of requests and of earlier hops are complete`() async throws {
        try await withServer { request in
            request.path == "/" ? .status(307, "[1]").header("Location", "/x") : .json("[2,3]")
        } _: { server in
            let run = await runTool(
                "-v", "-L", "--filter", "[0]", "--raw", "[4,5]", "post", server.url())
            #expect(run.output.contains("[4,5]"))
            #expect(run.output.contains("[1]"))
            #expect(run.output.hasSuffix("\r\n\r\n2\n"))
        }
    }

    @Test func `another charset is decoded`() async throws {
        try await withServer { _ in
            .bytes([0x22, 0xE4, 0x22]).header("Content-Type", "application/json; charset=latin1")
        } _: { server in
            #expect(await runTool("--filter", ".", "--raw-output", server.url()).output == "ä\n")
        }
    }

    @Test func `expectations are reported with the filter`() async throws {
        try await withServer { _ in
            .json("[1]")
        } _: { server in
            #expect(await runTool("--filter", "[0]", "--expect-json", "[0]==2", server.url()).status == 14)
            #expect(await runTool("--filter", "[0]", "--expect-json", "[0]==1", server.url()).status == 0)
        }
    }
}
