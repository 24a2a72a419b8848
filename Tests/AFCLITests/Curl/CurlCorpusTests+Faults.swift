import TestSupport

/// The responses that are malformed, or end early.
extension CurlCorpusTests {
    /// Returns the response to a path; `nil` for other paths.
    static func fault(_ path: String) -> LocalServer.Response? {
        let head = "HTTP/1.1 200 OK\r\n"
        return switch path {
        case "/close": .close
        case "/reset": .reset
        case "/101": .raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
        case "/headless": .raw("plain old body\n")
        case "/cut-chunk": .raw(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc")
        case "/bad-chunk": .raw(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n")
        case "/bad-length": .raw(head + "Content-Length: -5\r\n\r\nabc")
        case "/bad-field": .raw(head + "no colon here\r\n\r\nabc")
        case "/bad-version": .raw("HTTP/4.7 200 OK\r\nContent-Length: 1\r\n\r\na")
        case "/bad-gzip": .ok("not gzip").header("Content-Encoding", "gzip")
        case "/coding": .ok("ab").header("Content-Encoding", "aws-chunked")
        case "/chunked-twice":
            .raw(head + "Transfer-Encoding: chunked, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        case "/transfer-coding": .raw(head + "Transfer-Encoding: weird\r\n\r\nab")
        case "/gzip-transfer":
            .raw(
                Array((head + "Transfer-Encoding: gzip, chunked\r\n\r\n18\r\n").utf8)
                    + [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 73, 173, 40, 1, 0, 199, 167, 139, 59, 4, 0, 0, 0]
                    + Array("\r\n0\r\n\r\n".utf8))
        case "/upgraded":
            .raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw bytes")
        case "/more": .raw(head + "Content-Length: 4\r\n\r\nnopemore")
        case "/short": .raw(head + "Content-Length: 99\r\n\r\nabc")
        case "/wrong-part":
            .raw("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-2/9\r\nContent-Length: 3\r\n\r\nabc")
        case "/bad-location": .redirect(to: "http://[::1/x")
        case "/fields": .ok("m").header("X-Multi", "one").header("X-Multi", "two").header("ETag", "\"t\"")
        default: nil
        }
    }
}
