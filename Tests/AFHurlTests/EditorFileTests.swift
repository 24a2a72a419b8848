import Testing

@testable import AFHurl

/// Valid `.http` files.
@Suite struct EditorFileTests {
    private func requests(_ text: String) throws -> [HurlRequest] {
        try EditorFile(parsing: text).file.entries.map(\.request)
    }

    @Test(arguments: [
        ("GET http://h/a", "GET http://h/a"), ("get http://h/a HTTP/1.1", "GET http://h/a"),
        ("http://h/a", "GET http://h/a"), ("{{host}}/a", "GET {{host}}/a"),
        ("PROPFIND http://h/ HTTP/2", "PROPFIND http://h/"),
        ("GET http://h/a\n  ?b=1\n  # comment\n  &c=2", "GET http://h/a?b=1&c=2"),
        ("GET /a\nHost: h:8080", "GET http://h:8080/a"), ("GET /a\nHost: {{h}}:443", "GET https://{{h}}:443/a"),
        ("\u{FEFF}// x\r\nGET http://h/\r\nA: b\r\n", "GET http://h/"),
    ])
    func `a request line has a method and a URL`(text: String, expected: String) throws {
        let request = try #require(try requests(text).first)
        #expect("\(request.method) \(request.url.source)" == expected)
    }

