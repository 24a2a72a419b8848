internal import AFHTTP
internal import CCurl
internal import COpenSSL

extension ActiveTransfer {
    /// Runs the transfer's trust evaluation, if there is one. Must be called after ``readTLS(_:)``.
    ///
    /// - Throws: The evaluation's error.
    func judgeServer() throws {
        guard let evaluation = transfer.options.tls.evaluation, transfer.url.scheme == .https else { return }
        guard let tls = af_easy_tls(easy), !metrics.certificates.isEmpty else {
            throw TransferFailure(.trustRefused, "the server's certificates are unknown")
        }
        // Evaluated once per connection: a connection stays in its group, whose evaluations all have the same name.
        if evaluation.scope == .connection, SSL_get_ex_data(tls, Self.evaluatedIndex) != nil { return }
        let trust = ServerTrust(
            host: transfer.url.host,
            certificates: metrics.certificates.map(Certificate.init(known:)),
            stapledResponse: stapledResponse(of: tls),
            authorities: transfer.options.tls.authorities
        )
        try evaluation.evaluate(trust)
        SSL_set_ex_data(tls, Self.evaluatedIndex, UnsafeMutableRawPointer(bitPattern: 1))
    }

    /// The index of the OpenSSL data that marks a connection as accepted.
    private static let evaluatedIndex = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    private func stapledResponse(of tls: OpaquePointer) -> [UInt8]? {
        var start: UnsafePointer<UInt8>?
        let count = af_tls_stapled_response(tls, &start)
        guard count > 0, let start else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }
}
