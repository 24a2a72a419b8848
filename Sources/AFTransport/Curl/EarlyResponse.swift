internal import AFHTTP

/// The response that libcurl left in a socket when it failed to send.
///
/// A server that rejects a body responds and resets the connection, possibly just before libcurl sends more; libcurl
/// then fails without reading. This type finds the headers in the unread bytes and nothing else: it does not decode
/// chunked bodies, and cannot read TLS records.
struct EarlyResponse {
    /// The interim headers and, last, the final one, each with its empty line.
    private(set) var heads: [ArraySlice<UInt8>] = []
    /// The bytes after the final header.
    private(set) var rest: ArraySlice<UInt8>

    /// Returns `nil` unless the bytes contain a final header.
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

    /// Returns the body, if its end is certain.
    func body(of response: HTTPURLResponse) -> ArraySlice<UInt8>? {
        let headers = response.headers
        guard headers.value(for: "Transfer-Encoding") == nil,
            let length = headers.value(for: "Content-Length").flatMap({ $0.utf8.decimalValue }), length <= rest.count
        else { return nil }
        return rest.prefix(Int(length))
    }
}
