import TestSupport
import Testing

@testable import AFCommand
@testable import AFJSON

@Suite(.timeLimit(.minutes(2))) struct ExpectationOperatorTests {
    private static let body =
        #"{"n":7,"price":12.50,"big":1e400,"s":"Ada <b>","date":"2026-01-02","l":[1,"x",{"k":[2]}],"o":{"a":1,"a":2,"b":3},"e":"","t":true,"token":"t0p","a<b":1,"x y":5,"code":"t0p","error":{"code":-3}}"#

    private func failure(_ argument: String) throws -> String? {
        try JSONExpectation(argument: argument).failure(in: JSONCursor(Array(Self.body.utf8)))
    }

    private static let met: [String] = [
        "n == 7", "n==7.0", "n != 8", #"n!="7""#, "n<7.5", "n <= 7", "n > -1", "n>=7", "n < 1e1",
        "price>12.4999999999999999999",
        "price < 12.500000000000000001", "big > 1e399", "big<1e401", "n>0", #"date > "2026-01-01""#,
        #"date<="2026-01-02""#, #"s ~ ^Ada"#, "s ~ /b>$/", "s~<b>", "date ~ ^\\d{4}-\\d\\d-\\d\\d$", "n ~ ^7$",
        "t ~ true",
        #"s contains "da <""#, "l contains 1", #"l contains {"k":[2.0]}"#, #"o contains "a""#, "length(l) == 3",
        "length(o)==2",
        "length(s) > 6", "length(e) == 0", "length(l[2].k) < 2", #"length(.) > 5"#, #"a\<b == 1"#, "o[a] != 1",
        "x y == 5", #"s ~ "^Ada" "#,
        #"e == """#, "l[2][k] == [2]", "n", "date > 2026-01-01", "date==2026-01-02", "l contains x", "s contains Ada",
        "t!=up",
    ]

    @Test(arguments: met)
    func `a fulfilled condition has no failure`(argument: String) throws {
        #expect(try failure(argument) == nil)
    }

    private static let unmet: [(String, String)] = [
        ("n != 7", "expected 'n' not to be 7, got 7"), ("n < 7", "expected 'n' to be less than 7, got 7"),
        ("n > 7", "expected 'n' to be greater than 7, got 7"), ("n <= 6.9", "expected 'n' to be at most 6.9, got 7"),
        ("n >= 7.1", "expected 'n' to be at least 7.1, got 7"),
        (#"n < "8""#, #"expected 'n' to be less than "8", got 7"#),
        ("s < 8", #"expected 's' to be less than 8, got "Ada <b>""#), ("l < 8", "expected 'l' to be less than 8, got "),
        ("s==Ada", #"expected 's' to be "Ada", got "Ada <b>""#),
        ("t == 1.4.2", #"expected 't' to be "1.4.2", got true"#),
        ("s ~ ^b", #"expected 's' to match /^b/, got "Ada <b>""#), ("l ~ x", "expected 'l' to match /x/, got [1,"),
        (#"s contains "x""#, #"expected 's' to contain "x", got "Ada <b>""#),
        ("l contains 2", "expected 'l' to contain 2, got "),
        ("n contains 7", "expected 'n' to contain 7, got 7"),
        ("length(l) > 3", "expected the length of 'l' to be greater than 3, got 3"),
        ("length(n) == 1", "expected the length of 'n' to be 1, got a value of type number"),
        ("length(z) == 1", "expected the length of 'z' to be 1, but the body has no 'z'"),
        ("z != 1", "expected 'z' not to be 1, but the body has no 'z'"),
        (#"token ~ ^x"#, "expected another value of 'token'"), ("token", ""),
        ("code == 7", "expected 'code' to be 7, got •••"), ("error.code == 0", "expected 'error.code' to be 0, got -3"),
        ("code == x", "expected another value of 'code'"),
    ]

    @Test(arguments: unmet)
    func `an unfulfilled condition is described in a sentence`(argument: String, sentence: String) throws {
        let found = try failure(argument)
        if sentence.isEmpty {
            #expect(found == nil)
        } else {
            #expect(found?.hasPrefix(sentence) == true, "\(found ?? "")")
        }
        #expect(found?.contains("t0p") != true)
    }

    @Test(arguments: [
        "n <", "n < x y", "n ~", "n ~ (", "length(l)", "length(l) ~ [", "n contains [x", "n contains ", "n != ", "a[<1",
        "n===1", "n==nUll", "n!=False",
    ])
    func `a malformed condition is a usage error`(argument: String) async {
        let run = await runTool("--expect-json", argument, "example.invalid")
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: --expect-json: ") == true, "\(run.errors)")
    }

    @Test func `numbers are ordered exactly`() throws {
        let numbers = [
            "-1e10", "-10.5", "-10", "-0.1", "0", "1e-9", "0.1", "0.11", "1", "9", "10", "10.01", "1e2",
            "123456789012345678901",
        ]
        for (place, first) in numbers.enumerated() {
            for (otherPlace, second) in numbers.enumerated() {
                guard case .number(let first)? = JSONValue(first), case .number(let second)? = JSONValue(second) else {
                    Issue.record("no numbers")
                    continue
                }
                #expect((first < second) == (place < otherPlace))
            }
        }
    }

    @Test func `a body must contain a text or match an expression`() async throws {
        try await withServer { _ in
            .ok("Status: UP\nby Zoë\n")
        } _: { server in
            for good in ["Status", "UP\nby", "Zoë", "/Zo./", "/(?i)status: up/", "/"] {
                let status = await runTool("--expect-body", good, server.url()).status
                #expect(status == (good == "/" ? 14 : 0), "\(good)")
            }
            let run = await runTool("--expect-body", "DOWN", "--expect-body", "/^UP/", server.url())
            #expect(run.status == 14)
            #expect(run.errors.contains("the body does not contain 'DOWN'"))
            #expect(run.errors.contains("the body does not contain /^UP/"))
            let folder = try ScratchFolder()
            #expect(await runTool("--expect-body", "DOWN", "-o", folder.file("f"), server.url()).status == 14)
            #expect(folder.list() == [])
            #expect(await runTool("--expect-body", "UP", "-o", folder.file("f"), server.url()).status == 0)
            for bad in ["", "/(/"] {
                let run = await runTool("--expect-body", bad, server.url())
                #expect(run.status == 64)
                #expect(run.messages.first?.hasPrefix("afcli: error: --expect-body: ") == true)
            }
        }
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("--expect-body", "x", server.url())
            #expect(run.status == 14)
            #expect(run.messages.first == "afcli: error: expected a body with 'x', but the response has no body")
        }
    }

    @Test(arguments: [
        ("/ok$/", "ok\n", true), ("/ok$/", "ok", true), ("/ok$/", "ok\n\n", false), ("/ok$/", "ok\nx", false),
        ("/^$/", "\n", true), ("/ok\n$/", "ok\n", true), (#"/ok\z/"#, "ok\n", false), (#"/ok\n\z/"#, "ok\n", true),
        ("/(?m)ok$/", "ok\nx", true), (#"/ok\$/"#, "ok\n", false), ("/ok$/", "ok\r\n", false), ("/o$|k/", "x\n", false),
    ])
    func `a dollar matches before a line feed at the end`(pattern: String, body: String, isFound: Bool) throws {
        #expect((try BodyExpectation(argument: pattern).failure(in: Array(body.utf8)) == nil) == isFound)
    }

    @Test(arguments: [
        ("/ok/i", "flags are at its start: '/(?i)ok/'"), ("/o.k$/gim", "flags are at its start: '/(?im)o.k$/'"),
        ("/ok/g", #"omit 'g'; the text itself is /\/ok\/g/"#),
    ])
    func `letters after an expression are a usage error with a hint`(expression: String, hint: String) async {
        for words in [["--expect-body", expression], ["--expect-json", "a ~ \(expression)"]] {
            let run = await runTool(words + ["http://localhost:1/"])
            #expect(run.status == 64)
            #expect(run.messages.last == "  \(hint)", "\(run.errors)")
        }
    }

    @Test(arguments: ["/usr/lib", "/a/b/s", "/ok/ii", "//i", "/i", "/ok/I", "/ok/ i", "ok/i"])
    func `a path is a text`(path: String) throws {
        #expect(try BodyExpectation(argument: path).pattern == .text(path))
    }

    @Test(arguments: [
        "a(?=b)", "(?!b)a", "(?<=a)b", "(?<!a)b", #"(a)\1"#, "(?>a)", "a++", #"\Z"#, #"\k<name>"#,
    ])
    func `syntax that RE2 does not support is a usage error with a hint`(expression: String) async {
        for words in [["--expect-body", "/\(expression)/"], ["--expect-json", "a ~ \(expression)"]] {
            let run = await runTool(words + ["http://localhost:1/"])
            #expect(run.status == 64)
            #expect(
                run.errors.contains("is not supported in '\(expression)'\n  the syntax is that of RE2"), "\(run.errors)"
            )
        }
    }

    @Test(arguments: ["a{1001}", "(a{100}){100}", #"\pL{1000}"#, String(repeating: "a", count: 65_537)])
    func `an expression that is too large is a usage error with a hint`(expression: String) async {
        let run = await runTool("--expect-body", "/\(expression)/", "http://localhost:1/")
        #expect(run.status == 64)
        #expect(run.errors.contains("is too large for a regular expression\n  {n} repeats at most 1000 times"))
    }

    private static func nested(_ opening: String, _ count: Int, _ closing: String = "") -> String {
        "/\(String(repeating: opening, count: count))UP\(String(repeating: closing, count: count))/"
    }

    @Test func `an expression may have a thousand groups within each other, if all are closed`() async throws {
        for bad in [Self.nested("[", 1000), Self.nested("(?:", 1000), Self.nested("(", 1000)] {
            #expect(await runTool("--expect-body", bad, "http://localhost:1/").status == 64)
        }
        try await withServer { _ in
            .ok("UP")
        } _: { server in
            #expect(await runTool("--expect-body", Self.nested("(", 1000, ")"), server.url()).status == 0)
        }
    }

    // Anchored, so that other engines need linear time as well.
    @Test(arguments: [("a", "", #"\Aa+b"#), ("a", "", #"\A[ax]*x\z"#), (" ", "x", #"\A\s+\z"#)])
    func `an expression is searched in a body of two million characters`(filler: String, end: String, pattern: String)
        async throws
    {
        let text = String(repeating: filler, count: 2_000_000) + end
        let folder = try ScratchFolder()
        try await withServer { request in
            request.path == "/json" ? .ok(#"{"s":"\#(text)"}"#) : .ok(text)
        } _: { (server) async throws in
            #expect(await runTool("-q", "--expect-body", "/\(pattern)/", server.url()).status == 14)
            #expect(await runTool("-q", "--expect-json", "s ~ \(pattern)", server.url("/json")).status == 14)
            let saved = await runTool("-q", "-o", folder.file("f"), "--expect-body", "/\(pattern)/", server.url())
            #expect(saved.status == 14)
            #expect(folder.list() == [])
        }
    }

    @Test func `a text is found in linear time`() async throws {
        let body = String(repeating: "a", count: 10_000_000)
        let wanted = String(repeating: "a", count: 100_000) + "b"
        try await withServer { _ in
            .ok(body)
        } _: { (server) async throws in
            #expect(await runTool("-q", "--expect-body", wanted, server.url()).status == 14)
        }
    }

    @Test(arguments: [
        ("UP\n", "^UP$", 0), ("UP\n", "(?m)^UP$", 0), ("UP\r\n", #"UP\r?\n"#, 0), ("UP\n", "UP.", 14),
        ("UP\n", "(?s)UP.", 0), ("é", "(?i)É", 0), ("é", #"^\x{e9}$"#, 0), ("é", #"^\pL$"#, 0), ("é", #"\w"#, 14),
        ("e\u{301}", "^é$", 14), ("x.UP.y", #"\bUP\b"#, 0), ("ab", "(?P<name>b)", 0),
    ])
    func `an expression has RE2's syntax and searches characters of UTF-8`(
        body: String, expression: String, status: Int32
    ) async throws {
        try await withServer { _ in
            .ok(body)
        } _: { server in
            #expect(await runTool("-q", "--expect-body", "/\(expression)/", server.url()).status == status)
        }
    }

    @Test(arguments: [
        ("", "", true), ("a", "", true), ("", "a", false), ("abc", "bc", true), ("aab", "ab", true),
        ("ab", "abc", false),
        ("xaxaxb", "xaxb", true), ("aaa", "b", false),
    ])
    func `a byte sequence is found in another`(all: String, wanted: String, isFound: Bool) {
        #expect(Array(all.utf8).contains(bytes: Array(wanted.utf8)) == isFound)
    }
}
