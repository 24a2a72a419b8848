import AFHTTP
import Testing

@testable import AFCommand

@Suite struct StandardInputTests {
    @Test(arguments: [StandardInput.Kind.terminal, .closed, .nullDevice, .regularFile(remaining: 0)])
    func `closed and ignored input is never a body`(kind: StandardInput.Kind) {
        for method in [nil, HTTPMethod.get, .post] {
            #expect(StandardInput.use(kind, method: method, hasBody: false, isIgnored: false) == .ignored)
        }
    }

    @Test(arguments: [StandardInput.Kind.stream, .regularFile(remaining: 9)])
    func `a method without a body does not read standard input`(kind: StandardInput.Kind) {
        for method in [HTTPMethod.get, .head, .options, .delete, .trace] {
            #expect(StandardInput.use(kind, method: method, hasBody: false, isIgnored: false) == .ignored)
        }
        for method in [HTTPMethod.post, .put, .patch, .query, HTTPMethod(rawValue: "PURGE")] {
            #expect(StandardInput.use(kind, method: method, hasBody: false, isIgnored: false) == .body)
        }
    }

    @Test func `without a method a file is the body, and a stream must deliver bytes`() {
        #expect(StandardInput.use(.regularFile(remaining: 1), method: nil, hasBody: false, isIgnored: false) == .body)
        #expect(StandardInput.use(.stream, method: nil, hasBody: false, isIgnored: false) == .bodyOnDelivery)
    }

    @Test func `on a terminal, -I with a URL alone explains curl's -I`() async throws {
        let note = "afcli: -I is --ignore-stdin; for the header alone: afcli head URL"
        for (words, isExplained) in [
            (["-I"], true), (["-LI"], true), (["--ignore-stdin"], false), (["-I", "get"], false),
            (["-I", "-q"], false),
        ] {
            var world = ToolWorld.terminal()
            world.standardInput = .terminal
            let run = await runTool(words + ["http://127.0.0.1:1/"], in: world)
            #expect((run.messages.first == note) == isExplained, "\(words): \(run.errors)")
        }
        let piped = await runTool("-I", "http://127.0.0.1:1/")
        #expect(!piped.errors.contains(note))
    }

    @Test func `with another body or the option standard input is not read`() {
        for method in [nil, HTTPMethod.post] {
            #expect(StandardInput.use(.stream, method: method, hasBody: true, isIgnored: false) == .ignored)
            #expect(StandardInput.use(.stream, method: method, hasBody: false, isIgnored: true) == .ignored)
        }
    }

