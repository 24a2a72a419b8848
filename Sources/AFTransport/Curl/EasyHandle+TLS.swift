internal import CCurl

extension EasyHandle {
    func setTLS(_ tls: TLSOptions) throws(TransferFailure) {
        if Safety.requires("13-chain", !tls.verifiesChain) { try set(CURLOPT_SSL_VERIFYPEER, 0) }
        if Safety.requires("13-host", !tls.verifiesHost) { try set(CURLOPT_SSL_VERIFYHOST, 0) }
        if tls.verifiesChain {
            try setAuthorities(
                tls.authorities,
                file: CURLOPT_CAINFO,
                directory: CURLOPT_CAPATH,
                bundle: CURLOPT_CAINFO_BLOB
            )
        }
        if let certificate = tls.clientCertificate {
            try set(CURLOPT_SSLCERT, certificate.certificatePath)
            if let key = certificate.keyPath { try set(CURLOPT_SSLKEY, key) }
            // Without a password OpenSSL itself would prompt on the terminal and block this thread.
            try set(CURLOPT_KEYPASSWD, certificate.keyPassword ?? "")
        }
        if let path = tls.revocationList { try set(CURLOPT_CRLFILE, path) }
        if tls.verifiesStatus { try set(CURLOPT_SSL_VERIFYSTATUS, 1, feature: "OCSP") }
        try setVersions(tls)
        if let suites = tls.suites { try set(CURLOPT_TLS13_CIPHERS, suites) }
        if let ciphers = tls.ciphers {
            let isForTLS13 = ciphers.hasPrefix("TLS_")
            try set(isForTLS13 ? CURLOPT_TLS13_CIPHERS : CURLOPT_SSL_CIPHER_LIST, ciphers)
        }
        if tls.describesCertificates { try set(CURLOPT_CERTINFO, 1) }
        if let groups = tls.groups { try set(CURLOPT_SSL_EC_CURVES, groups) }
        if let pin = tls.pinnedPublicKey { try set(CURLOPT_PINNEDPUBLICKEY, pin) }
        // A resumed TLS session has no certificate chain.
        if !tls.resumesSessions || tls.evaluation != nil || tls.readsCertificates {
            try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        }
    }

    /// Sets the trusted authorities, for the server or the proxy.
    func setAuthorities(
        _ authorities: TLSOptions.Authorities,
        file: CURLoption,
        directory: CURLoption,
        bundle: CURLoption
    ) throws(TransferFailure) {
        let store: TrustStore
        switch authorities {
        case .system: store = .system
        case .file(let path): store = TrustStore(file: path)
        case .directory(let path): store = TrustStore(directory: path)
        case .bundle(let bytes):
            store = TrustStore()
            let code = bytes.withUnsafeBytes { af_easy_set_blob(easy, bundle, $0.baseAddress, $0.count) }
            try check(code, feature: "certificates in memory")
        }
        // Both are set, as libcurl's defaults would be trusted additionally.
        try set(file, store.file)
        try set(directory, store.directory)
    }

    private func setVersions(_ tls: TLSOptions) throws(TransferFailure) {
        let least: Int =
            switch tls.minimumVersion ?? min(.tls1_2, tls.maximumVersion ?? .tls1_2) {
            case .tls1_0: CURL_SSLVERSION_TLSv1_0
            case .tls1_1: CURL_SSLVERSION_TLSv1_1
            case .tls1_2: CURL_SSLVERSION_TLSv1_2
            case .tls1_3: CURL_SSLVERSION_TLSv1_3
            }
        // The upper bounds are the lower ones shifted by 16 bits.
        let most: Int =
            switch tls.maximumVersion {
            case .tls1_0: CURL_SSLVERSION_TLSv1_0 << 16
            case .tls1_1: CURL_SSLVERSION_TLSv1_1 << 16
            case .tls1_2: CURL_SSLVERSION_TLSv1_2 << 16
            case .tls1_3: CURL_SSLVERSION_TLSv1_3 << 16
            case nil: 0
            }
        try set(CURLOPT_SSLVERSION, least | most)
    }
}
