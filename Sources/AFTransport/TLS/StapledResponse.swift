internal import COpenSSL

/// A stapled OCSP response (RFC 6960): the certificate status that the server sends in the handshake.
final class StapledResponse {
    enum Status { case good, revoked }

    private let basic: OpaquePointer

    /// Returns `nil` if there is no response, or it contains no certificate status.
    init?(_ bytes: [UInt8]?) {
        defer { ERR_clear_error() }
        guard let bytes,
            let response = parsed(bytes, by: { d2i_OCSP_RESPONSE(nil, $0, $1) }, free: OCSP_RESPONSE_free)
        else { return nil }
        defer { OCSP_RESPONSE_free(response) }
        guard OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = OCSP_response_get1_basic(response)
        else { return nil }
        self.basic = basic
    }

    deinit { OCSP_BASICRESP_free(basic) }

    /// Returns the status of the chain's first certificate; `nil` if the response does not cover it, is out of date, or
    /// is not signed by the authority.
    func status(of chain: [OpaquePointer], _ anchors: OpaquePointer) -> Status? {
        defer { ERR_clear_error() }
        let stack = OpenSSLStack(chain)
        guard chain.count > 1, OCSP_basic_verify(basic, stack.stack, anchors, 0) == 1 else { return nil }
        for digest in [EVP_sha1(), EVP_sha256()] {
            guard let name = OCSP_cert_to_id(digest, chain[0], chain[1]) else { continue }
            defer { OCSP_CERTID_free(name) }
            var (status, reason): (Int32, Int32) = (0, 0)
            var revoked, updated, due: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            // Allows five minutes of clock skew.
            guard OCSP_resp_find_status(basic, name, &status, &reason, &revoked, &updated, &due) == 1,
                OCSP_check_validity(updated, due, 300, -1) == 1
            else { continue }
            if status == V_OCSP_CERTSTATUS_GOOD { return .good }
            if status == V_OCSP_CERTSTATUS_REVOKED { return .revoked }
        }
        return nil
    }
}
