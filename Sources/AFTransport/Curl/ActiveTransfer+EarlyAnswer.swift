internal import AFHTTP
internal import CCurl
internal import COpenSSL
internal import Glibc

/// Answers that came while the body was still being sent, to a server that wants no more of it.
extension ActiveTransfer {
    /// Takes the answer that was left in the socket when sending failed.
    ///
    /// - Returns: Whether it is whole.
    func take(_ answer: UnreadAnswer) -> Bool {
        for head in answer.heads {
            guard head.withUnsafeBytes(takeHeadLines) == head.count else { return false }
        }
        decideHead(as: .final)
        guard let finalHead, let body = answer.body(of: finalHead) else { return false }
        return body.isEmpty || body.withUnsafeBytes(takeBody) == body.count
    }

    /// Whether the answer is there, to its end, although libcurl failed.
    ///
    /// It goes on sending behind an answer that is no error, and then finds the stream reset, which the server may do that
    /// has answered in full (RFC 9113 §8.1), or the connection.
    func hasWholeAnswer(despite code: CURLcode) -> Bool {
        guard body != nil, failure == nil, !isPaused, code.isLossOfConnection else { return false }
        decideHead(as: .final)
        guard let finalHead else { return false }
        if isAnswerWhole { return true }
        if finalHead.announcedLength != nil { return false }
        // A stream whose end libcurl has met already, and found in order, leaves it without a word to say.
        return code == CURLE_HTTP2_STREAM && handle.explanation.isEmpty
    }

    /// Whether all of the answer has come, as far as its head tells, while the body may still be on its way.
    var isAnswerWhole: Bool { body != nil && isResponseComplete }

    /// Whether the response cannot have more body than was received, as far as its head indicates.
    var isResponseComplete: Bool {
        guard let finalHead else { return false }
        return finalHead.hasNoBody(after: transfer.method) || finalHead.announcedLength == takenBytes
    }

    /// Keeps a connection over TLS that can be written to no longer, for as long as something is left to read from it.
    ///
    /// What lies there is encrypted, so that ``UnreadAnswer`` finds nothing: libcurl has to read it itself, and does when
    /// sending is only put off.
    ///
    /// - Parameter localPort: Tells the connection that stands from those that were tried beside it.
    func guardUnreadAnswer(localPort: Int) {
        // A connection that served before has its guard.
        guard let tls = af_easy_tls(easy), let socket = openedSockets.last(where: { portOfSocket($0) == localPort })
        else { return }
        af_tls_watch_writes(tls, socket) { output, operation, _, _, _, _, result, _ in
            guard operation == BIO_CB_WRITE | BIO_CB_RETURN, result <= 0, let output, af_bio_asks_again(output) == 0
            else { return Int(result) }
            var byte: UInt8 = 0
            let peeked = recv(af_bio_socket(output), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            // Whoever never reads, because the receiver is paused, would come back here for ever.
            guard peeked > 0, af_bio_times_asked(output) < 1000 else { return Int(result) }
            af_bio_ask_again(output)
            return -1
        }
    }
}

private func portOfSocket(_ socket: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { place in
        place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard status == 0 else { return nil }
    return withUnsafeBytes(of: storage) { bytes in
        // The port stands at the same place for both families.
        Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
}

extension CURLcode {
    fileprivate var isLossOfConnection: Bool {
        [CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR].contains(self)
    }
}

extension HTTPURLResponse {
    /// RFC 9110 §6.4.1.
    fileprivate func hasNoBody(after method: HTTPMethod) -> Bool {
        method == .head || statusCode == 204 || statusCode == 304
    }

    /// `nil` where nothing but the end of the body tells.
    var announcedLength: Int64? {
        guard headers.value(for: "Transfer-Encoding") == nil else { return nil }
        return headers.value(for: "Content-Length").flatMap { Int64($0) }
    }
}
