internal import AFHTTP
internal import CCurl
internal import COpenSSL
internal import Glibc

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
        let length = response.expectedContentLength
        return 0...Int64(rest.count) ~= length ? rest.prefix(Int(length)) : nil
    }
}

extension EarlyResponse {
    /// Keeps a TLS connection readable after a failed write, as long as unread bytes remain.
    ///
    /// The bytes are encrypted, so that ``EarlyResponse`` cannot read them: libcurl must, and does if the write only
    /// appears to block.
    ///
    /// - Parameter socket: The socket of the connection, which must be new: a reused connection has this callback.
    static func keepReadable(_ tls: OpaquePointer, on socket: Int32) {
        af_tls_watch_writes(tls, socket) { output, operation, _, _, _, _, result, _ in
            guard operation == BIO_CB_WRITE | BIO_CB_RETURN, result <= 0, let output, af_bio_asks_again(output) == 0
            else { return Int(result) }
            var byte: UInt8 = 0
            let peeked = recv(af_bio_socket(output), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            // The limit ends the loop if the transfer is paused and nothing is read.
            guard peeked > 0, af_bio_times_asked(output) < 1000 else { return Int(result) }
            af_bio_ask_again(output)
            return -1
        }
    }
}

/// Returns the local port of a socket, also after a reset; 0 for a Unix socket, `nil` if the socket is closed.
func portOfSocket(_ socket: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard status == 0 else { return nil }
    return withUnsafeBytes(of: storage) { bytes in
        // The port has the same offset in both address families.
        Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
}
