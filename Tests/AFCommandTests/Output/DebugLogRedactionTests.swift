import Testing

@testable import AFCommand

@Suite struct DebugLogRedactionTests {
    @Test(arguments: [
        ("h2h3 [authorization: Basic YWRh]", "h2h3 [authorization: •••]"),
        ("h2h3 [x-api-key: a: b]", "h2h3 [x-api-key: •••]"),
        ("h2h3 [:path: /x?token=abc&a=b]", "h2h3 [:path: /x?token=•••&a=b]"),
        ("h2h3 [accept: */*]", "h2h3 [accept: */*]"),
        ("[HTTP/2] [1] [cookie: a=b]", "[HTTP/2] [1] [cookie: •••]"),
        ("[HTTP/2] [1] OPENED stream for https://u:p@h/x?sig=a", "[HTTP/2] [1] OPENED stream for https://h/x?sig=•••"),
        (
            "Issue another request to this URL: 'http://ada:pw@h/x?access_token=abc&a=b'",
            "Issue another request to this URL: 'http://h/x?access_token=•••&a=b'"
        ),
        ("Connected to 127.0.0.1 (127.0.0.1) port 80 (#0)", "Connected to 127.0.0.1 (127.0.0.1) port 80 (#0)"),
        ("", ""), ("h2h3 []", "h2h3 []"), ("://", "://"),
    ])
    func `a line has no secrets in it`(line: String, shown: String) {
        #expect(DebugLogRedaction().apply(to: line) == shown)
    }

    @Test(arguments: [
        ("h2h3 [:path: /files/abc]", "h2h3 [:path: /•••]"), ("h2h3 [:path: /files]", "h2h3 [:path: /files]"),
        ("[HTTP/2] [1] OPENED stream for https://h/files/abc", "[HTTP/2] [1] OPENED stream for https://h/•••"),
        ("[HTTP/2] [1] [upload-concat: final;/a /b]", "[HTTP/2] [1] [upload-concat: final;•••]"),
        (
            "Issue another request to this URL: 'http://h/files/abc'",
            "Issue another request to this URL: 'http://h/•••'"
        ),
        ("Connected to h", "Connected to h"),
    ])
    func `a line has no upload resource in it`(line: String, shown: String) {
        let redaction = Redaction(revealsSecrets: false, uploadTarget: "/files")
        #expect(DebugLogRedaction(redaction: redaction).apply(to: line) == shown)
    }
}
