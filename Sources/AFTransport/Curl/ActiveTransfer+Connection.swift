internal import AFHTTP
internal import CCurl
internal import CNGHTTP2
internal import COpenSSL
internal import Glibc

/// The connection of a transfer.
extension ActiveTransfer {
    /// The local port of the current connection.
    var localPort: Int { metrics.localPort ?? 0 }

    private func mayStartRequest() -> Bool {
        switch phase.startRequest() {
        case .start: true
        case .rewindBody: rewindBody()
        case .refuse: false
        }
    }

    /// Opens the socket of a new connection: the name is resolved.
    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        guard mayStartRequest() else { return -1 }
        // Without SOCK_CLOEXEC, child processes would inherit the socket and keep the connection open.
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let opened = socket(address.family, type, address.protocol)
        connection.socketError = opened < 0 ? errno : nil
        guard opened >= 0 else { return -1 }
        phase.openSocket()
        connection.openedSockets.append(opened)
        group.loop.recordConnection(opened, of: id)
        return opened
    }

    /// Called when the connection is established and before the request is sent: the last opportunity to reject the
    /// server.
    func connected(remote: (String, Int), local: (String, Int)) -> Bool {
        guard mayStartRequest() else { return false }
        clock.connected(group.loop.now)
        phase.connected()
        if transfer.options.proxy != nil { connection.sentToProxy = long(CURLINFO_REQUEST_SIZE) }
        group.loop.schedule(self)
        group.loop.nameWasFound(id)
        (metrics.remoteAddress, metrics.remotePort) = remote
        (metrics.localAddress, metrics.localPort) = local
        if transfer.url.scheme == .https, let tls = af_easy_tls(easy) {
            readTLS(tls)
            let opened = connection.openedSockets.last { portOfSocket($0) == local.1 }
            if let opened { EarlyResponse.keepReadable(tls, on: opened) }
            connection.tlsEnding = TLSEnding.of(tls)
        }
        do {
            try evaluateTrust()
        } catch {
            phase.fail(TransferFailure(.trustRefused, "the server was rejected: \(error)", underlyingError: error))
            return false
        }
        return setCookies()
    }

    /// Sets the `Cookie` field of the request that is about to be sent: the stored cookies and explicit ones share it
    /// (RFC 6265 §5.4). libcurl may send several requests for a transfer.
    private func setCookies() -> Bool {
        let cookies = group.loop.cookies(for: transfer).map { "\($0.name)=\($0.value)" }
        do throws(TransferFailure) {
            try EasyHandle(easy).setCookies(cookies + transfer.headers.values(for: "Cookie"))
            return true
        } catch {
            phase.fail(error)
            return false
        }
    }

    func receiveFrame(_ bodyBytes: Int, isLast: Bool) {
        phase.receiveFrame(bodyBytes, isLast: isLast)
        if phase.hasEarlyResponse { group.loop.schedule(self) }
    }

    /// Receives the code of a reset, or of a frame that concerns the stream.
    func receiveCode(_ code: UInt32) {
        if code == AF_SETTINGS { connection.hasHTTP2 = true } else { phase.receiveReset(code) }
    }
}

/// The TLS connection: its properties, and the evaluation of the server.
extension ActiveTransfer {
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

    /// Takes the certificates of a handshake, which are not verified yet.
    func takeCertificates(_ certificates: [[UInt8]], of tls: OpaquePointer?) {
        if phase.isProxyTLS, let proxy = transfer.options.proxy { return announce(certificates, of: proxy.url) }
        if let tls { readCipher(tls) }
        metrics.certificates = certificates
        announce(certificates, of: transfer.url.text)
    }

    /// Reports the certificates of a connection.
    func announce(_ certificates: [[UInt8]], of url: String) {
        guard transfer.options.tls.readsCertificates, let handler = transfer.options.eventHandler,
            handler.kinds.contains(.certificates)
        else { return }
        let bytes = Array(certificates.joined())
        handler.handle(TransferEvent(kind: .certificates, bytes: bytes, transferNumber: id.number, url: url))
    }

