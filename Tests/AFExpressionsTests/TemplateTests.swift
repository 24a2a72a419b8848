import Testing

@testable import AFExpressions
@testable import AFHurl

@Suite struct TemplateTests {
    private func request(_ text: String) throws -> HurlRequest { try HurlFile(parsing: text).entries[0].request }

    private func failure(_ body: () throws(HurlEvaluationError) -> Void) -> HurlEvaluationError.Kind? {
        do throws(HurlEvaluationError) {
            try body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(arguments: [
        ("{{name}}", "Ada \"L.\""), ("a{{count}}b", "a3b"), ("{{rate}}", "2.0"), ("{{flag}}{{nothing}}", "truenull"),
        ("{{day}}", "1970-01-01T00:00:00.000000Z"), ("{{newDate}}", "2026-06-15T12:00:00.123456Z"),
        ("{{newUuid}}", "8f2a3c5e-0000-4000-8000-000000000001"), ("plain", "plain"),
    ])
    func `a template is filled`(template: String, text: String) throws {
        #expect(try Evaluator.fixed.text(of: request("GET \(template)\n").url) == text)
    }

    @Test(
        arguments: [
            ("{{none}}", .undefinedVariable("none")), ("{{list}}", .unrenderable("list <[a,1]>")),
            ("{{data}}", .unrenderable("bytes <c3a9>")),
        ] as [(String, HurlEvaluationError.Kind)])
    func `a value that is no text is an error`(template: String, kind: HurlEvaluationError.Kind) throws {
        let url = try request("GET \(template)\n").url
        #expect(failure { () throws(HurlEvaluationError) in _ = try Evaluator.fixed.text(of: url) } == kind)
    }

    @Test(arguments: [
        ("{\"a\": \"{{name}}\"}", "{\"a\": \"Ada \\\"L.\\\"\"}"),
        ("[{{count}}, {{rate}}, {{flag}}, {{nothing}}]", "[3, 2.0, true, null]"),
        ("{ \"{{count}}\" : 1 }", "{ \"3\" : 1 }"), ("`{{name}}\\t`", "Ada \"L.\"\t"),
        ("```\na {{count}} \\n\n```", "a 3 \\n\n"),
        ("```raw\n{{count}}\n```", "{{count}}\n"), ("<a>{{count}}</a>", "<a>{{count}}</a>"), ("hex,41;", "A"),
        ("base64,QQ;", "A"),
        ("file,data.bin;", "\u{1}\u{2}\u{3}"),
        ("```graphql\n query \"{{count}}\" \n\n```", "{\"query\":\"query \\\"3\\\"\"}"),
        (
            "```graphql\nquery\nvariables {\"n\": \"{{name}}\"}\n```",
            "{\"query\":\"query\",\"variables\":{\"n\":\"Ada \\\"L.\\\"\"}}"
        ),
    ])
    func `a body has the values`(body: String, text: String) throws {
        let body = try #require(try request("POST http://a\n\(body)\n").body)
        #expect(String(decoding: try Evaluator.fixed.bytes(of: body), as: UTF8.self) == text)
    }

    @Test func `a text in place of a JSON value is an error`() throws {
        let body = try #require(try request("POST http://a\n[{{name}}]\n").body)
        let kind = failure { () throws(HurlEvaluationError) in _ = try Evaluator.fixed.bytes(of: body) }
        #expect(kind == .invalidJSONValue("Ada \"L.\""))
    }

    @Test(
        arguments: [
            ("{}", "application/json"), ("<a/>", "application/xml"), ("```\n```", nil),
            ("```json\n```", "application/json"),
            ("```xml\n```", "application/xml"), ("```graphql\n```", "application/json"), ("```raw\n```", nil),
            ("`a`", nil), ("hex,;", nil),
        ] as [(String, String?)])
    func `a body has an implicit type`(body: String, type: String?) throws {
        #expect(try request("POST http://a\n\(body)\n").body?.implicitType == type)
    }

    @Test(
        arguments: [
            ("true", .boolean(true)), ("null", .null), ("12", .number(.integer(12))), ("-1.5", .number(.float(-1.5))),
            ("9223372036854775808", .number(.bigInteger("9223372036854775808"))), ("\"12\"", .string("12")),
            ("12e4567", .string("12e4567")), ("007", .string("007")), ("-0", .number(.integer(0))),
            ("1.", .string("1.")),
            ("", .string("")), ("1.2.3", .string("1.2.3")), ("-", .string("-")), (".5", .string(".5")),
            ("a b", .string("a b")), ("\"", .string("\"")),
        ] as [(String, HurlValue)])
    func `the type of a variable is inferred`(text: String, value: HurlValue) {
        let inferred = HurlValue(inferring: text)
        #expect(inferred == value)
        #expect(inferred.kind == value.kind)
    }

    @Test(
        arguments: [
            ("a: jsonpath \"$.id\"", "a", .number(.integer(12))),
            ("{{name}}: status", "Ada \"L.\"", .number(.integer(200))),
            ("t: header \"X-Id\" split \"-\" nth 0 redact", "t", .string("abc")),
        ] as [(String, String, HurlValue)])
    func `a capture has a name and a value`(line: String, name: String, value: HurlValue) throws {
        let result = try Evaluator.fixed.capture(capture(line), in: HurlResponse.Values(.json))
        #expect(result.name == name)
        #expect(result.value == value)
    }

    @Test(
        arguments: [
            ("a: jsonpath \"$.x\"", .noQueryResult), ("a: header \"X-Id\" regex \"z(y)\"", .noFilterResult),
            ("a: status redact", .secretType("200")), ("{{none}}: status", .undefinedVariable("none")),
        ] as [(String, HurlEvaluationError.Kind)])
    func `a capture without value is an error`(line: String, kind: HurlEvaluationError.Kind) throws {
        let capture = try capture(line)
        #expect(
            failure { () throws(HurlEvaluationError) in
                _ = try Evaluator.fixed.capture(capture, in: HurlResponse.Values(.json))
            } == kind)
    }

    private func capture(_ line: String) throws -> HurlCapture {
        let file = try HurlFile(parsing: "GET http://a\nHTTP 200\n[Captures]\n\(line)\n")
        return try #require(file.entries[0].response?.captures.first)
    }

    @Test func `secrets are listed once`() {
        var variables = HurlVariables()
        variables.setSecret("a", to: "x")
        variables.setSecret("b", to: "x")
        variables.setSecret("c", to: "")
        #expect(variables.secrets == ["x"])
        #expect(variables["b"] == .string("x"))
    }

    @Test(arguments: [
        ("a s3cret", "a ***"), ("a s3cre", "a ***"), ("a s3cr", "a ***"), ("a s3c", "a s3c"), ("s3cret!", "***!"),
        ("s3crets3cre", "******"),
        ("", ""),
    ])
    func `a secret at the end of a prefix may be cut`(text: String, shown: String) {
        var secrets = KnownSecrets()
        secrets.add("s3cret")
        #expect(secrets.redacted(prefix: text, mask: "***") == shown)
    }

    @Test(arguments: [
        ("abcdefgh", "***"), ("xabcdx", "x***x"), ("cdefghabcd", "******"), ("abcdef", "***ef"), ("abc", "abc"),
    ])
    func `secrets that overlap are one`(text: String, shown: String) {
        var secrets = KnownSecrets()
        for secret in ["abcd", "cdefgh", "bcd"] { secrets.add(secret) }
        #expect(secrets.redacted(text, mask: "***") == shown)
        #expect(secrets.areRepeated(in: text) == (text != shown))
    }

    @Test(arguments: [
        (#"Zm9v+YmFy\/cXV4==&x"#, "***"), (#"Zm9v\u002BYmFy/cXV4==\u0026x"#, "***"),
        (#"Zm9v\u002bYmFy\/cXV4\u003d\u003d\u0026x"#, "***"),
        (#"{"a": "p\u00e4ssw\u00F6rd\ud83d\ude00"}"#, #"{"a": "***"}"#),
        (#""{\"a\": \"Zm9v+YmFy\\/cXV4==&x\"}""#, #""{\"a\": \"***\"}""#), (#"\/ \u002b Zm9v\"#, #"\/ \u002b ***\"#),
    ])
    func `secrets are found in escapes of JSON`(text: String, shown: String) {
        var secrets = KnownSecrets()
        for secret in ["Zm9v+YmFy/cXV4==&x", "pässwörd😀", "Zm9v"] { secrets.add(secret) }
        #expect(secrets.redacted(text, mask: "***") == shown)
    }

    @Test(arguments: [
        #"say \u0061bcd\/ef\"#, #"say abcd\u002"#, #"say abcd\/\u00"#, #"say \"abcd\\u002f\\"#, "say abcd",
        "say abcd%2F%",
        "say abcd%2", #"say abcd\/%65%6"#, "say abcd&#4", "say abcd&#x2", "say abcd&so", "say abcd&#47",
    ])
    func `a secret may be cut inside an escape`(text: String) {
        var secrets = KnownSecrets()
        secrets.add("abcd/efgh")
        let shown = secrets.redacted(prefix: text, mask: "***")
        #expect(shown == #"say ***"# || shown == #"say \"***"#)
        #expect(secrets.redacted(prefix: #"C:\new\"#, mask: "***") == #"C:\new\"#)
    }

    @Test(arguments: [
        "Zq9%2Bsecret%2FValue%3Fx%3D1%20y", "Zq9%2bsecret%2fValue%3fx%3d1%20y", "Zq9%2Bsecret/Value%3Fx%3D1%20y",
        "Zq9%2Bsecret%2FValue%3Fx%3D1+y", "5a71392b7365637265742f56616c75653f783d312079",
        "5A71392B7365637265742F56616C75653F783D312079", "Zq9+secret/Value?x=1%20y", "%5aq9+secret%2FValue?x=1+y",
        "Zq9%252Bsecret%252fValue%253Fx%253D1%2520y", #"Zq9\u002bsecret\/Value?x=1%20y"#,
        #"Zq9\x2bsecret/Value?x=1 y"#, "Zq9&#43;secret/Value?x&equals;1 y", "Zq9&#x2B;secret&sol;Value?x=1&#32;y",
        #"Zq9\u0026#43;secret\u00252FValue?x=1 y"#,
    ])
    func `secrets are found percent-encoded and as hexadecimal numbers`(text: String) {
        var secrets = KnownSecrets()
        secrets.add("Zq9+secret/Value?x=1 y")
        #expect(secrets.redacted("a\(text)b", mask: "*") == "a*b")
    }

    @Test func `the lines of a secret are found as hexadecimal numbers`() {
        var secrets = KnownSecrets()
        secrets.add("first\n\nsecond")
        #expect(secrets.redacted("66697273740d0a7365636f6e64", mask: "*") == "*0d0a*")
        secrets.add("-----\na/bcd\nef+g=\n")
        #expect(secrets.redacted("a%2Fbcd%0D%0Aef%2bg%3d", mask: "*") == "*%0D%0A*")
    }

    @Test func `without a complete list of secrets no text is shown`() {
        var secrets = KnownSecrets()
        secrets.hideAll()
        #expect(secrets.redacted("abc", mask: "***") == "***")
        #expect(secrets.redacted(prefix: "abc", mask: "***") == "***")
        #expect(secrets.redacted("", mask: "***").isEmpty && secrets.areRepeated(in: "1"))
    }

    @Test(.timeLimit(.minutes(1))) func `of a secret with thousands of lines no text is shown`() {
        var secrets = KnownSecrets()
        let lines = (0..<20_000).map { "\"key\($0)\": 1," }
        secrets.add(lines.prefix(100).joined(separator: "\n"))
        #expect(secrets.redacted("a \(lines[99]) b", mask: "***") == "a *** b")
        secrets.add(lines.joined(separator: "\n"))
        #expect(secrets.redacted(lines.joined(separator: "\n"), mask: "***") == "***")
    }

    @Test(.timeLimit(.minutes(1))) func `thousands of secrets are found quickly`() {
        var secrets = KnownSecrets()
        for number in 10_000..<15_000 { secrets.add("s3cret-\(number)") }
        #expect(secrets.texts.count == 5000)
        #expect(secrets.redacted("a s3cret-14999 b", mask: "***") == "a *** b")
    }

    @Test(
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (1.5, "1.5"), (1e20, "100000000000000000000.0"),
            (1.25e21, "1250000000000000000000.0"),
            (1e-7, "0.0000001"), (-2.5e-10, "-0.00000000025"), (123456.789, "123456.789"), (.infinity, "inf"),
            (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
            (1.7976931348623157e308, "17976931348623157" + String(repeating: "0", count: 292) + ".0"),
        ] as [(Double, String)])
    func `a float has no exponent`(number: Double, text: String) {
        #expect(number.decimalText == text)
        #expect(Double(text) == number)
    }
}
