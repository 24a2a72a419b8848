internal import AFHTTP
internal import CCurl
internal import COpenSSL

extension ActiveTransfer {
    /// Reads libcurl's measurements. Must be called while the handle still has its connection's information.
    func readMetrics() {
        metrics.nameLookupEnd = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        if phase.isConnectedToServer {
            metrics.connectEnd = max(metrics.nameLookupEnd, seconds(CURLINFO_CONNECT_TIME_T))
            metrics.secureConnectEnd = max(metrics.connectEnd, seconds(CURLINFO_APPCONNECT_TIME_T))
            metrics.requestStart = max(metrics.secureConnectEnd, seconds(CURLINFO_PRETRANSFER_TIME_T))
            if case let first = responseStart, first > 0 { metrics.responseStart = max(metrics.requestStart, first) }
        }
        let latest = max(metrics.nameLookupEnd, metrics.requestStart, metrics.responseStart)
        metrics.responseEnd = max(latest, seconds(CURLINFO_TOTAL_TIME_T))
        metrics.requestHeadBytes = requestHeadBytes
        if body != nil { readBodyMetrics() }
        metrics.responseHeadBytes = Int64(long(CURLINFO_HEADER_SIZE))
        metrics.responseBodyBytes = receivedBytes
        if case .final(let response) = phase.response {
            // libcurl 8.14 does not count the bytes that ended the transfer.
            metrics.responseBodyBytes = max(receivedBytes, response.takenBytes + response.rejectedBytes)
            metrics.decodedBodyBytes = response.deliveredBytes
        }
        metrics.isReusedConnection = phase.hasReachedServer && long(CURLINFO_NUM_CONNECTS) == 0
        if transfer.url.scheme == .https { metrics.certificateVerification = long(CURLINFO_SSL_VERIFYRESULT) }
        if let first = history.firstRound { addRound(first) }
        metrics.isProxyConnection = transfer.options.proxy != nil && long(CURLINFO_HTTP_CONNECTCODE) != 0
    }

    /// The bytes of the request headers. libcurl 8.7 and later add those of any body, and not only of a small one.
    private var requestHeadBytes: Int64 {
        let size = Int64(long(CURLINFO_REQUEST_SIZE))
        guard !phase.isUpgrade, !transfer.hasSmallBody, !CurlFeatures.isOlder(than: 0x08_07_00) else { return size }
        return max(0, size - offset(CURLINFO_SIZE_UPLOAD_T))
    }

    private func readBodyMetrics() {
        metrics.requestBodyBytes = offset(CURLINFO_SIZE_UPLOAD_T)
        guard let body, !phase.isUpgrade else { return }
        metrics.requestBodyLength = body.length
        metrics.isRequestBodyComplete = phase.withholdsBody || isSent(body)
    }

    private func isSent(_ body: BodyReader) -> Bool {
        // libcurl frames chunks itself and counts them. It has its own copy of a small body.
        let isChunked = transfer.headers.value(for: "Transfer-Encoding") != nil && !transfer.hasSmallBody
        guard let length = body.length, !isChunked else { return body.hasReadEnd }
        return metrics.requestBodyBytes >= length
    }

    /// Adds the requests before the last one: the phases of the first, and the time until the last response.
    private func addRound(_ first: TransactionMetrics) {
        metrics.nameLookupEnd = first.nameLookupEnd
        metrics.connectEnd = first.connectEnd
        metrics.secureConnectEnd = first.secureConnectEnd
        metrics.requestStart = first.requestStart
        metrics.responseStart = max(first.responseStart, clock.secondsBefore(clock.headStartedAt))
        metrics.responseEnd = max(metrics.responseStart, clock.secondsBefore(group.loop.now))
        metrics.requestHeadBytes += first.requestHeadBytes
        metrics.responseHeadBytes += first.responseHeadBytes
        metrics.isReusedConnection = first.isReusedConnection
    }

    /// Reads the properties of the TLS connection, and the certificate chain if it is needed.
    func readTLS(_ tls: OpaquePointer) {
        readCipher(tls)
        guard transfer.options.tls.evaluation != nil || transfer.options.tls.readsCertificates else { return }
        let certificates: [[UInt8]] = (0..<af_tls_chain_count(tls)).compactMap { index in
            guard let certificate = af_tls_chain_certificate(tls, index) else { return nil }
            return derBytes(of: certificate, by: i2d_X509)
        }
        // Those of a new connection were reported in its handshake.
        if certificates != metrics.certificates { announce(certificates, of: transfer.url.text) }
        metrics.certificates = certificates
    }

    /// Reads the version and the cipher suite of the TLS connection.
    func readCipher(_ tls: OpaquePointer) {
        metrics.tlsVersion = SSL_get_version(tls).map { String(cString: $0) }
        guard let cipher = SSL_get_current_cipher(tls), let name = SSL_CIPHER_get_name(cipher) else { return }
        metrics.tlsCipher = String(cString: name)
    }

    /// The number of body bytes received so far, before decoding.
    var receivedBytes: Int64 { offset(CURLINFO_SIZE_DOWNLOAD_T) }

    /// The error number of the last failed system call; success does not reset it.
    var osErrorNumber: Int32 { Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO)) }

    /// The time of the first response byte, in seconds since libcurl's start; 0 if there was none.
    private var responseStart: Double {
        // If the request has a body, libcurl reports the first byte in either direction.
        guard body != nil else { return seconds(CURLINFO_STARTTRANSFER_TIME_T) }
        guard let begunAt = clock.begunAt, let headStartedAt = clock.headStartedAt else { return 0 }
        return Double(headStartedAt - begunAt) / 1_000_000_000
    }

    private func seconds(_ info: CURLINFO) -> Double { Double(offset(info)) / 1_000_000 }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        _ = af_easy_get_long(easy, info, &value)
        return value
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = af_easy_get_offset(easy, info, &value)
        return Int64(value)
    }
}
