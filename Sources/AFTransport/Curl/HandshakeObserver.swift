internal import AFHTTP
internal import CCurl
internal import COpenSSL

/// Observes TLS handshakes: the server's certificates before they are verified, so that they are known if that fails, the
/// reason of that failure, and the server's alert.
///
/// Owned by OpenSSL's context of the connection, which outlives the transfer: a later verification, for a renegotiation,
/// finds no transfer.
final class HandshakeObserver {
    private weak var transfer: ActiveTransfer?

    private init(_ transfer: ActiveTransfer) { self.transfer = transfer }

    /// Observes the handshake of a new connection.
    ///
    /// - Parameter context: The `SSL_CTX` that libcurl created for the connection.
    static func install(in context: OpaquePointer, for transfer: ActiveTransfer) {
        let observer = Unmanaged.passRetained(HandshakeObserver(transfer))
        guard SSL_CTX_set_ex_data(context, dataIndex, observer.toOpaque()) == 1 else { return observer.release() }
        let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { verification, box in
            if let box { Unmanaged<HandshakeObserver>.fromOpaque(box).takeUnretainedValue().read(verification) }
            // A negative result is an internal error: treat it as a failure.
            let isValid = max(0, X509_verify_cert(verification))
            if let box {
                Unmanaged<HandshakeObserver>.fromOpaque(box).takeUnretainedValue().record(isValid, verification)
            }
            return isValid
        }
        SSL_CTX_set_cert_verify_callback(context, verify, observer.toOpaque())
        SSL_CTX_set_info_callback(context) { tls, event, alert in
            guard event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, alert >> 8 == SSL3_AL_FATAL,
                let box = SSL_get_SSL_CTX(tls).flatMap({ SSL_CTX_get_ex_data($0, HandshakeObserver.dataIndex) })
            else { return }
            let observer = Unmanaged<HandshakeObserver>.fromOpaque(box).takeUnretainedValue()
            observer.transfer?.connection.fatalAlert = alert & 0xFF
        }
    }

    private func record(_ isValid: Int32, _ verification: OpaquePointer?) {
        guard let transfer, let verification else { return }
        let tls = X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx())
        let isDecisive = tls.map { SSL_get_verify_mode(OpaquePointer($0)) & SSL_VERIFY_PEER != 0 } ?? false
        let reason = X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(verification)))
        transfer.connection.verificationError =
            isDecisive && isValid == 0 ? reason.map { String(cString: $0) } : nil
    }

    private func read(_ verification: OpaquePointer?) {
        guard let transfer, transfer.transfer.options.tls.readsCertificates, let verification else { return }
        // OpenSSL passes all certificates of the server as the untrusted ones, the leaf included.
        let chain = X509_STORE_CTX_get0_untrusted(verification)
        let certificates = (0..<max(0, OPENSSL_sk_num(chain))).compactMap { index in
            OPENSSL_sk_value(chain, index).flatMap { derBytes(of: OpaquePointer($0), by: i2d_X509) }
        }
        let tls = X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx())
        transfer.takeCertificates(certificates, of: tls.map(OpaquePointer.init))
    }

    /// The index of the context's data, released with the context.
    private static let dataIndex = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil) {
        _, observer, _, _, _, _ in
        if let observer { Unmanaged<HandshakeObserver>.fromOpaque(observer).release() }
    }
}