    @Test func `a download without a method sends no input, and rejects bytes of a stream`() throws {
        var download = StandardInput.Download.none
        func use(_ kind: StandardInput.Kind, _ method: HTTPMethod?) -> StandardInput.Use {
            StandardInput.use(kind, method: method, hasBody: false, download: download, isIgnored: false)
        }
        download = .file
        #expect(use(.stream, nil) == .errorOnDelivery)
        #expect(use(.stream, .post) == .body)
        #expect(use(.regularFile(remaining: 9), nil) == .body)
        download = .get
        #expect(use(.stream, nil) == .errorOnDelivery)
        #expect(use(.regularFile(remaining: 9), nil) == .ignored)
        for words in [["-o", "f", ":/"], ["-d", ":/"]] {
            let full = StandardInput.fixed(.stream, delivery: .bytes)
            let error = #expect(throws: UsageError.self) {
                try PlannedRequest(Invocation(parsing: words), standardInput: full)
            }
            #expect(error?.hint == "use POST to send standard input, or -I to ignore it")
            for delivery in [StandardInput.Delivery.timeout, .end] {
                let plan = try PlannedRequest(
                    Invocation(parsing: words), standardInput: .fixed(.stream, delivery: delivery))
                #expect(plan.method == .get && plan.body == .none)
            }
        }
    }

    @Test func `a partly read file is the body only if requested`() throws {
        let rest = StandardInput.fixed(.regularFile(remaining: 9, isAtStart: false))
        let loop = try plan(":/", input: rest)
        #expect(loop.method == .get && loop.body == .none && loop.warnings.isEmpty)
        let typed = try plan("post", ":/", input: rest)
        #expect(typed.body == .none)
        #expect(typed.warnings.count == 1 && typed.warnings[0].contains("@- sends it"))
        #expect(try plan("post", ":/", "-I", input: rest).warnings.isEmpty)
        #expect(try plan(":/", "@-", input: rest).body == .standardInput(InputBody(size: 9)))
    }

    private func plan(_ words: String..., input: StandardInput) throws -> PlannedRequest {
        try PlannedRequest(Invocation(parsing: words), standardInput: input)
    }

    @Test func `a stream that delivers bytes makes a POST`() throws {
        let plan = try plan(":/", input: .fixed(.stream, delivery: .bytes))
        #expect(plan.method == .post)
        #expect(plan.body == .standardInput(InputBody(size: nil)))
        #expect(plan.headers["Content-Type"] == "application/json")
    }

    @Test func `a stream that ends immediately leaves a GET`() throws {
        let plan = try plan(":/", input: .fixed(.stream, delivery: .end))
        #expect(plan.method == .get)
        #expect(plan.body == .none)
        #expect(plan.headers["Content-Type"] == nil)
    }

    @Test func `a silent stream leaves a GET`() throws {
        let plan = try plan(":/", input: .fixed(.stream, delivery: .timeout))
        #expect(plan.method == .get)
        #expect(plan.body == .none)
    }

    @Test func `a redirected file has a size, and a stream may have a typed one`() throws {
        #expect(
            try plan("put", ":/", input: .fixed(.regularFile(remaining: 7))).body == .standardInput(InputBody(size: 7)))
        let typed = try plan("post", ":/", "Content-Length:12", input: .fixed(.stream))
        #expect(typed.body == .standardInput(InputBody()))
        #expect(typed.headers["Content-Length"] == "12")
    }

    @Test(arguments: [
        (["post", ":/"], true), (["post", ":/", "Content-Type:text/csv"], false), (["--json", "post", ":/"], false),
        ([":/", "-T", "-"], false), (["--form", "post", ":/"], false),
    ])
    func `input without data is JSON, with a note`(words: [String], hasNote: Bool) throws {
        let request = try PlannedRequest(Invocation(parsing: words), standardInput: .fixed(.stream))
        #expect((request.bodyNote?.contains("has no data yet and is sent as JSON") == true) == hasNote)
    }

    @Test func `explicitly requested input is the body of any method`() throws {
        #expect(try plan("get", ":/", "@-", input: .fixed(.stream)).body == .standardInput(InputBody(size: nil)))
        #expect(
            try plan(":/", "--raw", "@-", input: .fixed(.regularFile(remaining: 5))).body
                == .standardInput(InputBody(size: 5)))
        #expect(try plan(":/", "-T", "-", input: .fixed(.terminal)).method == .put)
        #expect(try plan(":/", "a=@-", input: .fixed(.stream, content: "x\n")).bodyText == #"{"a": "x\n"}"#)
    }

    @Test func `input cannot be read twice, nor when closed or ignored`() {
        #expect(throws: UsageError("standard input can be read only once", argument: "b=@-")) {
            try plan(":/", "a=@-", "b=@-", input: .fixed(.stream))
        }
        #expect(throws: UsageError("standard input is closed", argument: "@-")) {
            try plan(":/", "@-", input: .fixed(.closed))
        }
        let error = #expect(throws: UsageError.self) { try plan(":/", "@-", "-I", input: .fixed(.stream)) }
        #expect(error?.argument == "@-")
    }

    @Test(arguments: [StandardInput.Kind.stream, .regularFile(remaining: 9)])
    func `ignored data is reported`(kind: StandardInput.Kind) throws {
        let full = StandardInput.fixed(kind, delivery: .bytes, content: "x")
        for words in [["post", ":/", "a=b"], [":/", "a=b"], [":/", "--raw", "x"], ["put", ":/", "-F", "a=b"]] {
            let warnings = try PlannedRequest(Invocation(parsing: words), standardInput: full).warnings
            #expect(warnings.count == 1 && warnings[0].contains("--ignore-stdin"), "\(words)")
        }
        for words in [
            ["get", ":/", "a=b"], ["post", ":/", "a=b", "-I"], ["post", ":/"], [":/", "a=@-"], [":/", "@-"],
        ] {
            #expect(try PlannedRequest(Invocation(parsing: words), standardInput: full).warnings.isEmpty, "\(words)")
        }
    }

    @Test(arguments: [StandardInput.Kind.terminal, .closed, .nullDevice, .stream, .regularFile(remaining: 0)])
    func `an empty or silent input is ignored without a message`(kind: StandardInput.Kind) throws {
        for delivery in [StandardInput.Delivery.end, .timeout] {
            let plan = try PlannedRequest("post", ":/", "a=b", standardInput: .fixed(kind, delivery: delivery))
            #expect(plan.warnings.isEmpty)
            #expect(plan.bodyText == #"{"a": "b"}"#)
        }
    }

    @Test func `input read by a header is not also the body`() throws {
        let plan = try plan("post", ":/", "X-A:@-", input: .fixed(.stream, delivery: .bytes, content: "v\n"))
        #expect(plan.headers["X-A"] == "v")
        #expect(plan.body == .none)
    }
}
