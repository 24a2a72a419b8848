import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct HARTests {
    private func archive(_ words: [String]) async throws -> ReadJSON {
        let folder = try ScratchFolder()
        _ = await runTool(words + ["--har", folder.file("a.har")])
        return try ReadJSON(try folder.text(of: "a.har"))
    }

    @Test func `an archive has what HAR 1_2 requires, of the types that it requires`() async throws {
        try await withServer {
            switch $0.path {
            case "/a":
                .redirect(to: "/b").header("Set-Cookie", "a=b; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure")
            case "/b": .status(503)
            default: .json("{}")
            }
        } _: { server in
            for words in [
                ["-L", server.url("/a?q=two+words&x"), "Cookie:c=d; e=f"],
                [server.url("/c"), "-f", "name=Ada Lovelace", "password=x"], [server.url("/c"), "name=Ada"],
                [server.url("/c"), "-F", "a=b", "-F", "f=@/proc/self/status;type=text/plain"],
                ["--retry", "1", "--retry-delay", "1ms", server.url("/b")], [try RefusingPort().url()],
                ["ftp://wrong"],
            ] {
                let json = try await archive(words)
                for flaw in HARCheck(json).flaws { Issue.record("\(words): \(flaw)") }
            }
        }
    }

    @Test func `an authentication round is an entry, and interim headers are in the final entry`() async throws {
        let login = DigestLogin()
        try await withServer { request in
            guard login.accepts(request) else {
                return .status(401, "no").header("WWW-Authenticate", login.challenge())
            }
            return .raw(
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            )
        } _: { server in
            let json = try await archive(["-A", "digest", "-a", "ada:open sesame", server.url("/x?a=b")])
            for flaw in HARCheck(json).flaws { Issue.record("\(flaw)") }
            #expect(json.count("log.entries") == 2)
            #expect(json["log.entries[0].response.status"] == "401")
            #expect(json.string("log.entries[0].request.method") == "GET")
            #expect(json.string("log.entries[0].request.queryString[0].value") == "b")
            #expect(json["log.entries[0].request.headersSize"] == "\(server.requests[0].head.count)")
            #expect(json["log.entries[1].response.status"] == "200")
            #expect(json.count("log.entries[1]._earlier") == 1)
            #expect(json["log.entries[1]._earlier[0].status"] == "103")
            #expect(json.string("log.entries[1]._earlier[0].headers[0].value") == "</a>")
        }
    }

    @Test func `cookies have the attributes that count`() async throws {
        try await withServer { _ in
            var response = LocalServer.Response.json("{}")
            for cookie in [
                "a = 1 ; path=/x; Path = /q ; SECURE ; Expires=Wed, 21-Oct-2099 07:28:00 GMT",
                "b=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            ] { response = response.header("Set-Cookie", cookie) }
            return response
        } _: { server in
            let json = try await archive([server.url(), "--show-secrets"])
            let cookie = "log.entries[0].response.cookies[0]"
            #expect(json.string("\(cookie).name") == "a" && json.string("\(cookie).value") == "1")
            #expect(json.string("\(cookie).path") == "/q" && json["\(cookie).secure"] == "true")
            #expect(json.string("\(cookie).expires")?.hasPrefix("2099-10-21T07:28:00") == true)
            #expect(json.string("log.entries[0].response.cookies[1].expires") == nil)
        }
    }

    @Test func `entries contain requests and responses`() async throws {
        try await withServer {
            $0.path == "/a" ? .redirect(to: "/b") : .json("{}").header("Set-Cookie", "s=1; HttpOnly; Domain=x")
        } _: { server in
            let json = try await archive(["-L", server.url("/a?q=two+words"), "Cookie:c=d", "--show-secrets"])
            #expect(json.count("log.entries") == 2)
            #expect(json.string("log.entries[0].request.queryString[0].value") == "two words")
            #expect(json.string("log.entries[0].request.cookies[0].value") == "d")
            #expect(json.string("log.entries[0].response.redirectURL") == "/b")
            #expect(json["log.entries[1].response.content.size"] == "2")
            #expect(json.string("log.entries[1].response.content.mimeType") == "application/json")
            #expect(json["log.entries[1].response.cookies[0].httpOnly"] == "true")
            #expect(json["log.entries[1].response.cookies[0].secure"] == "false")
            #expect(json.string("log.entries[1].response.cookies[0].domain") == "x")
            #expect(json.string("log.entries[0].serverIPAddress") == "127.0.0.1")
        }
    }

    @Test func `the body of the response is included up to a limit, without its secrets`() async throws {
        let content = "log.entries[0].response.content"
        try await withServer {
            switch $0.path {
            case "/json": .json(#"{"token":"s3cret","name":"Ada"}"#)
            case "/binary": .bytes([0, 1, 2, 255]).header("Content-Type", "application/octet-stream")
            default: .ok("0123456789")
            }
        } _: { server in
            let limited = ["--har-bodies", "1k"]
            let json = try await archive([server.url("/json")] + limited)
            for flaw in HARCheck(json).flaws { Issue.record("\(flaw)") }
            #expect(json.string("\(content).text") == #"{"token":"•••","name":"Ada"}"#)
            #expect(json["\(content).comment"] == nil)
            let start = try await archive([server.url("/text"), "--har-bodies", "4"])
            #expect(start.string("\(content).text") == "0123")
            #expect(start.string("\(content).comment") == "the first 4 bytes")
            let binary = try await archive([server.url("/binary")] + limited)
            #expect(binary["\(content).text"] == nil)
            #expect(binary.string("\(content).comment") == "4 bytes of binary data")
            let shown = try await archive([server.url("/binary"), "--show-secrets"] + limited)
            #expect(shown.string("\(content).text") == "AAEC/w==")
            #expect(shown.string("\(content).encoding") == "base64")
            let none = try await archive([server.url("/text")])
            #expect(none["\(content).text"] == nil)
        }
    }

    @Test func `only the final response has its body`() async throws {
        try await withServer {
            $0.path == "/a" ? .redirect(to: "/b") : .ok("final")
        } _: { server in
            let json = try await archive(["-L", server.url("/a"), "--har-bodies", "1k"])
            #expect(json["log.entries[0].response.content.text"] == nil)
            #expect(json.string("log.entries[1].response.content.text") == "final")
            let file = try ScratchFolder()
            let saved = try await archive([server.url("/b"), "-o", file.file("f"), "--har-bodies", "1k"])
            #expect(saved["log.entries[0].response.content.text"] == nil)
        }
    }

    @Test func `bodies need an archive, and have a limit`() async throws {
        for words in [
            ["--har-bodies", "1k"], ["--har-bodies", "65M", "--har", "-"], ["--har-bodies=x", "--har", "-"],
        ] {
            let run = await runTool(words + ["http://127.0.0.1:9/"])
            #expect(run.status == 64, "\(words)")
            #expect(run.errors.hasPrefix("afcli: error: --har-bodies: "), "\(run.errors)")
        }
    }

    @Test func `bodies in memory are included, without their secrets`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let form = try await archive([server.url(), "-f", "name=Ada Lovelace", "password=x"])
            #expect(form.string("log.entries[0].request.postData.params[0].value") == "Ada Lovelace")
            #expect(form.string("log.entries[0].request.postData.params[1].value") == "•••")
            let object = try await archive([server.url(), "name=Ada", "token=x", "deep[client_secret]=y"])
            #expect(
                object.string("log.entries[0].request.postData.text")
                    == #"{"name": "Ada", "token": "•••", "deep": {"client_secret": "•••"}}"#)
            let parts = try await archive([server.url(), "-F", "a=b", "-F", "secret=b", "-F", "f=@/dev/null"])
            #expect(parts.string("log.entries[0].request.postData.params[0].value") == "b")
            #expect(parts.string("log.entries[0].request.postData.params[1].value") == "•••")
            #expect(parts.string("log.entries[0].request.postData.params[2].fileName") == "null")
        }
    }
}

