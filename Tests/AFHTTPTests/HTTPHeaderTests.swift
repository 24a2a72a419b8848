import AFHTTP
import Testing

struct HTTPHeaderTests {
    @Test(arguments: ["", "A B", "A:", "Ä", "A\r\n", "A\u{0}", "(x)", "a\"b"])
    func `a header field whose name is not a token is invalid`(name: String) {
        #expect(!HTTPHeader(name: name, value: "v").isValid)
    }

    @Test(arguments: ["a\r\nB: c", "a\n", "a\r", "a\u{0}", "\u{7F}", "\u{1B}[31m", "\u{8}"])
    func `a header field whose value has control characters is invalid`(value: String) {
        #expect(!HTTPHeader(name: "X", value: value).isValid)
    }

    @Test(arguments: ["", " ", "a\tb", "ä", "a, b; c=\"d\"", "🎉"])
    func `tabs, spaces and non-ASCII characters are valid in a value`(value: String) {
        #expect(HTTPHeader(name: "!#$%&'*+-.^_`|~09azAZ", value: value).isValid)
    }

    @Test func `basic credentials are base64 of UTF-8`() {
        // The example of RFC 7617 §2.1, whose password holds a pound sign.
        let header = HTTPHeader.authorization(username: "test", password: "123£")
        #expect(header == HTTPHeader(name: "Authorization", value: "Basic dGVzdDoxMjPCow=="))
    }

    @Test func `a bearer token is passed through`() {
        #expect(HTTPHeader.authorization(bearerToken: "a.b").description == "Authorization: Bearer a.b")
    }

    @Test func `the factory methods create the fields that they are named after`() {
        let headers: [HTTPHeader] = [
            .accept("v"), .acceptCharset("v"), .acceptLanguage("v"), .acceptEncoding("v"), .authorization("v"),
            .contentDisposition("v"), .contentEncoding("v"), .contentType("v"), .userAgent("v"),
            .websocketProtocol("v"),
        ]
        #expect(
            headers.map(\.name) == [
                "Accept", "Accept-Charset", "Accept-Language", "Accept-Encoding", "Authorization",
                "Content-Disposition", "Content-Encoding", "Content-Type", "User-Agent", "Sec-WebSocket-Protocol",
            ]
        )
        #expect(headers.allSatisfy { $0.value == "v" })
    }
}