    @Test func `lines of hashes separate requests, of which some have names`() throws {
        let text = """
            # @name one
            GET http://h/1

            ### two
            // comment
            GET http://h/2
            ### a title is not a name

            ###
            # @name = four
            POST http://h/4
            Accept: text/plain
            X: y

            body
            ###
            """
        let requests = try requests(text)
        #expect(requests.map { $0.editor?.name } == ["one", "two", "four"])
        #expect(requests.map(\.headers.count) == [0, 0, 2])
        #expect(
            requests[2].body?.content
                == .multiline(
                    HurlMultilineText(
                        language: nil,
                        text: HurlTemplate(
                            parts: [.text("body")], source: "body",
                            range: SourceRange(SourcePosition(line: 15, column: 1), SourcePosition(line: 15, column: 5))
                        ),
                        variables: nil)))
    }

    @Test func `variables precede those that contain them`() throws {
        let text = """
            @url = {{scheme}}://{{host}}
            @host = h
            GET {{url}}
            ###
            @scheme = http
            @host = g
            GET {{url}}
            """
        let definitions = try requests(text).map {
            ($0.editor?.definitions ?? []).map { "\($0.name)=\($0.value.source)" }
        }
        #expect(definitions[0] == ["scheme=http", "host=h", "url={{scheme}}://{{host}}"])
        #expect(definitions[1] == ["scheme=http", "host=g", "url={{scheme}}://{{host}}"])
    }

    @Test func `directives are options`() throws {
        let text = """
            # @no-redirect
            # @no-cookie-jar
            // @timeout 500 ms
            # @connection-timeout 2
            # @disabled
            GET http://h/

            >>! out/{{n}}.json
            """
        let request = try #require(try requests(text).first)
        #expect(request.editor?.usesCookies == false)
        #expect(request.editor?.keepsFile == false)
        let names = request.options.map(\.name)
        #expect(names == [.maxTime, .connectTimeout, .skip, .output])
        #expect(request.options[0].value == .duration(.value(HurlDuration(500, .milliseconds))))
        #expect(request.options[1].value == .duration(.value(HurlDuration(2, .seconds))))
        #expect(try requests("GET http://h/").first?.options.map(\.name) == [.location])
    }

    @Test func `parts without an effect are reported`() throws {
        let text = """
            import other.http
            # @prompt user Your name
            # @note
            # @loop for 3
            < {%
              request.variables.set("a", 1)
            %}
            GET http://h/

            ?? status == 200
            > {% client.test("a", () => {}) %}
            > check.js
            <> old.json
            """
        let file = try EditorFile(parsing: text)
        #expect(
            file.notes.map(\.kind) == [
                .statement("import"), .prompt("user"), .question, .directive("loop"), .script, .statement("??"),
                .script,
                .script,
            ])
        #expect(file.notes.map(\.line) == [1, 2, 3, 4, 5, 10, 11, 12])
        #expect(file.notes.map(\.isOmission) == [true, false, false, true, true, true, true, true])
        #expect(file.file.entries[0].request.body == nil)
    }

    @Test func `an assert directly below the request line is no part of the URL`() throws {
        let file = try EditorFile(parsing: "GET http://h/a\n?b=1\n?? status == 200\n&c=2\n")
        #expect(file.notes.map(\.kind) == [.statement("??")])
        #expect(file.file.entries[0].request.url.literal == "http://h/a?b=1")
    }

    @Test(arguments: [
        ("sleep 1", "sleep"), ("no-auto-encoding", "no-auto-encoding"), ("curl-compressed", "curl-compressed"),
        ("no-redirct", "no-redirct"), ("todo", "todo"), ("no-log", nil), ("title A request", nil), (" 5 pm", nil),
        ("ada: why?", nil), ("", nil),
    ])
    func `an unknown directive is reported`(text: String, name: String?) throws {
        let file = try EditorFile(parsing: "# @\(text)\nGET http://h/\n")
        #expect(file.notes.map(\.kind) == (name.map { [.directive($0)] } ?? []))
    }

    @Test(arguments: [
        ("A: b", "a\n\n# comment\n  // comment\n  b\n\n", "a\n\n  b"),
        ("Content-Type: application/x-www-form-urlencoded", "a=1\n&b=2\n  &c=3", "a=1&b=2&c=3"),
        ("Content-Type: multipart/form-data; boundary=x", "--x\n\na\n--x--", "--x\r\n\r\na\r\n--x--"),
        ("A: b", "> quoted\n<a>\n</a>", "> quoted\n<a>\n</a>"),
    ])
    func `a body is text without comments`(header: String, written: String, expected: String) throws {
        let request = try #require(try requests("POST http://h/\n\(header)\n\n\(written)\n").first)
        guard case .multiline(let text)? = request.body?.content else {
            Issue.record("\(String(describing: request.body))")
            return
        }
        #expect(text.text.literal == expected)
    }

    @Test func `a body has files`() throws {
        let request = try #require(try requests("POST http://h/\n\na\n< ./b.bin\n<@latin1 c.txt\nd\n").first)
        guard case .composed(let parts)? = request.body?.content else {
            Issue.record("\(String(describing: request.body))")
            return
        }
        let texts = parts.map { part in
            switch part {
            case .text(let text): text.literal ?? ""
            case .graphQL(_, let variables): "graphql \(variables?.source ?? "")"
            case .file(let path): "file \(path.source)"
            case .template(let path, let encoding): "template \(path.source) \(encoding ?? "")"
            }
        }
        #expect(texts == ["a\n", "file ./b.bin", "\n", "template c.txt latin1", "\nd"])
    }

    @Test func `credentials of AWS are options`() throws {
        let request = try #require(
            try requests("GET http://h/\nAuthorization: AWS {{id}} k service:s region:{{r}}x\nA: b").first)
        #expect(request.headers.map { $0.key.literal } == ["A"])
        #expect(request.options.map(\.name) == [.awsSigV4, .user, .location])
        guard case .text(let scope) = request.options[0].value, case .text(let user) = request.options[1].value else {
            Issue.record("\(request.options)")
            return
        }
        #expect(scope.parts.count == 6 && scope.parts.last == .text("s"))
        #expect(user.parts.dropFirst() == [.text(":"), .text("k")])
        #expect(try requests("GET http://h/\nAuthorization: AWS id").first?.headers.count == 1)
    }

    @Test func `digest credentials are options`() throws {
        let request = try #require(try requests("GET http://h/\nAuthorization: Digest ada {{pw}}").first)
        #expect(request.headers.isEmpty)
        #expect(request.options.map(\.name) == [.digest, .user, .location])
        guard case .text(let user) = request.options[1].value else { return }
        #expect(user.parts.first == .text("ada:"))
    }
}
