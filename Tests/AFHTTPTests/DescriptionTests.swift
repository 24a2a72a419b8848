import AFHTTP
import FoundationEssentials
import Testing

/// The printed form of values, which often ends up in logs.
struct DescriptionTests {
    static let url = "https://me:hidden@api.example/people?access_token=hidden&page=2#here"

    @Test func `a request shows its method and its URL, and no secret`() throws {
        var request = URLRequest(url: try #require(URL(string: Self.url)))
        request.method = .post
        request.headers["Authorization"] = "Bearer hidden"
        #expect("\(request)" == "POST https://api.example/people?access_token=•••&page=2")
        #expect(String(reflecting: request) == request.description)
        request.url = nil
        #expect("\(request)" == "POST nowhere")
    }

    @Test func `a response shows its status and its URL, and no secret`() {
        let response = HTTPURLResponse(
            url: URL(string: Self.url),
            statusCode: 404,
            reasonPhrase: "Not Found",
            headers: ["Set-Cookie": "hidden"],
            rawHead: Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8)
        )
        #expect("\(response)" == "404 Not Found from https://api.example/people?access_token=•••&page=2")
        #expect("\(HTTPURLResponse(url: nil, statusCode: 204))" == "204")
    }
}
