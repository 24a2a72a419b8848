internal import AFHTTP
internal import CCurl
internal import Glibc

/// Applies a ``Transfer`` to a libcurl handle that has default options.
struct EasyHandle {
    let easy: UnsafeMutableRawPointer

    init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

    func configure(
        for transfer: Transfer,
        bodyLength: Int64?,
        lists: inout EasyLists
    ) throws(TransferFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        // Otherwise a canceled lookup blocks the loop until the name server responds or the resolver times out.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // A response without a status line fails in any case; this way its first bytes can be examined.
        try set(CURLOPT_HTTP09_ALLOWED, 1)
        try setURL(of: transfer)
        // The target is sent unchanged; libcurl's normalization would change the URL.
        try set(CURLOPT_PATH_AS_IS, 1)
        try setMethodAndBody(transfer, bodyLength)
        try setHeaders(transfer, bodyLength, &lists)
        try setVersion(transfer)
        try setTimeouts(transfer.options.timeouts)
        try setNetwork(transfer.options, for: transfer.url, &lists)
        try setMessages(transfer.options.messages)
        if let authentication = transfer.options.authentication { try setAuthentication(authentication) }
        // DNS over HTTPS uses the transfer's trust settings.
        if transfer.url.scheme == .https || transfer.options.network.dohURL != nil {
            try setTLS(transfer.options.tls)
        }
        let readSize = Self.readSize(for: transfer)
        if readSize != Self.defaultReadSize { try set(CURLOPT_BUFFERSIZE, readSize) }
    }

    /// Sets the URL, and the target if libcurl would change it: 8.14 omits the question mark of an empty query, and 7.88
    /// does in requests to HTTP proxies.
    func setURL(of transfer: Transfer) throws(TransferFailure) {
        let url = transfer.url
        try set(CURLOPT_URL, url.text)
        if let target = transfer.options.messages.requestTarget { return try set(CURLOPT_REQUEST_TARGET, target) }
        var target: String?
        if url.target.utf8.last == UInt8(ascii: "?") {
            // With CURLOPT_CONNECT_TO, libcurl decides between forwarding and a tunnel.
            let isUndecided = !transfer.options.network.connectTo.isEmpty
            target = !transfer.isForwardedByProxy ? url.target : isUndecided ? nil : url.text
        }
        try set(CURLOPT_REQUEST_TARGET, target)
    }

    /// libcurl's default, `CURL_MAX_WRITE_SIZE`.
    static let defaultReadSize = 16 * 1024

    /// The number of bytes to read from the network at once.
    static func readSize(for transfer: Transfer) -> Int {
        // libcurl 7.88 keeps at most 32 KiB of what it reads together with the 101 of an upgrade, and may wait for ever
        // with a small buffer.
        if transfer.upgradesToHTTP2 { return defaultReadSize }
        let size = min(max(1024, transfer.options.receiveBufferSize), af_max_read_size)
        guard let rate = transfer.options.network.maximumReceiveRate, rate > 0 else { return size }
        return max(1024, min(size, Int(clamping: rate / 8)))
    }

    // Request line, header, body

    private func setMethodAndBody(_ transfer: Transfer, _ length: Int64?) throws(TransferFailure) {
        let method = transfer.method
        if transfer.upgradeStream != nil {
            try set(CURLOPT_UPLOAD, 1)
            try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            try set(CURLOPT_INFILESIZE_LARGE, offset: -1)
            if transfer.options.proxy != nil { try set(CURLOPT_HTTPPROXYTUNNEL, 1) }
            return
        }
        guard let body = transfer.body else {
            if transfer.omitsBody, method != .head {
                try set(CURLOPT_NOBODY, 1)
                return try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            }
            switch method {
            case .get: return
            case .head: return try set(CURLOPT_NOBODY, 1)
            // Content-Length: 0 indicates an empty body for these methods (RFC 9110 §8.6).
            case .post, .put, .patch: return try setSmallBody([], method)
            default: return try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            }
        }
        if case .bytes(let bytes) = body, transfer.hasSmallBody { return try setSmallBody(bytes, method) }
        try set(CURLOPT_UPLOAD, 1)
        try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        // With a length of zero, libcurl would not send the last chunk.
        let isTypedCoding = transfer.headers.value(for: "Transfer-Encoding") != nil
        let isChunked = Safety.refuses("25-empty-chunked-body", isTypedCoding)
        try set(CURLOPT_INFILESIZE_LARGE, offset: isChunked ? -1 : length ?? -1)
        // The buffer is smaller than the size from which malloc maps pages: the kernel copies from files three times as
        // slowly to an address right after the start of a page (AMD EPYC: 340 ms and 150 ms for 256 MiB).
        if length.map({ $0 > 1 << 20 }) ?? true { try set(CURLOPT_UPLOAD_BUFFERSIZE, 120 * 1024) }
    }

