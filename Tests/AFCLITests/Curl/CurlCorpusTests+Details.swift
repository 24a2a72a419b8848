import TestSupport

/// The responses to commands about details.
extension CurlCorpusTests {
    /// Returns the response to a request; `nil` for other paths.
    static func detail(of request: RecordedRequest) -> LocalServer.Response? {
        switch request.path {
        case "/location/query": .redirect(to: "/get?a=b c d")
        case "/location/letters": .redirect(to: "/gét?é=ü")
        case "/location/empty": .redirect(to: "")
        case "/location/fragment": .redirect(to: "/get#part")
        case "/deep/cookie", "/deep/er/cookie": .ok("deep").header("Set-Cookie", "deep=1")
        case "/types": .ok("types").header("Content-Type", "text/plain").header("Content-Type", "text/html")
        case "/wrong-range": .status(206, "abc").header("Content-Range", "bytes 7-9/100")
        default: nil
        }
    }
}
