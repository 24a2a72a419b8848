import AFExpressions
import AFHTTP
import Testing

@testable import AFCommand

/// Responses of failures: their reasons are shown, and their secrets are not.
@Suite struct TextRedactionTests {
    private let redaction = Redaction(revealsSecrets: false)

    private func shown(_ text: String, _ type: String? = nil) -> String? {
        redaction.response(Array(text.utf8), type: type.flatMap { MediaType(parsing: $0) })
    }

    @Test(arguments: [
        #"{"error":{"code":"rate_limit_exceeded"}}"#, #"{"code":"E123","key":"name"}"#,
        #"{"code":"ERR_HTTP2_STREAM","detail":{"key":{"id":"0123456789abcdef"}}}"#,
        "<Error><Code>AccessDenied</Code><Message>Access Denied</Message><Key>a/b.txt</Key></Error>",
        "<h1>Error: the database is down</h1>", "invalid token: signature mismatch", "ERROR auth::login failed",
        "[2026-01-01 10:00] ERROR no connection", "Unexpected token 1 in JSON", "List<Session>",
        #"{"error":"unknown token:","n":1}"#, "WWW-Authenticate: Bearer realm=\"api\", error=\"invalid_token\"",
        "https://medium.example/@ada?page=2", "the password is wrong", "Basic HTTP authentication", "a < b && c > d",
        #"<meta name="viewport" content="width=device-width"><input name="q" value="x">"#, "",
    ])
    func `the reason of a failure is shown`(text: String) {
        #expect(shown(text) == text)
    }

    @Test(arguments: [
        ("ERROR session=3 failed: connection refused", "ERROR session=••• failed: connection refused"),
        (
            #"<script>var csrf_token="x";</script><h1>Error: the database is down"#,
            #"<script>var csrf_token="•••";</script><h1>Error: the database is down"#
        ),
        (#"{"key":"AKIA0123456789abcdef"}"#, #"{"key":"•••"}"#),
        (
            #"{"links":["https://x/?access_token=abc1234567&X-Amz-Signature=ffff1111&a=1"]}"#,
            #"{"links":["https://x/?access_token=•••&X-Amz-Signature=•••&a=1"]}"#
        ),
        (
            #"{"u":"https:\/\/u:pw@x\/?code=abc\u0026access_token=abc"}"#,
            #"{"u":"https:\/\/•••@x\/?code=•••\u0026access_token=•••"}"#
        ),
        (#"{"a":"Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln"}"#, #"{"a":"Bearer •••"}"#),
        (#"{"a":"Authorization: Basic dTpw","b":1}"#, #"{"a":"Authorization: •••","b":1}"#),
        (#"{"a":"token=\"x y\", b"}"#, #"{"a":"token=\"•••\", b"}"#),
        (
            #"<input type="password" name="password" value="hunter2xyz"> <b>Error</b>"#,
            #"<input type="password" name="password" value="•••"> <b>Error</b>"#
        ),
        (
            #"<input value='abcdef' name='csrfmiddlewaretoken'><meta name=csrf-token content=abc>"#,
            #"<input value='•••' name='csrfmiddlewaretoken'><meta name=csrf-token content=•••>"#
        ),
        ("stack at https://u:hunter2@host/p", "stack at https://•••@host/p"),
        (
            "<login><Password>x</Password><a:token k='b'>y</a:token></login>",
            "<login><Password>•••</Password><a:token k='b'>•••</a:token></login>"
        ),
        ("<Password>hunter", "<Password>•••"), ("<Code>0123456789abcdefgh</Code>", "<Code>•••</Code>"),
        ("user: ada\npassword: correct horse\nhost: h", "user: ada\npassword: •••\nhost: h"),
        ("Cookie: a=b; c=d\nHost: h", "Cookie: •••\nHost: h"), ("{'api_key': 'x', a: 1}", "{'api_key': '•••', a: 1}"),
        ("[pin] => 1234, x", "[pin] => •••, x"), ("passwords:\n  'x'\n", "passwords:\n  '•••'\n"),
        ("tokens = ['a', ['b']] done", "tokens = ['a', ['b']] done"),
        ("secrets = ['a', ['b']] done", "secrets = ••• done"), ("secret=[a", "secret=•••"),
        ("Server=h;Password=x;A=b", "Server=h;Password=•••;A=b"),
        ("https://x/p;token=x/q?a=1&amp;pin=2 b", "https://x/p;token=•••&amp;pin=••• b"),
        ("at /cb?code=abc&state=1", "at /cb?code=•••&state=1"),
        ("error.code=not_found", "error.code=not_found"), ("errors[0].code=not_found", "errors[0].code=not_found"),
        ("id eyJhbGciOiJIUzI1NiJ9.e30.c2ln.", "id •••"), ("invalid token: abc", "invalid token: •••"),
        ("data: {\"token\":\"x\",\"a\":1}\n\n", "data: {\"token\":\"•••\",\"a\":1}\n\n"),
    ])
    func `only the value of a secret is masked`(text: String, masked: String) {
        #expect(shown(text) == masked)
    }

    @Test func `a code of a query or a form is a secret`() {
        #expect(shown("code=abc&a=b", "application/x-www-form-urlencoded") == "code=•••&a=b")
        #expect(redaction.text(Array(#"{"code":"abc"}"#.utf8), type: nil) == #"{"code":"•••"}"#)
    }

    @Test(arguments: [
        "<token>", "<a b='", "token:[", "://", "code:\"", "key=", "<key>", "cookie:", "\"", "token='", "<a token=",
        "<token>\n", "a='<a' ", "<token></token>", "<code>\n",
        "<token token=\"x\">", "https://a?",
    ])
    func `the time is linear`(piece: String) {
        let text = String(repeating: piece, count: 20_000)
        let time = ContinuousClock().measure { _ = TextRedaction.masked(text) }
        #expect(time < .seconds(20))
    }

    @Test func `a byte that is not UTF-8 is replaced, and binary data is not text`() {
        let html = MediaType(parsing: "text/html")
        let text = Array("caf".utf8) + [0xE9] + Array(" is closed".utf8)
        #expect(redaction.response(text, type: html) == "caf\u{FFFD} is closed")
        #expect(redaction.response(text, type: nil) == "caf\u{FFFD} is closed")
        #expect(redaction.response(text, type: MediaType(parsing: "image/png")) == nil)
        #expect(redaction.response([0xFF, 0xD8, 0xFF, 0x41], type: nil) == nil)
        #expect(redaction.response(text + [0], type: html) == nil)
        // The start of a character that is cut.
        #expect(redaction.response(Array("é".utf8) + [0xE2, 0x82], type: html) == "é")
        #expect(redaction.response([0xE2, 0x82], type: html, isComplete: true) == "\u{FFFD}")
        let latin1 = Array("p".utf8) + [0xE4] + Array("ssword".utf8)
        var known = Redaction(revealsSecrets: false)
        known.known.add("pässword")
        #expect(known.response(latin1 + Array(" x".utf8), type: html) == "••• x")
    }
}
