import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

/// Rows and conditions of `--filter`, and `--filter-text`.
@Suite(.timeLimit(.minutes(2))) struct FilterRowTests {
    private static let people = """
        [{"name": "A\\tda", "id": 1.0, "tags": ["x", "y z"], "sub": {"n": null}},
         {"id": 22, "age": 30, "name": "B\\\\ob\\nC", "sub": {"n": "in]"}}, 7, {"age": 31, "id": 3, "name": "C"}]
        """

    private func run(
        _ words: [String],
        body: String = people,
        type: String = "application/json"
    ) async throws -> ToolRun {
        try await withServer { _ in
            .bytes(Array(body.utf8)).header("Content-Type", type)
        } _: { server in
            await runTool(words + [server.url()])
        }
    }

    @Test(arguments: [
        ("[].{id,name}", "1.0\tA\\tda\n22\tB\\\\ob\\nC\n\t\n3\tC\n"),
        ("[].{name,id}", "A\\tda\t1.0\nB\\\\ob\\nC\t22\n\t\nC\t3\n"),
        ("[0].{id}", "1.0\n"), ("[0].{tags,tags[1],sub.n,sub}", "[\"x\",\"y z\"]\ty z\tnull\t{\"n\":null}\n"),
        ("[].{ age , id }", "\t1.0\n30\t22\n\t\n31\t3\n"), ("[?age>30].{id,age}", "3\t31\n"),
        ("[3:].{[name],id}", "C\t3\n"),
        ("..sub.{n}", "null\nin]\n"),
    ])
    func `a row has the values in the typed order, and is empty where one is missing`(path: String, output: String)
        async throws
    {
        let run = try await run(["--filter", path, "--raw-output"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == output)
    }

    @Test(arguments: [
        (
            "[].{id,name}",
            #"{"id":1.0,"name":"A\tda"}|{"id":22,"name":"B\\ob\nC"}|{"id":null,"name":null}|{"id":3,"name":"C"}"#
        ),
        ("[1].{sub.n,[tags][0]}", #"{"sub.n":"in]","[tags][0]":null}"#), ("[?id==1].{tags}", #"{"tags":["x","y z"]}"#),
    ])
    func `a row is an object without raw output`(path: String, output: String) async throws {
        let run = try await run(["--filter", path])
        #expect(run.output == output.split(separator: "|").map { "\($0)\n" }.joined())
    }

    @Test func `the complete body may be a row, and each JSON line`() async throws {
        let one = try await run(["--filter", "{b,a}", "--raw-output"], body: #"{"a": 1, "b": "x"}"#)
        #expect(one.output == "x\t1\n")
        let lines = try await run(
            ["--filter", ".{b,a}", "--raw-output"], body: "{\"a\":1}\n{\"b\":2}\n", type: "application/x-ndjson")
        #expect(lines.output == "\t1\n2\t\n")
        let formatted = try await run(["--filter", "{a}", "--pretty=format"], body: #"{"a": [1]}"#)
        #expect(formatted.output == "{\n    \"a\": [\n        1\n    ]\n}\n")
    }

    @Test(arguments: [
        ("[?id>20].name", "\"B\\\\ob\\nC\"\n"), ("[?id == 1].id", "1.0\n"), ("[?age]", nil),
        ("[?absent age].id", "1.0\n"),
        ("[?sub.n == \"in]\"].id", "22\n"), ("[?name ~ ^[A-B]].id", "1.0\n22\n"), ("[?tags[0]==x].id", "1.0\n"),
        ("[?any(tags[])~\"^y\"].tags[]", "\"x\"\n\"y z\"\n"), ("[?id in [3,22]].id", "22\n3\n"),
        ("[?length(name)==1].id", "3\n"), ("[?. type number]", "7\n"), ("[?sub].sub[?. type string]", "\"in]\"\n"),
        ("[?count([?. in [3]])==1].name", "\"C\"\n"), ("[][?. == 31]", "31\n"), ("[?id>20].id", "22\n"),
    ])
    func `only values that meet a condition are selected`(path: String, output: String?) async throws {
        let run = try await run(["--filter", path])
        #expect(run.status == 0, "\(run.errors)")
        if let output { #expect(run.output == output) }
    }

    @Test func `a condition that holds for nothing fails`() async throws {
        let run = try await run(["--filter", "[?id>100].{id}"])
        #expect(run.status == 14)
        #expect(run.messages.first == "afcli: error: the filter '[?id>100].{id}' selected nothing")
    }

    @Test func `a row of a body that ends early is not shown`() async throws {
        let run = try await run(["--filter", "[].{id}", "--raw-output"], body: #"[{"id":1},{"id":2"#)
        #expect(run.status == 13)
        #expect(run.output == "1\n")
    }

    @Test func `a value that does not fit into memory is an error`() async throws {
        let body = #"[{"id":1},{"id":"\#(String(repeating: "x", count: 200_000))"}]"#
        let run = try await run(["--filter", "[].{id}", "--max-formatted=64K"], body: body)
        #expect(run.status == 13)
        #expect(run.output == "{\"id\":1}\n")
        #expect(run.errors.contains("increase --max-formatted"))
    }

    @Test(arguments: [
        ("[].{id,name", "expected ',' or '}'"), ("[].{}", "expected a name"), ("[].{id,}", "expected a name"),
        ("[].{id}.name", "expected nothing after '}'"), ("[].{tags[]}", "a column selects one value"),
        ("[].{..a}", "a column selects one value"), ("[].{a,{b}}", "a row contains names"),
        ("[].{a},b", "must be the only one"),
        ("a,[?b]", "must be the only one"), ("[?a", "expected ']'"), ("[?a==[1]", "expected ']'"),
        ("[?]", "the condition is empty"), ("[? ]", "the condition is empty"),
        ("..{id,name}", "expected a backslash before '{'"), ("a{b}", "expected a backslash before '{'"),
        ("a}", "expected a backslash before '}'"), ("[?a between 1]", "'between' is not supported"),
        ("[?(@.a>1)]", "without ( and @"), ("[?@.a>1]", "without ( and @"), ("[?a is 1]", "'is' is not supported"),
        ("[?[].a>1]", "the path selects several values"), ("[?a~(]", "not a regular expression"),
        ("[].{a[-1]}", "negative indexes"),
        (String(repeating: "[?a", count: 40) + String(repeating: "]", count: 40), "too many"),
    ])
    func `an invalid row or condition is a usage error`(path: String, problem: String) async {
        let run = await runTool("--filter", path, "example.invalid")
        #expect(run.status == 64)
        #expect(run.messages.first?.contains(problem) == true, "\(run.errors)")
    }

    @Test(arguments: [
        (#"/name="csrf" value="([^"]+)"/"#, "t1\n"), (#"value="([^"]*)"|<(\w+) x>"#, "t1\nb\n"),
        ("/[a-z]+=/", "name=\nvalue=\n"),
        ("/ü(.)/", "ß\n"), ("/^<b x>$/", "<b x>\n"), ("/x*$/", nil),
    ])
    func `the first group of each match in a line is shown`(expression: String, output: String?) async throws {
        let page = "<input name=\"csrf\" value=\"t1\">\n\n<b x>\r\n üß"
        for type in ["text/html", "text/plain", "application/xml", "application/json"] {
            let run = try await run(["--filter-text", expression], body: page, type: type)
            #expect(run.status == (output == nil ? 14 : 0), "\(run.errors)")
            #expect(run.output == output ?? "")
        }
    }

    @Test(
        arguments: [
            (["--filter-text", "/^\\d;.*$/"], "1;M\u{FFFD}ller\n2;Möller\n"),
            (["--filter-text", "/;(M[^x]l)/"], "M\u{FFFD}l\nMöl\n"),
            (["--filter-text", "/M\\p{L}l/"], "Möl\n"), (["-b", "--expect-body", "/1;M.ller\n2;M.l/"], nil),
            (["-b", "--expect-body", "/1;M\\p{L}/"], ""),
        ] as [([String], String?)])
    func `an octet that is not UTF-8 is a character of a regular expression`(words: [String], output: String?)
        async throws
    {
        let body = Array("id;name\n1;M".utf8) + [0xFC] + Array("ller\n2;Möller\n".utf8)
        try await withServer { _ in
            .bytes(body).header("Content-Type", "text/csv")
        } _: { server in
            let run = await runTool(words + [server.url()])
            #expect(run.status == (output == "" ? 14 : 0), "\(run.errors)")
            if let output, output != "" { #expect(run.output == output) }
        }
    }

    @Test func `matches on a terminal contain no control characters`() async throws {
        try await withServer { _ in
            .ok("a\u{1B}[31mb")
        } _: { server in
            let run = await runTool("-b", "--filter-text", "/a(.*)/", server.url(), in: .terminal())
            #expect(run.output == "\\x1b[31mb\n\n")
        }
    }

    @Test(arguments: [
        (["--filter-text", ""], "expected /REGEX/"), (["--filter-text", "//"], "expected /REGEX/"),
        (["--filter-text", "a", "--filter-text", "b"], "cannot be repeated"),
        (["--filter-text", "/(/"], "not a regular expression"),
        (["--filter-text", "/a/i"], "letters after"), (["--filter-text", "a", "--filter", "a"], "cannot be combined"),
        (["--filter-text", "a", "-o", "f"], "cannot be combined with a download"),
    ])
    func `an invalid expression is a usage error`(words: [String], problem: String) async {
        let run = await runTool(words + ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first?.contains(problem) == true, "\(run.errors)")
    }

    @Test func `lines are searched in any chunks`() throws {
        let text = Array("ab1\r\nb2 b3\n\nxb4".utf8)
        for size in 1...text.count {
            var filter = TextFilter(
                try RegularExpression("b(\\d)", hasGroups: true), isForTerminal: false, endsLines: true,
                holdingLimit: 100)
            let output = MemoryOutput()
            var buffer = OutputBuffer(output)
            for start in stride(from: 0, to: text.count, by: size) {
                try Array(text[start..<min(start + size, text.count)]).withUnsafeBytes { bytes in
                    try filter.consume(bytes, into: &buffer)
                }
            }
            try filter.finish(into: &buffer)
            try buffer.flush()
            #expect(String(decoding: output.bytes, as: UTF8.self) == "1\n2\n3\n4\n")
            #expect(filter.matchCount == 4)
        }
    }

    @Test func `a line that is too long is an error`() async throws {
        let run = try await run(
            ["--filter-text", "a", "--max-formatted=1K"], body: "a\n" + String(repeating: "b", count: 5000),
            type: "text/plain")
        #expect(run.status == 13)
        #expect(run.output == "a\n")
        #expect(run.messages.first == "afcli: error: a line of the body has more than 1 KiB")
    }
}