/// A reader of HAR 1.2 as strict as its text: everything that it requires, and the types of all that it knows.
private struct HARCheck {
    private let json: ReadJSON
    private(set) var flaws: [String] = []

    private enum Kind { case text, number, truth, array, object, moment }

    init(_ json: ReadJSON) {
        self.json = json
        check("log", ["version": .text, "creator": .object, "entries": .array], optional: ["comment": .text])
        check("log.creator", ["name": .text, "version": .text])
        if json.string("log.version") != "1.2" { flaws.append("log.version") }
        for index in 0..<json.count("log.entries") { checkEntry("log.entries[\(index)]") }
    }

    private mutating func checkEntry(_ entry: String) {
        check(
            entry,
            [
                "startedDateTime": .moment, "time": .number, "request": .object, "response": .object, "cache": .object,
                "timings": .object,
            ],
            optional: [
                "serverIPAddress": .text, "connection": .text, "comment": .text, "pageref": .text,
                "_earlier": .array,
            ]
        )
        let sized: [String: Kind] = ["headersSize": .number, "bodySize": .number, "cookies": .array, "headers": .array]
        check(
            "\(entry).request",
            sized.merging(["method": .text, "url": .text, "httpVersion": .text, "queryString": .array]) { $1 },
            optional: ["postData": .object, "comment": .text]
        )
        check(
            "\(entry).response",
            sized.merging([
                "status": .number, "statusText": .text, "httpVersion": .text, "content": .object, "redirectURL": .text,
            ]) { $1 },
            optional: ["comment": .text]
        )
        let content: [String: Kind] = ["compression": .number, "text": .text, "encoding": .text, "comment": .text]
        check("\(entry).response.content", ["size": .number, "mimeType": .text], optional: content)
        for side in ["request", "response"] {
            checkPairs("\(entry).\(side).headers", optional: ["comment": .text])
            checkPairs(
                "\(entry).\(side).cookies",
                optional: [
                    "path": .text, "domain": .text, "expires": .moment, "httpOnly": .truth, "secure": .truth,
                    "comment": .text,
                ]
            )
        }
        checkPairs("\(entry).request.queryString", optional: ["comment": .text])
        checkPostData("\(entry).request.postData")
        checkTimings(entry)
    }

