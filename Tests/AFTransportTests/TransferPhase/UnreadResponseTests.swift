import AFHTTP
import Testing

@testable import AFTransport

/// The response in the bytes that a failed transfer left unread.
struct UnreadResponseTests {
    private func parse(_ text: String) -> EarlyResponse? { EarlyResponse(Array(text.utf8)) }

    private func text(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `interim headers precede the final one`() throws {
        let interim = "HTTP/1.1 100 Continue\r\n\r\n", hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let final = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\n"
        let response = try #require(parse(interim + hints + final + "big"))
        #expect(response.heads.map { text($0) } == [interim, hints, final])
        #expect(text(response.rest) == "big")
    }

    @Test(arguments: [
        "", "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Content", "\u{16}\u{3}\u{3}\u{0}\u{7A}\r\n\r\n",
        "HTTP/2 413\r\n\r\n", "413 Content Too Large\r\n\r\n",
    ])
    func `bytes without a complete final header are no response`(_ bytes: String) {
        #expect(parse(bytes) == nil)
    }

    @Test(arguments: [("3", "big" as String?), ("2", "bi"), ("0", ""), ("4", nil), (nil, nil)])
    func `a body is known if all of its length was received`(_ length: String?, _ body: String?) throws {
        let response = try #require(parse("HTTP/1.0 403 Forbidden\r\n\r\nbig"))
        let fields = length.map { [HTTPHeader(name: "Content-Length", value: $0)] } ?? []
        #expect(text(response.body(of: .head(403, HTTPHeaders(fields)))) == body)
    }
}
