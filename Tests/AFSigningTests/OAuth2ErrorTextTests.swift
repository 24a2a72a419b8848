import AFHTTP
import FoundationEssentials
import Testing

@testable import AFSigning

@Suite struct OAuth2ErrorTextTests {
    private func text(_ body: String, _ type: String, status: Int = 400) -> String? {
        let response = HTTPURLResponse(url: nil, statusCode: status, headers: ["Content-Type": type])
        return OAuth2ErrorText(response, Data(body.utf8))?.text
    }

    @Test(arguments: [
        (#"{"message":"bad secret"}"#, "application/json"),
        (#"{"error":{"code":400,"message":"bad secret"}}"#, "a/json"),
        (#"{"type":"about:blank","title":"Unauthorized","detail":"bad secret"}"#, "application/problem+json"),
        (#"{"errors":[{"message":"bad secret"}]}"#, ""), (#"{"errorCode":"E1","errorSummary":"bad\n\tsecret"}"#, ""),
        (#"[{"msg":"bad secret"}]"#, ""), (#""bad secret""#, ""), ("\u{FEFF}{\"message\":\"bad secret\"}", ""),
        ("bad secret\r\n", "text/plain"), ("<html><head><TITLE a=b>bad\nsecret</title>", "text/html"),
        ("error=invalid_client&error_description=bad+secret", "application/x-www-form-urlencoded"),
    ])
    func `the reason of an error is found in its usual places`(body: String, type: String) {
        #expect(text(body, type) == "bad secret")
    }

    @Test(arguments: [
        "", " ", "{}", "[]", "{\"a\":1}", "1", "<html>no</html>", "\0", #"{"message":{"a":1}}"#, "<title", "\"\"",
    ])
    func `a body without a reason has none`(body: String) {
        #expect(text(body, "application/json") == nil)
    }

    @Test func `a long text is shortened, and that of a success is no error`() {
        #expect(text(String(repeating: "a ", count: 500), "")?.count == 203)
        #expect(text("hello", "text/plain", status: 200) == nil)
        #expect(text(String(repeating: "[", count: 400) + String(repeating: "]", count: 400), "") == nil)
    }
}
