internal import AFHTTP
internal import CCurl
internal import COpenSSL

/// The end of the server's side of a TLS connection, stored with the connection and read by its transfers.
///
/// libcurl does not distinguish a close by the server from a close by an attacker.
final class TLSEnding {
    /// Whether the server sent close_notify (RFC 8446 §6.1), which an attacker who cuts the connection cannot forge.
    private(set) var isInOrder = false
    /// The server's fatal alert (RFC 8446 §6.2).
    private(set) var fatalAlert: Int32?

    static func of(_ tls: OpaquePointer) -> TLSEnding {
        if let known = SSL_get_ex_data(tls, dataIndex) {
            return Unmanaged<TLSEnding>.fromOpaque(known).takeUnretainedValue()
        }
        let ending = TLSEnding()
        let retained = Unmanaged.passRetained(ending)
        guard SSL_set_ex_data(tls, dataIndex, retained.toOpaque()) == 1 else {
            retained.release()
            return ending
        }
        SSL_set_info_callback(tls) { tls, event, alert in
            guard event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, let known = SSL_get_ex_data(tls, TLSEnding.dataIndex)
            else { return }
            let ending = Unmanaged<TLSEnding>.fromOpaque(known).takeUnretainedValue()
            if alert & 0xFF == SSL_AD_CLOSE_NOTIFY { ending.isInOrder = true }
            if alert >> 8 == SSL3_AL_FATAL { ending.fatalAlert = alert & 0xFF }
        }
        return ending
    }

    /// The index of the OpenSSL data of a connection, released with the connection.
    private static let dataIndex = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil) {
        _, retained, _, _, _, _ in
        if let retained { Unmanaged<TLSEnding>.fromOpaque(retained).release() }
    }
}

extension TransferFailure {
    /// Creates the failure for a fatal alert about the client certificate; `nil` for other alerts.
    init?(alert: Int32, _ code: CURLcode) {
        let (reason, detail): (Reason, String)
        switch alert {
        case SSL_AD_CERTIFICATE_REQUIRED: (reason, detail) = (.certificateRequired, "certificate required")
        case SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
            SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA, SSL_AD_ACCESS_DENIED,
            // It ends a renegotiation of TLS 1.2 without a certificate; of a first handshake, it has many causes.
            SSL_AD_HANDSHAKE_FAILURE where code != CURLE_SSL_CONNECT_ERROR:
            (reason, detail) = (.certificateRejected, String(cString: SSL_alert_desc_string_long(alert)))
        default: return nil
        }
        self.init(.secureConnectionFailed, detail, reason: reason, curlCode: Int32(code.rawValue))
    }
}

extension HTTPURLResponse {
    /// Whether only the end of the connection marks the end of the body (RFC 9112 §6.3).
    func isEndedByClose(inResponseTo method: HTTPMethod) -> Bool {
        guard httpVersion.hasPrefix("HTTP/1"), method != .head, statusCode >= 200, ![204, 304].contains(statusCode)
        else {
            return false
        }
        if let coding = headers.value(for: "Transfer-Encoding") { return !coding.lowercased().hasSuffix("chunked") }
        return headers.value(for: "Content-Length") == nil
    }
}
