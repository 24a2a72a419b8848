import AFHTTP
import Testing

@testable import AFCommand
@testable import AFJSON

@Suite struct RedactionTests {
    private let redaction = Redaction(revealsSecrets: false)

    @Test(arguments: [
        ("Authorization", "Basic YTpi", "Basic •••"), ("authorization", "t0ken", "•••"),
        ("Proxy-Authorization", "Digest username=\"a\", response=\"b\"", "Digest •••"),
        ("Cookie", "a=1;b=2; c", "a=•••; b=•••; •••"),
        ("Set-Cookie", "a=1=2; Path=/; HttpOnly", "a=•••; Path=/; HttpOnly"), ("X-Api-Key", "k", "•••"),
        ("Location", "https://ada:pw@x.test/?code=1&a=2#access_token=3", "https://x.test/?code=•••&a=2"),
        ("Referer", "/?token=x", "/?token=•••"), ("Refresh", "0;url=/n?token=x", "0;url=/n?token=•••"),
        ("Link", "</a?token=x>; rel=next, </b?c=1>; rel=\"a\"", "</a?token=•••>; rel=next, </b?c=1>; rel=\"a\""),
        ("Accept", "*/*", "*/*"), ("Idempotency-Key", "7", "7"),
    ])
    func `header values without secrets are shown`(name: String, value: String, shown: String) {
        let header = HTTPHeader(name: name, value: value)
        #expect(redaction.value(of: header) == shown)
        #expect(name == "Location" || Redaction(revealsSecrets: true).value(of: header) == value)
    }

