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
        guard !expectsAnotherRound else { return false }
        decideHead(as: .final)
        guard finalHead == nil else { return takeRest(bytes) }
        guard let answer = EarlyResponse(bytes) else { return false }
        for head in answer.heads {
            guard head.withUnsafeBytes(takeHeadLines) == head.count else { return false }
        }
        decideHead(as: .final)
        guard let finalHead, let body = answer.body(of: finalHead) else { return false }
        return body.isEmpty || body.withUnsafeBytes(takeBody) == body.count
    }

    /// Processes the rest of a body. After a complete response, a server may send another one, for the unread part of the
    /// request: that is ignored.
    private func takeRest(_ bytes: [UInt8]) -> Bool {
        // The bytes are those of the body only in HTTP/1 without TLS, and if libcurl holds back none.
        let isTLS = transfer.url.scheme == .https || transfer.options.proxy?.url.lowercased().hasPrefix("https") == true
        guard !isResponseComplete, !isPaused, stream == nil, !isTLS, let length = finalHead?.announcedLength
        else { return false }
        let missing = length - takenBytes
        guard missing <= bytes.count else { return false }
        let rest = bytes[..<Int(missing)]
        return rest.withUnsafeBytes(takeBody) == rest.count
    }

    /// Whether the response is complete although libcurl failed.
    ///
    /// After a successful response libcurl continues to send, and then fails because the server has reset the stream,
    /// which it may do after a complete response (RFC 9113 §8.1), or the connection.
    func hasCompleteResponse(despite code: CURLcode) -> Bool {
        // libcurl counts the bytes after the 101: an upgraded connection may end without any.
        if code == CURLE_GOT_NOTHING, upgrade != nil, finalHead?.statusCode == 101 { return true }
        guard body != nil, failure == nil, !isPaused, code.isLossOfConnection else { return false }
        decideHead(as: .final)
        return hasEarlyResponse
    }

    /// Whether the complete response was received, as far as its header indicates, possibly before the request body was
    /// sent.
    var hasEarlyResponse: Bool { body != nil && isResponseComplete }

    /// Whether the server has sent a complete response and stopped reading the request body.
    var isLeftWithoutReader: Bool { hasEarlyResponse && !isPaused && clock.isLeftWithoutReader(group.loop.now) }

    /// Whether the response cannot have more body than was received, as its head or END_STREAM indicates.
    var isResponseComplete: Bool {
        guard let finalHead else { return false }
        return finalHead.hasNoBody(after: transfer.method) || finalHead.announcedLength == takenBytes
            || stream?.hasEnded == true && stream?.bodyBytes == takenBytes
    }

    /// Keeps a TLS connection readable after a failed write, as long as unread bytes remain.
    ///
    /// The bytes are encrypted, so that ``EarlyResponse`` cannot read them: libcurl must, and does if the write only
    /// appears to block.
    ///
    /// - Parameter localPort: Identifies the connected socket among the ones that were tried.
    func guardEarlyResponse(_ tls: OpaquePointer, localPort: Int) {
        // A reused connection already has this callback.
        guard let socket = openedSockets.last(where: { portOfSocket($0) == localPort }) else { return }
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

extension CURLcode {
    fileprivate var isLossOfConnection: Bool {
        switch self {
        case CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: true
        // The request that libcurl may not repeat after the response.
        case CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK: true
        default: false
        }
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
