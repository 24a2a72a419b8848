import TestSupport

/// The responses to commands about files.
extension CurlCorpusTests {
    /// A line, as a gzip file.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x2B, 0x49, 0xAD, 0x28, 0xE1, 2, 0, 0x27, 0xDA, 0xEC, 0x37, 5, 0, 0, 0,
    ]

    /// Returns the response to a request; `nil` for other paths.
    static func file(of request: RecordedRequest) -> LocalServer.Response? {
        let text = "attachment; filename=\"text.txt\""
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
        return switch request.path {
        case "/redirect/missing": .redirect(to: "/missing")
        case "/redirect/early": .redirect(to: "/early")
        case "/redirect/digest": .redirect(to: "/digest")
        case "/redirect/name": .redirect(to: "/other.txt")
        case "/error": .status(500, "broken")
        case "/empty": .ok("")
        case "/coded", "/coded.tar.gz": .bytes(gzip).header("Content-Encoding", "gzip")
        case "/204": .raw("HTTP/1.1 204 No Content\r\n\r\n")
        case "/early": .raw(request.method == "HEAD" ? early : early + "late")
        case "/trailers":
            .raw(
                """
                HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n\
                4\r\nbody\r\n0\r\nX-Sum: 1\r\nX-Two: 2\r\n\r\n
                """)
        case "/tag" where request["If-None-Match"] == tag:
            .raw("HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n\r\n")
        case "/tag": .ok("tagged").header("ETag", tag)
        case "/dated" where request["If-Modified-Since"] != nil: .raw("HTTP/1.1 304 Not Modified\r\n\r\n")
        case "/dated": .ok("dated").header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
        case "/disposition/", "/disposition/text": .ok("named").header("Content-Disposition", text)
        case "/disposition/missing": .status(404, "no").header("Content-Disposition", text)
        default: nil
        }
    }
}