    /// Runs the transfer's trust evaluation, if there is one. Must be called after ``readTLS(_:)``.
    ///
    /// - Throws: The evaluation's error.
    func evaluateTrust() throws {
        guard let evaluation = transfer.options.tls.evaluation,
            Safety.refuses("13-evaluator", transfer.url.scheme == .https)
        else { return }
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

extension ProxyOptions {
    /// Whether a transfer uses an encrypted connection to the proxy.
    func usesTLS(for target: HTTPURL) -> Bool {
        url.prefix(6).lowercased() == "https:" && !isBypassed(for: target)
    }
}

/// The outcome.
extension ActiveTransfer {
    /// Returns the outcome of a transfer that libcurl ended with a code.
    func outcome(_ code: CURLcode) -> TransferOutcome {
        guard code == CURLE_OK else { return outcome(phase.cause(of: curlReport(code))) }
        decideFinal()
        let isCutOff = connection.tlsEnding.map { !$0.isInOrder } ?? false
        return outcome(phase.failureAtEnd(isCutOff: isCutOff, protocolError: group.protocolError))
    }

    func outcome(_ failure: TransferFailure?) -> TransferOutcome {
        decideFinal()
        if hasBegun { readMetrics() }
        // libcurl's total is the time of its last event.
        if failure != nil { metrics.responseEnd = max(metrics.responseEnd, clock.elapsed(group.loop.now)) }
        let head = phase.finalHead
        (metrics.statusCode, metrics.protocolName) = (head?.statusCode, head?.httpVersion)
        metrics.response = head
        if head == nil, phase.isConnectedToServer { metrics.incompleteHead = assembler.incompleteHead }
        if let head, body != nil, phase.sentExpect(accordingTo: head) {
            metrics.lacksContinue = !metrics.earlierHeads.contains { $0.response.statusCode == 100 }
        }
        return TransferOutcome(failure: failure, metrics: metrics)
    }

    private func curlReport(_ code: CURLcode) -> CurlReport {
        let tls = transfer.options.tls
        // libcurl 7.88 calls a certificate rejected in a connection through that of a proxy SSL_ERROR_SYSCALL.
        let verificationError = code == CURLE_SSL_CONNECT_ERROR ? connection.verificationError : nil
        let code = verificationError == nil ? code : CURLE_PEER_FAILED_VERIFICATION
        let isUnverified = code == CURLE_PEER_FAILED_VERIFICATION && tls.authorities == .system && tls.verifiesChain
        return CurlReport(
            code: code,
            explanation: verificationError ?? handle.explanation,
            socketError: connection.socketError,
            proxyError: long(CURLINFO_PROXY_ERROR),
            fatalAlert: connection.tlsEnding?.fatalAlert ?? connection.fatalAlert,
            protocolError: group.protocolError,
            hasHTTP2: connection.hasHTTP2 || phase.hasReachedServer && connection.openedSockets.isEmpty,
            hasSentHead: long(CURLINFO_REQUEST_SIZE) > connection.sentToProxy,
            hasOpenedSocket: !connection.openedSockets.isEmpty,
            tunnelStatus: long(CURLINFO_HTTP_CONNECTCODE),
            osErrorNumber: osErrorNumber,
            missingAuthorities: isUnverified ? TrustStore.system.absence : nil
        )
    }

    /// Returns the handle to its group at the end of the transfer.
    func close() {
        if hasBegun { curl_multi_remove_handle(group.multi, easy) }
        group.recycle(handle)
    }
}

/// The metrics.
extension ActiveTransfer {
    /// Records the metrics of a request that another one follows.
    func recordRound() {
        let earlier = history.firstRound
        readMetrics()
        history.firstRound = earlier ?? metrics
        history.firstRound?.requestHeadBytes = metrics.requestHeadBytes
        history.firstRound?.responseHeadBytes = metrics.responseHeadBytes
        history.firstRound?.connectionCount = metrics.connectionCount
    }

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
        metrics.connectionCount = long(CURLINFO_NUM_CONNECTS)
        metrics.isReusedConnection = phase.hasReachedServer && metrics.connectionCount == 0
        if transfer.url.scheme == .https { metrics.certificateVerification = long(CURLINFO_SSL_VERIFYRESULT) }
        if transfer.options.tls.describesCertificates { metrics.certificateDescriptions = certificateDescriptions }
        if let first = history.firstRound { addRound(first) }
        metrics.isProxyConnection = transfer.options.proxy != nil && long(CURLINFO_HTTP_CONNECTCODE) != 0
        if metrics.isProxyConnection, metrics.remoteAddress == nil { readEndpoints() }
        metrics.usesProxy = transfer.options.proxy.map { !$0.isBypassed(for: transfer.url) } ?? false
    }

    /// Reads the addresses of a connection to a proxy that refused CONNECT: the request was not started.
    private func readEndpoints() {
        (metrics.remoteAddress, metrics.remotePort) = (text(CURLINFO_PRIMARY_IP), long(CURLINFO_PRIMARY_PORT))
        (metrics.localAddress, metrics.localPort) = (text(CURLINFO_LOCAL_IP), long(CURLINFO_LOCAL_PORT))
    }

    private var certificateDescriptions: [[String]] {
        guard let info = af_easy_certificates(easy)?.pointee, let lists = info.certinfo else { return [] }
        return (0..<Int(info.num_of_certs)).map { index in
            var (lines, next) = ([String](), lists[index])
            while let item = next?.pointee {
                lines.append(String(cString: item.data))
                next = item.next
            }
            return lines
        }
    }

    /// The bytes of the request headers. libcurl 8.7 and later add those of any body, and not only of a small one.
    private var requestHeadBytes: Int64 {
        let size = Int64(long(CURLINFO_REQUEST_SIZE))
        guard !phase.isUpgrade, !transfer.hasSmallBody, !CurlFeatures.isOlder(than: 0x08_07_00) else { return size }
        return max(0, size - offset(CURLINFO_SIZE_UPLOAD_T))
    }

    private func readBodyMetrics() {
        metrics.requestBodyBytes = bodyBytes(of: offset(CURLINFO_SIZE_UPLOAD_T))
        guard let body, !phase.isUpgrade else { return }
        metrics.requestBodyLength = body.length
        metrics.isRequestBodyComplete = phase.withholdsBody || isSent(body)
    }

    /// Returns the bytes of the body among those that libcurl has sent: it counts the framing of chunks, too.
    func bodyBytes(of sent: Int64) -> Int64 {
        // libcurl has its own copy of a small body.
        min(sent, (transfer.hasSmallBody ? body?.length : body?.readBytes) ?? sent)
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
        metrics.connectionCount += first.connectionCount
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

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutableRawPointer?
        _ = af_easy_get_pointer(easy, info, &value)
        return value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = af_easy_get_offset(easy, info, &value)
        return Int64(value)
    }
}
