internal import AFHTTP
internal import COpenSSL

extension ServerTrust {
    /// Verifies the server's certificate chain against a policy.
    ///
    /// In addition, the leaf must be a server certificate, and keys and digests must be as strong as Debian requires
    /// for any TLS connection (OpenSSL's security level 2).
    ///
    /// - Throws: ``TrustFailure`` if the verification fails or is impossible.
    public func verify(_ policy: TrustPolicy) throws(TrustFailure) {
        let verification = try ChainVerification(of: self)
        switch policy.demand {
        case .chain: break
        case .host(let host): try verification.requireHost(host)
        case .revocation(let checks, let lists): return try verification.run(checks, lists)
        }
        try verification.run()
    }

    /// The leaf and its issuers up to the root, if that is known, each with a verified signature. The last one need not
    /// be trusted.
    ///
    /// Pins are compared with this path and not with ``certificates``: a server can add any foreign certificate to the
    /// latter.
    public var path: [Certificate] {
        guard let verification = try? ChainVerification(of: self) else { return [] }
        return verification.path()
    }
}

/// One run of OpenSSL's verification: its context and the objects that it refers to.
private final class ChainVerification {
    private let context: OpaquePointer
    private let parameters: OpaquePointer
    private let anchors: AnchorStore
    private let certificates: [X509Certificate]
    private let untrusted: OpenSSLStack
    private let stapledResponse: [UInt8]?
    private var lists: [X509RevocationList] = []
    private var listStack: OpenSSLStack?

    init(of trust: ServerTrust) throws(TrustFailure) {
        anchors = try AnchorStore.store(for: trust)
        certificates = trust.certificates.compactMap { X509Certificate($0.derBytes) }
        stapledResponse = trust.stapledResponse
        guard let leaf = certificates.first, certificates.count == trust.certificates.count else {
            throw .untrusted(X509_V_ERR_UNSPECIFIED)
        }
        untrusted = OpenSSLStack(certificates.dropFirst().map(\.x509))
        guard let context = X509_STORE_CTX_new() else { throw .untrusted(X509_V_ERR_OUT_OF_MEM) }
        self.context = context
        guard X509_STORE_CTX_init(context, anchors.store, leaf.x509, untrusted.stack) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else {
            X509_STORE_CTX_free(context)
            throw .untrusted(X509_V_ERR_UNSPECIFIED)
        }
        self.parameters = parameters
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        // As in libcurl: every certificate in the store is trusted, root or not.
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    deinit {
        X509_STORE_CTX_free(context)
        ERR_clear_error()
    }

    func requireHost(_ host: String) throws(TrustFailure) {
        var name = host.withoutBrackets
        // A trailing dot makes a name absolute; certificates have none.
        if name.hasSuffix(".") { name = name.dropLast() }
        guard !name.isEmpty, !name.utf8.contains(0) else { throw .unusablePolicy("'\(host)' is not a host") }
        let text = String(name)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, text) == 1 { return }
        let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(flags))
        guard X509_VERIFY_PARAM_set1_host(parameters, text, text.utf8.count) == 1 else {
            throw .unusablePolicy("'\(host)' is not a host")
        }
    }

    func run() throws(TrustFailure) {
        guard X509_verify_cert(context) != 1 else { return }
        let status = X509_STORE_CTX_get_error(context)
        throw .untrusted(status == X509_V_OK ? X509_V_ERR_UNSPECIFIED : status)
    }

    // The path

    func path() -> [Certificate] {
        // Ignores errors, so that the chain is built as far as possible.
        X509_STORE_CTX_set_verify_cb(context) { _, _ in 1 }
        _ = X509_verify_cert(context)
        let chain = chain
        var path = chain.prefix(1)
        // OpenSSL searches issuers by name; the signature is what counts.
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            guard let key = X509_get0_pubkey(issuer), X509_verify(certificate, key) == 1 else { break }
            path.append(issuer)
        }
        return path.compactMap { derBytes(of: $0, by: i2d_X509).map(Certificate.init(known:)) }
    }

    /// The chain as built, leaf first; owned by the context.
    private var chain: [OpaquePointer] {
        guard let stack = X509_STORE_CTX_get0_chain(context) else { return [] }
        return (0..<OPENSSL_sk_num(stack)).compactMap { OPENSSL_sk_value(stack, $0).map(OpaquePointer.init) }
    }

    // Revocation

    func run(_ checks: RevocationChecks, _ lists: [CertificateRevocationList]) throws(TrustFailure) {
        guard checks.contains(.ocsp) || (checks.contains(.crl) && !lists.isEmpty) else {
            throw .unusablePolicy("there is no source of revocation information")
        }
        var isLeafListed = false
        if checks.contains(.crl), !lists.isEmpty {
            isLeafListed = try runWithLists(lists)
        } else {
            try run()
        }
        if isLeafListed, checks.contains(.preferCRL) { return }
        let stapled = checks.contains(.ocsp) ? StapledResponse(stapledResponse)?.status(of: chain, anchors.store) : nil
        if stapled == .revoked { throw .untrusted(X509_V_ERR_CERT_REVOKED) }
        guard isLeafListed || stapled == .good || !checks.contains(.requirePositiveResponse) else {
            throw TrustFailure(
                kind: .untrusted,
                status: Int(X509_V_ERR_OCSP_VERIFY_NEEDED),
                result: "no source confirms that the certificate was not revoked"
            )
        }
    }

    /// State that the callback sets during verification.
    private struct Notes { var isLeafListed = true }

    /// Runs the verification with revocation lists.
    ///
    /// - Returns: Whether a currently valid list covers the leaf.
    private func runWithLists(_ lists: [CertificateRevocationList]) throws(TrustFailure) -> Bool {
        self.lists = lists.compactMap { X509RevocationList($0.derBytes) }
        let stack = OpenSSLStack(self.lists.map(\.crl))
        listStack = stack
        X509_STORE_CTX_set0_crls(context, stack.stack)
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL))
        // The flags are incompatible: OpenSSL would search a list for the last certificate itself (issue 5081).
        X509_VERIFY_PARAM_clear_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        X509_STORE_CTX_set_verify_cb(context) { isFine, context in
            guard isFine == 0 else { return 1 }
            let isSilence = [X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_CRL_NOT_YET_VALID]
                .contains(X509_STORE_CTX_get_error(context))
            if isSilence, X509_STORE_CTX_get_error_depth(context) == 0 {
                X509_STORE_CTX_get_ex_data(context, 0)?.assumingMemoryBound(to: Notes.self).pointee.isLeafListed = false
            }
            return isSilence ? 1 : 0
        }
        let notes = UnsafeMutablePointer<Notes>.allocate(capacity: 1)
        defer { notes.deallocate() }
        notes.initialize(to: Notes())
        X509_STORE_CTX_set_ex_data(context, 0, notes)
        try run()
        return notes.pointee.isLeafListed
    }
}