    @Test(arguments: [
        (
            #"{"a": 1, "token": "x", "b": {"api_key" : [1, {"c": 2}], "d": "token"}}"#,
            #"{"a": 1, "token": "•••", "b": {"api_key" : "•••", "d": "token"}}"#
        ),
        (#"["password", {"\u0070assword": 1e400}]"#, #"["password", {"\u0070assword": "•••"}]"#),
        (#"{"password":null}"#, #"{"password":"•••"}"#), ("3", "3"), (#"{"a": "b\"c"}"#, #"{"a": "b\"c"}"#),
        (#"{"password":"a"} {"password":"b"}"#, #"{"password":"•••"} {"password":"•••"}"#),
        (#"{"error":{"code":-32601}}"#, #"{"error":{"code":-32601}}"#),
        (#"{"code":"x","Code":7}"#, #"{"code":"•••","Code":7}"#),
        (#"{"code":["x"],"pin":7}"#, #"{"code":["x"],"pin":"•••"}"#),
        ("\u{1E}{\"otp\":1}\n\u{1E}[]\n", "\u{1E}{\"otp\":\"•••\"}\n\u{1E}[]\n"), ("", ""),
    ])
    func `members of JSON with secret names are masked, and nothing else is changed`(text: String, shown: String) {
        #expect(JSONRedaction.redacted(text, mask: Redaction.mask) == shown)
    }

    @Test(arguments: [
        (#"{"token": "secr"#, #"{"token": "•••""#), (#"{"token": [1, {"a""#, #"{"token": "•••""#),
        (#"{"token": "#, #"{"token": "•••""#), (#"{"token": tru}"#, #"{"token": "•••""#),
        (#"{"token": abc}"#, #"{"token": "•••""#), (#"{"token" "secr"#, #"{"token" "#), (#"{"tok"#, #"{"tok"#),
        (#"{"a": "b"}} {"token": "x"}"#, #"{"a": "b"}"#), (#"{"a": "b", "c": [1"#, #"{"a": "b", "c": [1"#),
        (#"{"token": 7} {"token": "y"#, #"{"token": "•••"} {"token": "•••""#),
    ])
    func `a cut or broken text is masked up to its first error`(text: String, shown: String) {
        #expect(JSONRedaction.redacted(prefix: text, mask: Redaction.mask) == shown)
    }

    @Test(arguments: ["\u{FEFF}", ")]}',\n", ")]}'\n", "\u{FEFF})]}'\n", "1\n", ""], [true, false])
    func `a mark, a guard or a text before JSON hides no secret`(start: String, isComplete: Bool) throws {
        if start == "1\n", !isComplete { return }
        let text =
            "\(start){\n \"passwords\": [\n  \"hunter2\"\n ],\n \"p\\u0061ssword\":\n \"hunter3\"\(isComplete ? "\n}" : "")"
        let shown = try #require(redaction.response(Array(text.utf8), type: nil))
        #expect(!shown.contains("hunter"), "\(shown)")
        #expect(shown.hasPrefix(start), "\(shown)")
        #expect(JSONRedaction.redacted(text, mask: "")?.contains("hunter") != true)
    }

    @Test func `secrets are the strings and the numbers in a value with a secret name`() {
        let text = #"{"id":1,"secret":{"pin":-12.5e3,"on":true,"a":["x",7,null]},"token":42,"code":9,"n":"y"}"#
        let secrets = JSONRedaction.secrets(in: text)
        #expect(secrets.strings == ["x"])
        #expect(secrets.numbers == ["-12.5e3", "7", "42"])
        let shown = JSONRedaction.redacted(#"{"a":[12,"12"],"b":12}"#, mask: "•") { $0 == "12" }
        #expect(shown == #"{"a":["•","12"],"b":"•"}"#)
    }

    @Test(arguments: [
        (#"{"password": "x",}"#, "application/json"), (#"{"\u0070assword": "x"}}"#, "application/vnd.api+json"),
        ("{password: 1}", "text/plain"), ("{'password': 'x'}", ""), (#"{"a": 1"#, ""), ("user: ada\npassword: x", ""),
        ("<login><Password>x</Password></login>", "text/xml"),
        ("<a:token kind='b'>x</a:token>", "application/soap+xml"),
        ("mutation { login(password : \"x\") }", "application/graphql"), ("password=x", ""),
        (#"say "{\"api_key\":\"x\"}""#, "text/plain"),
    ])
    func `text with inseparable secrets is masked completely`(text: String, type: String) {
        #expect(redaction.text(Array(text.utf8), type: MediaType(parsing: type)) == "•••")
        #expect(Redaction(revealsSecrets: true).text(Array(text.utf8), type: MediaType(parsing: type)) == text)
    }

    @Test(arguments: [
        ("hello", "application/json"), ("I forgot my password", "text/plain"), ("<a>password</a>", "text/xml"),
        ("a: b", "text/plain"), ("", "application/json"),
    ])
    func `text without secret names is unchanged`(text: String, type: String) {
        #expect(redaction.text(Array(text.utf8), type: MediaType(parsing: type)) == text)
    }

    @Test func `a part is masked by its name, else by its content`() {
        let json = MediaType(parsing: "application/json")
        #expect(redaction.field("pass", Array("x".utf8), type: nil) == "•••")
        #expect(redaction.field("pass", [0xFF], type: nil) == "•••")
        #expect(redaction.field("meta", Array(#"{"pass":1}"#.utf8), type: json) == #"{"pass":"•••"}"#)
        #expect(redaction.field("meta", [0xFF], type: nil) == nil)
    }

    @Test func `secrets in forms are masked, and binary bodies are not text`() {
        #expect(
            redaction.text(Array("password=x&a=b".utf8), type: MediaType(parsing: BodyPlanner.form))
                == "password=•••&a=b")
        #expect(redaction.text([0xFF], type: nil) == nil)
        #expect(redaction.text([0], type: nil) == nil)
    }

    @Test(arguments: [
        (#"{"password":"s3cret","a":1}"#, #"{"password":"•••","a":1}"#),
        ("\u{FEFF} [{\"token\":\"s3cret\"}]", "\u{FEFF} [{\"token\":\"•••\"}]"),
        (#"{"password":"s3cret",}"#, "•••"), ("[a]=1&password=s3cret", "•••"),
    ])
    func `JSON that is sent as a form is masked like JSON`(text: String, shown: String) throws {
        let form = MediaType(parsing: BodyPlanner.form)
        #expect(redaction.text(Array(text.utf8), type: form) == shown)
        #expect(!(try #require(redaction.response(Array(text.utf8), type: form))).contains("s3cret"))
        #expect(!(try #require(redaction.response(Array(text.utf8.dropLast(2)), type: form))).contains("s3cre"))
    }
}
