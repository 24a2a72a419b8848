import TestSupport
import Testing

@testable import AFCommand
@testable import AFJSON

/// `any`, `all`, `count`, `absent`, `in`, `type` and indexes from the end.
@Suite(.timeLimit(.minutes(2))) struct ExpectationSubjectTests {
    private static let body = """
        {"s":"up","n":7,"r":1.0,"x":1.5,"t":true,"z":null,"e":[],"o":{"a":1},"l":[1,"x",{"k":[2]}],
        "users":[{"id":1,"n":"Ada"},{"id":2,"n":"Bob","tags":["a","b"]},{"id":3}],"token":["t0p"],
        "tree":{"a":{"a":{"b":1}},"b":2},"a in b":1,"in":2,"absent":3,
        "a==b":1,"p=":2,"m>=n":3,"!k":4}
        """

    private func failure(_ argument: String) throws -> String? {
        try JSONExpectation(argument: argument).failure(in: JSONCursor(Array(Self.body.utf8)))
    }

    @Test(arguments: [
        "absent errors", "absent  o.b", "absent l[3]", "absent users[].name", "absent ..c", "absent q.r.s",
        "absent e[]", "absent == 3", "any(users[].id) == 2", "any(users[].id)>2", "any(..b) == 2",
        "any(users[].tags) contains b", "any(l[]) type object", "any(users[1:3].id) in [3,9]",
        "all(users[].id) > 0", "all(users[0:2].n) ~ ^[AB]", "all(e[]) == 1", "all(users) type array",
        "all(..b) < 3", "count(users[]) == 3", "count(users) == 3", "count(users[].n) == 2", "count(q) == 0",
        "count(n) == 1", "count(e) == 0", "count(o[]) == 1", "count(..a) == 3", "count(..a..b) == 1",
        "count(users[].n) in [1, 2]", "s in [up, down]", #"s in ["up","down"]"#, "n in [7.0, 8]", "s in [up,1]",
        "z in [null]", "t in [ true ]", "s type string", "n type integer", "n type number", "r type integer",
        "x type number", "t type boolean", "z type null", "l type array", "o type object", "o type Object",
        "users[-1].id == 3", "users[-3].id==1", "l[-1].k[-1] == 2", "length(l[-1]) == 1", "[a in b] == 1", "in == 2",
        #"a\==b == 1"#, #"p\===2"#, #"m\>=n > 2"#, #"\!k==4"#, #"any(a\==b) == 1"#, #"a\==b"#,
        #"s ~ "^up$""#, #"s ~ "^\\w+$""#, "s~^u", #"s ~ /^"?up/"#,
    ])
    func `an expectation is met`(argument: String) throws {
        #expect(try failure(argument) == nil)
    }

    @Test(arguments: [
        ("absent s", #"expected no value at 's', got "up""#),
        ("absent users[].id", "expected no value at 'users[].id', got 1, 2, 3"),
        ("absent token", "expected no value at 'token'"),
        ("any(users[].id) > 3", "expected any value of 'users[].id' to be greater than 3, got 1, 2, 3"),
        (
            "any(users[].x) > 3",
            "expected any value of 'users[].x' to be greater than 3, but a value of 'users[]' has no 'x'"
        ),
        ("any(e[]) == 1", "expected any value of 'e[]' to be 1, but 'e[]' selects nothing"),
        ("all(users[].id) < 3", "expected all values of 'users[].id' to be less than 3, got 3 among 3 values"),
        (
            "all(users[].n) ~ .",
            "expected all values of 'users[].n' to match /./, but a value of 'users[]' has no 'n'"
        ),
        (
            "all(userz[].id) > 0",
            "expected all values of 'userz[].id' to be greater than 0, but the body has no 'userz'"
        ),
        ("all(..q) > 0", "expected all values of '..q' to be greater than 0, but the body has no 'q'"),
        ("all(n[]) > 0", "expected all values of 'n[]' to be greater than 0, but 'n' is of type number"),
        ("count(users[].n) == 3", "expected the number of values of 'users[].n' to be 3, got 2"),
        ("s in [down, off]", #"expected 's' to be one of ["down","off"], got "up""#),
        ("n type string", "expected 'n' to be of type string, got 7"),
        ("x type integer", "expected 'x' to be of type integer, got 1.5"),
        ("users[-4].id == 1", "expected 'users[-4].id' to be 1, but 'users' has 3 elements"),
        ("o[-1] == 1", "expected 'o[-1]' to be 1, but 'o' is of type object"),
        ("errors == null", "expected 'errors' to be null, but the body has no 'errors'; 'absent PATH' expects that"),
    ])
    func `a failure has the values or the missing part of the path`(argument: String, sentence: String) throws {
        #expect(try failure(argument) == sentence)
    }

    @Test(arguments: [
        ("!errors", "'!' is not supported in '!errors'"), ("!a == 1", "'!' is not supported in '!a'"),
        ("not a == 1", "'not' is not supported in 'not a'"), ("a exists", "'exists' is not supported in 'a exists'"),
        ("a starts with u", "'starts' is not supported"), ("n between 1", "'between' is not supported"),
        ("any(absent x) == 1", "'absent' is not supported"), ("a ~= up", "'~=' is not supported"),
        (" ", "the argument is empty"), ("a b", "'b' is not supported in 'a b'"),
        ("a is \"up\"", "'is' is not supported in 'a is \"up\"'"), ("a == 1 and b == 2", "not JSON"),
        (#"a\=b and c == 1"#, "'and' is not supported in 'a=b and c'"),
        ("a && b", "'&&' is not supported"), ("a | length", "'|' is not supported"),
        ("size(a) == 1", "'size()' is not supported in 'size(a)'"), ("length()", "length requires a comparison"),
        ("any(length([])) > 1", "'length()' is not supported in 'any(length([]))'"),
        ("absent(a)", "'absent()' is not supported"), ("absent a == 1", "'absent' allows no comparison"),
        ("any([].id)", "any requires a comparison: any(PATH)>0"), ("count([])", "count requires a comparison"),
        ("[].id > 0", "the path selects several values"), ("length([]) > 0", "the path selects several values"),
        ("$.a == 1", "'$' is not supported"), ("a=b", "'=' is not supported in 'a=b'"),
        ("a in up", "expected a list after 'in'"),
        ("a in [", "expected a list after 'in'"), ("a in [up down]", "not JSON"), ("a in [\"up\"", "expected a list"),
        ("a type text", "'text' is not a type"), ("a type", "'type' is not supported in 'a type'"),
        ("a[-0]", "the last element is -1"), ("any(a[-2:-1]) > 1", "negative bounds of ranges are not supported"),
        ("a[-99999999999999999999]", "the index '99999999999999999999' is too large"),
        (#"a ~ "^\d""#, #"'"^\d"' is not a JSON string"#), (#"a ~ "\bx""#, #"'"\bx"' is not a JSON string"#),
        (#"a ~ """#, "expected a regular expression after '~'"), (#"a ~ "(""#, "'(' is not a regular expression"),
    ])
    func `an unsupported expectation is a usage error before the request`(argument: String, problem: String) async {
        let run = await runTool("--expect-json", argument, "example.invalid")
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: --expect-json: \(problem)") == true, "\(run.errors)")
    }

    @Test func `the error of an unsupported operator lists the supported ones`() async {
        let run = await runTool("--expect-json", "status is up", "example.invalid")
        for word in ["==", "<=", "~", "contains", " in ", "type", "absent PATH", "any(PATH)", "count(PATH)"] {
            #expect(run.messages.last?.contains(word) == true, "\(run.errors)")
        }
    }

    @Test(arguments: [
        ("X-A ~ ^ab", 0), ("X-A~c$", 0), ("x-a ~ /^AB/", 14), ("X-A ~ /(?i)^AB/", 0), (#"X-A ~ "^a""#, 0),
        ("X-B ~ .", 14), ("absent X-B", 0), ("absent X-A", 14), ("X-A: ~", 14), ("X-A ~ second", 0), ("X-A:abc", 0),
    ])
    func `a header field matches an expression or is absent`(expectation: String, status: Int32) async throws {
        try await withServer { _ in
            .ok("x").header("X-A", "abc").header("X-A", "second")
        } _: { server in
            let run = await runTool("-q", "--expect-header", expectation, server.url())
            #expect(run.status == status, "\(run.errors)")
        }
    }

    @Test(arguments: [
        ("X-A ~ ^b", "expected the header 'X-A ~ /^b/', got 'abc'"),
        ("absent X-A", "expected no header 'X-A', got 'abc'"),
        ("Set-Cookie ~ ^t", "expected another value of the header 'Set-Cookie'"),
        ("absent Set-Cookie", "expected no header 'Set-Cookie', got 's=•••'"),
        ("X-Token ~ t0p", "expected the header 'X-Token ~ •••', but the response has no 'X-Token'"),
    ])
    func `the failure of a header field shows no secret`(expectation: String, sentence: String) async throws {
        try await withServer { _ in
            .ok("x").header("X-A", "abc").header("Set-Cookie", "s=t0p")
        } _: { server in
            let run = await runTool("-q", "--expect-header", expectation, server.url())
            #expect(run.messages.first == "afcli: error: \(sentence)")
            #expect(!run.errors.contains("t0p"))
        }
    }

    @Test(arguments: ["absent ", "absent a b", "X-A ~", "X-A ~ (", "X A ~ b", "~ b", "absent X: 1"])
    func `an invalid expectation of a header field is a usage error`(expectation: String) async {
        let run = await runTool("--expect-header", expectation, "example.invalid")
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: --expect-header: ") == true, "\(run.errors)")
    }

    @Test(arguments: [
        ("!5xx", 404, 0), ("!5xx", 503, 14), ("2xx,!204", 200, 0), ("2xx,!204", 204, 14), ("!404,!5xx", 404, 14),
        ("!404,!5xx", 200, 0), ("!500-502", 501, 14),
    ])
    func `a status may be excluded`(list: String, answer: Int, status: Int32) async throws {
        try await withServer { _ in
            .status(answer)
        } _: { server in
            let run = await runTool("-q", "--expect-status", list, server.url())
            #expect(run.status == status)
            if status != 0 { #expect(run.errors.contains("expected a status of ")) }
        }
    }

    @Test(arguments: ["!", "!!5xx", "!6", "2xx,!", "!a"])
    func `an invalid exclusion is a usage error`(list: String) async {
        #expect(await runTool("--expect-status", list, "example.invalid").status == 64)
    }

    private static let lines = "{\"p\":1,\"k\":\"a\"}\n{\"p\":2}\n\n{\"p\":3,\"l\":[1,2]}\n"
    private static let events =
        ": hello\n\nevent: tick\ndata: {\"p\":1,\ndata: \"k\":\"a\"}\n\ndata: {\"p\":2}\n\ndata: {\"p\":3,\"l\":[1,2]}\n\n"
        + "data: [DONE]\n\ndata: {\"p\":0}"

    @Test(arguments: [
        ("p >= 1", nil), ("any(p) == 2", nil), ("all(p) < 4", nil), ("count(p) == 3", nil), ("count(.) == 3", nil),
        ("count(k) == 1", nil), ("count(l) == 2", nil), ("absent error", nil), ("p type integer", nil),
        ("any(k) == a", nil),
        ("p >= 2", "expected 'p' to be at least 2, got 1 in message 1 of 3"),
        ("k", "expected a value at 'k', but the body has no 'k' in message 2 of 3"),
        ("any(p) > 3", "expected any value of 'p' to be greater than 3, but none of 3 messages has one"),
        ("count(.) > 3", "expected the number of values of the body to be greater than 3, got 3"),
        ("absent l", "expected no value at 'l', got [1,2] in message 3 of 3"),
    ])
    func `each message of JSON lines and event streams meets an expectation`(argument: String, failure: String?)
        async throws
    {
        try await withServer { request in
            request.path == "/events"
                ? .bytes(Array(Self.events.utf8)).header("Content-Type", "text/event-stream")
                : .bytes(Array(Self.lines.utf8)).header("Content-Type", "application/x-ndjson")
        } _: { server in
            for path in ["/events", "/lines"] {
                let run = await runTool("-q", "--expect-json", argument, server.url(path))
                #expect(run.status == (failure == nil ? 0 : 14), "\(run.errors)")
                if let failure { #expect(run.messages.first == "afcli: error: \(failure)") }
            }
        }
    }

    @Test(arguments: [
        ("text/event-stream", "data: [DONE]\n\n", "there is no JSON message"),
        ("application/x-ndjson", " \n", "there is no JSON message"),
        ("application/x-ndjson", "{}\n{", "the body is not JSON: expected a name in double quotes or '}' at byte 5"),
    ])
    func `a stream without JSON does not meet an expectation`(type: String, body: String, reason: String) async throws {
        try await withServer { _ in
            .bytes(Array(body.utf8)).header("Content-Type", type)
        } _: { server in
            let run = await runTool("-q", "--expect-json", "absent a", server.url())
            #expect(run.status == 14)
            #expect(run.messages.first == "afcli: error: expected no value at 'a', but \(reason)")
        }
    }

    @Test(arguments: [
        ("..a", #"{"a":{"a":1},"b":[{"a":2}],"c":"a"}"#, [#"{"a":1}"#, "1", "2"]),
        ("..a..b", #"{"a":{"a":{"b":1}},"b":2}"#, ["1"]), ("..a.b", #"{"a":{"b":1,"a":{"b":2}}}"#, ["1", "2"]),
        ("[1:3]", "[0,1,2,3]", ["1", "2"]), ("[1:]", "[0, 1, {}]", ["1", "{}"]), ("[]", #"{"a":1,"a":2}"#, ["1", "2"]),
        ("[][]", "[[1],[],[2,3]]", ["1", "2", "3"]), ("..\\u0061", #"{"\u0061":1}"#, []),
        ("..a", #"{"\u0061" : 1}"#, ["1"]),
        ("..a", #""a""#, []), ("[-1]", "[1,[2]]", ["[2]"]),
    ])
    func `values are selected once and in the order of the document`(path: String, text: String, values: [String])
        throws
    {
        let document = try JSONCursor(Array(text.utf8))
        let selection = JSONSelection(try JSONPath(path, selectsSeveral: true).steps, in: document)
        let found = selection.positions.map { position in
            var cursor = document
            cursor.move(to: position)
            return cursor.valueText
        }
        #expect(found == values)
    }
}