    /// Sets a body that is sent together with the header.
    private func setSmallBody(_ bytes: [UInt8], _ method: HTTPMethod) throws(TransferFailure) {
        try set(CURLOPT_POST, 1)
        if method != .post { try set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
        try setSmallBody(bytes)
    }

    func setSmallBody(_ bytes: [UInt8]) throws(TransferFailure) {
        try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
        // An empty array may have no address, and libcurl interprets null as "use the read callback".
        guard !bytes.isEmpty else { return try set(CURLOPT_COPYPOSTFIELDS, "") }
        let code = bytes.withUnsafeBytes { af_easy_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        try check(code)
    }

    /// Removes the body of the previous transfer: libcurl would not rewind another one while it has that.
    func removeSmallBody() throws(TransferFailure) { try set(CURLOPT_COPYPOSTFIELDS, nil) }

    private func setHeaders(
        _ transfer: Transfer,
        _ bodyLength: Int64?,
        _ lists: inout EasyLists
    ) throws(TransferFailure) {
        let lines = HeaderLines(transfer, bodyLength: bodyLength)
        try set(CURLOPT_HTTPHEADER, list: lists.make(lines.originFields))
        let proxyLines = lines.forProxy + (transfer.options.proxy?.headerLines ?? [])
        if !proxyLines.isEmpty { try set(CURLOPT_PROXYHEADER, list: lists.make(proxyLines)) }
        // For CONNECT; in the request itself, the field of the list replaces it.
        if transfer.options.proxy != nil, let agent = transfer.headers.value(for: "User-Agent"),
            !transfer.options.removedHeaders.contains(where: "User-Agent".isSameFieldName)
        {
            try check(agent.withOctets { af_easy_set_string(easy, CURLOPT_USERAGENT, $0) })
        }
    }

    /// Sets the `Cookie` field, also to none: a handle keeps its options.
    func setCookies(_ cookies: [String]) throws(TransferFailure) {
        guard !cookies.isEmpty else { return try set(CURLOPT_COOKIE, nil) }
        let field = cookies.joined(separator: "; ")
        // `CURL_MAX_INPUT_LENGTH` and libcurl's limit on a request's header.
        guard field.utf8.count < 1 << 20 else { throw .requestHeadTooLarge }
        try check(field.withOctets { af_easy_set_string(easy, CURLOPT_COOKIE, $0) })
    }

    // Connection

    private func setVersion(_ transfer: Transfer) throws(TransferFailure) {
        if transfer.upgradeStream != nil { return try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) }
        switch transfer.options.httpVersion {
        case .automatic:
            try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
            if transfer.url.scheme == .https, transfer.options.network.sharesUnknownConnections {
                try set(CURLOPT_PIPEWAIT, 1)
            }
        case .http1_0: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_0)
        case .http1_1: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        case .http2: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_0)
        case .http2PriorKnowledge:
            try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
            // libcurl before 8.0 starts HTTP/2 again on a reused connection and fails.
            if transfer.url.scheme == .http, CurlFeatures.isOlder(than: 0x08_00_00) {
                try set(CURLOPT_FRESH_CONNECT, 1)
                try set(CURLOPT_FORBID_REUSE, 1)
            }
        case .http3: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_3, feature: "HTTP/3")
        }
    }

    func setTimeouts(_ timeouts: Timeouts) throws(TransferFailure) {
        // libcurl interprets zero as its default of 300 s; this maximum means no timeout.
        let connect = timeouts.connect.map { Int(min(max(1, $0 * 1000), Double(Int32.max))) } ?? Int(Int32.max)
        try set(CURLOPT_CONNECTTIMEOUT_MS, connect)
    }

    private func setMessages(_ messages: MessageOptions) throws(TransferFailure) {
        if messages.requestsTransferCoding { try set(CURLOPT_TRANSFER_ENCODING, 1) }
        if !messages.decodesTransferCoding {
            try set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
            // libcurl would reject an unknown transfer coding.
            try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        }
        if messages.ignoresContentLength { try set(CURLOPT_IGNORE_CONTENT_LENGTH, 1) }
        if messages.sendsProxyProtocol { try set(CURLOPT_HAPROXYPROTOCOL, 1) }
    }

    private func setNetwork(
        _ options: TransferOptions,
        for url: HTTPURL,
        _ lists: inout EasyLists
    ) throws(TransferFailure) {
        // Always set: otherwise libcurl reads the environment, by rules that differ from ours.
        try set(CURLOPT_PROXY, options.proxy?.url ?? "")
        if let proxy = options.proxy { try setProxy(proxy, options.tls, for: url) }
        let network = options.network
        if let path = network.unixSocketPath {
            try set(network.isSocketAbstract ? CURLOPT_ABSTRACT_UNIX_SOCKET : CURLOPT_UNIX_SOCKET_PATH, path)
        }
        if !network.resolve.isEmpty { try set(CURLOPT_RESOLVE, list: lists.make(network.resolve)) }
        if !network.connectTo.isEmpty { try set(CURLOPT_CONNECT_TO, list: lists.make(network.connectTo)) }
        if let resolver = network.dohURL { try setResolver(resolver, options.tls) }
        if let interface = network.interface { try set(CURLOPT_INTERFACE, interface) }
        if let seconds = network.keepAliveTime {
            try set(CURLOPT_TCP_KEEPALIVE, 1)
            try set(CURLOPT_TCP_KEEPIDLE, seconds)
            try set(CURLOPT_TCP_KEEPINTVL, seconds)
        }
        if let ports = network.localPorts {
            try set(CURLOPT_LOCALPORT, Int(ports.lowerBound))
            try set(CURLOPT_LOCALPORTRANGE, ports.count)
        }
        switch network.addressFamily {
        case .any: break
        case .ipv4: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        // ``RateLimit`` limits receiving.
        if let rate = network.maximumSendRate { try set(CURLOPT_MAX_SEND_SPEED_LARGE, offset: rate) }
    }

    private func setResolver(_ url: String, _ tls: TLSOptions) throws(TransferFailure) {
        try set(CURLOPT_DOH_URL, url)
        if !tls.verifiesChain { try set(CURLOPT_DOH_SSL_VERIFYPEER, 0) }
        if !tls.verifiesHost { try set(CURLOPT_DOH_SSL_VERIFYHOST, 0) }
        // libcurl creates the lookup's handle: if the transfer reports events, it would write to standard error.
        try set(CURLOPT_STDERR, pointer: UnsafeRawPointer(bitPattern: nullStream))
    }

    private func setProxy(
        _ proxy: ProxyOptions,
        _ tls: TLSOptions,
        for url: HTTPURL
    ) throws(TransferFailure) {
        try set(CURLOPT_NOPROXY, Safety.refuses("12-bypass", proxy.isBypassed(for: url)) ? "*" : "")
        if let credential = proxy.credential {
            try set(CURLOPT_PROXYUSERNAME, credential.user)
            try set(CURLOPT_PROXYPASSWORD, credential.password)
            let kinds = proxy.credentialKinds
            if kinds != .basic { try set(CURLOPT_PROXYAUTH, kinds.mask, feature: kinds.names) }
        }
        if proxy.tunnelsAll { try set(CURLOPT_HTTPPROXYTUNNEL, 1) }
        if let url = proxy.precedingProxy { try set(CURLOPT_PRE_PROXY, url) }
        if proxy.isHTTP10 { try set(CURLOPT_PROXYTYPE, af_proxy_http10) }
        if proxy.url.hasPrefix("socks5"), !CurlFeatures.canLoadKerberos { try set(CURLOPT_SOCKS5_AUTH, af_auth_basic) }
        guard proxy.url.hasPrefix("https://") else { return }
        if !proxy.verifiesCertificate {
            try set(CURLOPT_PROXY_SSL_VERIFYPEER, 0)
            try set(CURLOPT_PROXY_SSL_VERIFYHOST, 0)
            return
        }
        try setAuthorities(
            proxy.authorities ?? tls.authorities,
            file: CURLOPT_PROXY_CAINFO,
            directory: CURLOPT_PROXY_CAPATH,
            bundle: CURLOPT_PROXY_CAINFO_BLOB
        )
    }

    private func setAuthentication(_ options: AuthenticationOptions) throws(TransferFailure) {
        guard CurlFeatures.canLoadKerberos || options.kinds != .negotiate else {
            throw TransferFailure(
                .missingLibrary,
                "Negotiate needs the library \(CurlFeatures.kerberosLibrary), which is not installed"
            )
        }
        // The digest of the server's challenge is computed here, and not by libcurl.
        let mask = options.kinds.subtracting(.digest).mask
        try set(CURLOPT_HTTPAUTH, mask, feature: options.kinds.names)
        try set(CURLOPT_USERNAME, options.credential.user)
        try set(CURLOPT_PASSWORD, options.credential.password)
    }
}

extension AuthenticationOptions.Kinds {
    /// libcurl's bits; Negotiate only if its library is installed.
    fileprivate var mask: Int {
        var mask = 0
        if contains(.basic) { mask |= af_auth_basic }
        if contains(.digest) { mask |= af_auth_digest }
        if contains(.ntlm) { mask |= af_auth_ntlm }
        if contains(.negotiate), CurlFeatures.canLoadKerberos { mask |= af_auth_negotiate }
        return mask
    }
}

/// A `FILE *` that discards everything.
private let nullStream = UInt(bitPattern: fopen("/dev/null", "we"))
