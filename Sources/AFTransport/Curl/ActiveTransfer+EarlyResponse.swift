internal import AFHTTP
internal import CCurl
internal import COpenSSL
internal import Glibc

/// Responses that arrive while the request body is still being sent.
extension ActiveTransfer {
    /// The local port of the current connection.
    var localPort: Int { metrics.localPort ?? 0 }

    /// Processes what was left of the response in the socket when sending failed.
    ///
    /// - Returns: Whether the response is complete now.
    func takeUnread(_ bytes: [UInt8]) -> Bool {
        switch phase.receiveUnread(bytes.count) {
        case .report(let head):
            reportFinal(head)
            return takeUnread(bytes)
        case .ignore: return false
        case .parse: return takeUnreadResponse(bytes)
        case .take(let count): return bytes[..<count].withUnsafeBytes(takeBody) == count
        }
    }

    private func takeUnreadResponse(_ bytes: [UInt8]) -> Bool {
        guard let response = EarlyResponse(bytes) else { return false }
        for head in response.heads {
            guard head.withUnsafeBytes(takeHeadLines) == head.count else { return false }
        }
        decideFinal()
        guard let head = phase.finalHead, let body = response.body(of: head) else { return false }
        return body.isEmpty || body.withUnsafeBytes(takeBody) == body.count
    }

    /// Whether the server has sent a complete response and stopped reading the request body.
    var isLeftWithoutReader: Bool {
        phase.hasEarlyResponse && !isPaused && clock.isLeftWithoutReader(group.loop.now)
    }

    /// Keeps a TLS connection readable after a failed write, as long as unread bytes remain.
    ///
    /// The bytes are encrypted, so that ``EarlyResponse`` cannot read them: libcurl must, and does if the write only
    /// appears to block.
    ///
    /// - Parameter localPort: Identifies the connected socket among the ones that were tried.
    func guardEarlyResponse(_ tls: OpaquePointer, localPort: Int) {
        // A reused connection already has this callback.
        guard let socket = connection.openedSockets.last(where: { portOfSocket($0) == localPort }) else { return }
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

/// Returns the local port of a socket, also after a reset; 0 for a Unix socket, `nil` if there is none.
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

extension HTTPURLResponse {
    /// Whether the response has no body (RFC 9110 §6.4.1).
    func hasNoBody(after method: HTTPMethod) -> Bool {
        method == .head || statusCode == 204 || statusCode == 304
    }

    /// The length that the header announces; `nil` if the end of the connection marks the end of the body.
    var announcedLength: Int64? {
        bodyFields.hasTransferEncoding ? nil : bodyFields.length
    }
}