    private mutating func checkPostData(_ path: String) {
        guard json[path] != nil else { return }
        check(path, ["mimeType": .text, "params": .array, "text": .text], optional: ["comment": .text])
        for index in 0..<json.count("\(path).params") {
            let optional: [String: Kind] = ["value": .text, "fileName": .text, "contentType": .text, "comment": .text]
            check("\(path).params[\(index)]", ["name": .text], optional: optional)
        }
    }

    private mutating func checkTimings(_ entry: String) {
        let path = "\(entry).timings"
        let optional: [String: Kind] = [
            "blocked": .number, "dns": .number, "connect": .number, "ssl": .number, "comment": .text,
        ]
        check(path, ["send": .number, "wait": .number, "receive": .number], optional: optional)
        for name in ["send", "wait", "receive"] where (json.number("\(path).\(name)") ?? -1) < 0 {
            flaws.append("\(path).\(name) is below zero")
        }
        // The time of an entry is the sum of its phases; `connect` includes TLS.
        let phases = ["blocked", "dns", "connect", "send", "wait", "receive"].compactMap {
            json.number("\(path).\($0)")
        }
        let sum = phases.filter { $0 > 0 }.reduce(0, +)
        if abs(sum - (json.number("\(entry).time") ?? -1)) > 0.01 { flaws.append("\(entry).time is not \(sum)") }
    }

    private mutating func checkPairs(_ path: String, optional: [String: Kind]) {
        for index in 0..<json.count(path) {
            check("\(path)[\(index)]", ["name": .text, "value": .text], optional: optional)
        }
    }

    private mutating func check(_ path: String, _ required: [String: Kind], optional: [String: Kind] = [:]) {
        let names = json.names(path)
        for name in required.keys where !names.contains(name) { flaws.append("\(path).\(name) is missing") }
        for name in names {
            guard let kind = required[name] ?? optional[name] else {
                // Names of one's own begin with an underscore.
                if !name.hasPrefix("_") { flaws.append("\(path).\(name) is unknown") }
                continue
            }
            if !fits("\(path).\(name)", kind) { flaws.append("\(path).\(name) is \(json["\(path).\(name)"] ?? "?")") }
        }
    }

    private func fits(_ path: String, _ kind: Kind) -> Bool {
        let first = json[path]?.first
        switch kind {
        case .text: return first == "\""
        case .number: return json.number(path) != nil
        case .truth: return json[path] == "true" || json[path] == "false"
        case .array: return first == "["
        case .object: return first == "{"
        case .moment:
            let text = Array((json.string(path) ?? "").utf8)
            return text.count >= 20 && text[4] == UInt8(ascii: "-") && text[10] == UInt8(ascii: "T")
                && text.last == UInt8(ascii: "Z")
        }
    }
}
