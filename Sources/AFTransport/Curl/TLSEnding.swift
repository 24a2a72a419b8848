internal import AFHTTP
internal import COpenSSL

/// The end of the server's side of a TLS connection, stored with the connection and read by its transfers.
///
/// libcurl does not distinguish a close by the server from a close by an attacker.
final class TLSEnding {
    /// Whether the server sent close_notify (RFC 8446 §6.1), which an attacker who cuts the connection cannot forge.
    private(set) var isInOrder = false

    static func of(_ tls: OpaquePointer) -> TLSEnding {
        if let known = SSL_get_ex_data(tls, place) {
            return Unmanaged<TLSEnding>.fromOpaque(known).takeUnretainedValue()
        }
        let ending = TLSEnding()
        let kept = Unmanaged.passRetained(ending)
        guard SSL_set_ex_data(tls, place, kept.toOpaque()) == 1 else {
            kept.release()
            return ending
        }
        SSL_set_info_callback(tls) { tls, event, alert in
            let isFarewell = event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT && alert & 0xFF == SSL_AD_CLOSE_NOTIFY
            guard isFarewell, let known = SSL_get_ex_data(tls, TLSEnding.place) else { return }
            Unmanaged<TLSEnding>.fromOpaque(known).takeUnretainedValue().isInOrder = true
        }
        return ending
    }

    /// The index of the OpenSSL data of a connection, released with the connection.
    private static let place = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil) { _, kept, _, _, _, _ in
        if let kept { Unmanaged<TLSEnding>.fromOpaque(kept).release() }
    }
}

extension HTTPURLResponse {
    /// Whether only the end of the connection marks the end of the body (RFC 9112 §6.3).
    func isEndedByClose(answering method: HTTPMethod) -> Bool {
        guard httpVersion.hasPrefix("HTTP/1"), method != .head, statusCode >= 200, ![204, 304].contains(statusCode)
        else {
            return false
        }
        if let coding = headers.value(for: "Transfer-Encoding") { return !coding.lowercased().hasSuffix("chunked") }
        return headers.value(for: "Content-Length") == nil
    }
}
