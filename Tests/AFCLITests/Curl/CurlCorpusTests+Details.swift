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
        case "/location/no-query": .redirect(to: "?")
        case "/location/empty-query": .redirect(to: "/get?#part")
        case "/location/mail": .redirect(to: "mailto:a@example.org")
        case "/redirect/304": .redirect(to: "/get", status: 304)
        case "/redirect/1.0": .raw("HTTP/1.0 302 Found\r\nLocation: /get\r\nContent-Length: 0\r\n\r\n")
        case "/digest/1.0" where request["Authorization"] == nil:
            .raw("HTTP/1.0 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 0\r\n\r\n")
        case "http://example.test/login" where request["Proxy-Authorization"] == nil:
            .status(407).header("Proxy-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        case "http://example.test/both" where request["Proxy-Authorization"] == nil,
            "http://example.test/redirect" where request["Proxy-Authorization"] == nil:
            .status(407).header("Proxy-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        case "http://example.test/redirect": .redirect(to: "/login")
        case "http://example.test/both" where request["Authorization"] == nil:
            .status(401).header("WWW-Authenticate", "Digest realm=\"s\", nonce=\"m\", qop=\"auth\"")
        case "/early-end": .raw("HTTP/1.1 200 OK\r\nX-A: b\r\n")
        case "/deep/cookie", "/deep/er/cookie": .ok("deep").header("Set-Cookie", "deep=1")
        case "/types": .ok("types").header("Content-Type", "text/plain").header("Content-Type", "text/html")
        case "/wrong-range": .status(206, "abc").header("Content-Range", "bytes 7-9/100")
        default: nil
        }
    }
}
