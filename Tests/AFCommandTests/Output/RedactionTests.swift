import AFHTTP
import Testing

@testable import AFCommand

@Suite struct RedactionTests {
    private let redaction = Redaction(revealsSecrets: false)

    @Test(arguments: [
        ("Authorization", "Basic YTpi", "Basic •••"), ("authorization", "t0ken", "•••"),
        ("Proxy-Authorization", "Digest username=\"a\", response=\"b\"", "Digest •••"),
        ("Cookie", "a=1;b=2; c", "a=•••; b=•••; •••"),
        ("Set-Cookie", "a=1=2; Path=/; HttpOnly", "a=•••; Path=/; HttpOnly"), ("X-Api-Key", "k", "•••"),
        ("Location", "https://ada:pw@x.test/?code=1&a=2#access_token=3", "https://x.test/?code=•••&a=2"),
        ("Referer", "/?token=x", "/?token=•••"), ("Accept", "*/*", "*/*"), ("Idempotency-Key", "7", "7"),
    ])
    func `values of headers are for others to read`(name: String, value: String, shown: String) {
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
    ])
    func `members of JSON with secret names are masked, and nothing else is changed`(text: String, shown: String) {
        #expect(JSONRedaction.redacted(text) == shown)
    }

    @Test func `text that is no JSON stays, and bytes are no text`() {
        #expect(JSONRedaction.redacted("{password: 1}") == nil)
        #expect(redaction.text(Array("password=x".utf8), type: nil) == "password=x")
        #expect(
            redaction.text(Array("password=x&a=b".utf8), type: MediaType(parsing: BodyPlanner.form))
                == "password=•••&a=b")
        #expect(redaction.text([0xFF], type: nil) == nil)
        #expect(redaction.text([0], type: nil) == nil)
    }
}
