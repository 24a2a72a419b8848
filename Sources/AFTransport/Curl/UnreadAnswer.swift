internal import AFHTTP

/// The answer that libcurl left in a socket when it failed to send.
///
/// A server that will not read on answers and resets the connection, at worst just before libcurl sends more; libcurl
/// gives the connection up then without another look. This finds the heads in what lies there, and nothing else: to read
/// a body in chunks is libcurl's art, and under TLS there is nothing to find.
struct UnreadAnswer {
    /// Interim heads, and the final one last, each with its empty line.
    private(set) var heads: [ArraySlice<UInt8>] = []
    /// Whatever follows the final head.
    private(set) var rest: ArraySlice<UInt8>

    /// `nil` where no answer begins in these bytes, or none is final.
    init?(_ bytes: [UInt8]) {
        rest = bytes[...]
        repeat {
            guard rest.starts(with: "HTTP/1.".utf8), let end = rest.firstRange(of: "\r\n\r\n".utf8)?.upperBound else {
                return nil
            }
            heads.append(rest[..<end])
            rest = rest[end...]
        } while heads.last?.dropFirst("HTTP/1.1 ".utf8.count).first == UInt8(ascii: "1")
    }

    /// The body, where its end is beyond doubt.
    func body(of response: HTTPURLResponse) -> ArraySlice<UInt8>? {
        let headers = response.headers
        guard headers.value(for: "Transfer-Encoding") == nil,
            let length = headers.value(for: "Content-Length").flatMap({ Int($0) }), length <= rest.count
        else { return nil }
        return rest.prefix(length)
    }
}
