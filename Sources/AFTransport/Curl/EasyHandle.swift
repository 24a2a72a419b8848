internal import AFHTTP
internal import CCurl
internal import Glibc

/// Writes a ``Transfer`` into a libcurl handle whose options are all at their defaults.
struct EasyHandle {
    let easy: UnsafeMutableRawPointer

    init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

    func configure(
        for transfer: Transfer,
        bodyLength: Int64?,
        lists: inout EasyLists
    ) throws(TransferFailure) {
        try set(CURLOPT_NOSIGNAL, 1)
        // Else a cancelled look-up blocks the loop until the name server answers or gives up.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_URL, transfer.url.text)
        // The target is sent as decided; libcurl's own normalisation would make it another URL.
        try set(CURLOPT_PATH_AS_IS, 1)
        try setMethodAndBody(transfer, bodyLength)
        try setHeaders(transfer, bodyLength, &lists)
        try setCookieHeader(transfer)
        try setVersion(transfer)
        try setTimeouts(transfer.options.timeouts)
        try setNetwork(transfer.options, &lists)
        if let authentication = transfer.options.authentication { try setAuthentication(authentication) }
        // A look-up over HTTPS trusts whom the transfer trusts.
        if transfer.url.scheme == .https || transfer.options.network.dohURL != nil {
            try setTLS(transfer.options.tls)
        }
        let readSize = Self.readSize(for: transfer)
        if readSize != Self.defaultReadSize { try set(CURLOPT_BUFFERSIZE, readSize) }
    }

    /// `CURL_MAX_WRITE_SIZE`, without any setting.
    static let defaultReadSize = 16 * 1024

    /// How many bytes are read from the network at once.
    static func readSize(for transfer: Transfer) -> Int {
        let size = min(max(1024, transfer.options.receiveBufferSize), af_max_read_size)
        guard let rate = transfer.options.network.maximumReceiveRate, rate > 0 else { return size }
        return max(1024, min(size, Int(clamping: rate / 8)))
    }

    // Request line, headers, body.

    private func setMethodAndBody(_ transfer: Transfer, _ length: Int64?) throws(TransferFailure) {
        let method = transfer.method
        guard let body = transfer.body else {
            switch method {
            case .get: return
            case .head: return try set(CURLOPT_NOBODY, 1)
            // These announce that nothing follows (RFC 9110 §8.6).
            case .post, .put, .patch: return try setSmallBody([], method)
            default: return try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            }
        }
        if case .bytes(let bytes) = body, transfer.hasSmallBody { return try setSmallBody(bytes, method) }
        try set(CURLOPT_UPLOAD, 1)
        try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        // With the length of an empty body, libcurl would not send its last chunk.
        let isChunked = transfer.headers.value(for: "Transfer-Encoding") != nil
        try set(CURLOPT_INFILESIZE_LARGE, offset: isChunked ? -1 : length ?? -1)
        if length.map({ $0 > 1 << 20 }) ?? true { try set(CURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024) }
    }

    /// A body that goes out in one piece with its head.
    private func setSmallBody(_ bytes: [UInt8], _ method: HTTPMethod) throws(TransferFailure) {
        try set(CURLOPT_POST, 1)
        if method != .post { try set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
        try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
        // An empty array may have no address, which libcurl would take for "ask the read callback".
        guard !bytes.isEmpty else { return try set(CURLOPT_COPYPOSTFIELDS, "") }
        let code = bytes.withUnsafeBytes { af_easy_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        try check(code)
    }

    private func setHeaders(
        _ transfer: Transfer,
        _ bodyLength: Int64?,
        _ lists: inout EasyLists
    ) throws(TransferFailure) {
        let lines = HeaderLines(transfer, bodyLength: bodyLength)
        try set(CURLOPT_HTTPHEADER, list: lists.make(lines.forServer))
        if !lines.forProxy.isEmpty { try set(CURLOPT_PROXYHEADER, list: lists.make(lines.forProxy)) }
    }

    /// Cookies written by hand share one field with those of the engine (RFC 6265 §5.4).
    private func setCookieHeader(_ transfer: Transfer) throws(TransferFailure) {
        let cookies = transfer.headers.values(for: "Cookie")
        if !cookies.isEmpty { try set(CURLOPT_COOKIE, cookies.joined(separator: "; ")) }
    }

    // How to get there.

    private func setVersion(_ transfer: Transfer) throws(TransferFailure) {
        switch transfer.options.httpVersion {
        case .automatic:
            try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
            if transfer.url.scheme == .https { try set(CURLOPT_PIPEWAIT, 1) }
        case .http1_0: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_0)
        case .http1_1: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        case .http2: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_0)
        case .http2PriorKnowledge:
            try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
            // libcurl 7.88 starts HTTP/2 again on a connection that it takes up, and fails (fixed in 8.0).
            if transfer.url.scheme == .http, CurlFeatures.isOlder(than: 0x08_00_00) {
                try set(CURLOPT_FRESH_CONNECT, 1)
                try set(CURLOPT_FORBID_REUSE, 1)
            }
        case .http3: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_3, feature: "HTTP/3")
        }
    }

    func setTimeouts(_ timeouts: Timeouts) throws(TransferFailure) {
        // libcurl takes zero for its default of 300 s; "for ever" is a number that outlives everybody.
        let connect = timeouts.connect.map { Int(min(max(1, $0 * 1000), Double(Int32.max))) } ?? Int(Int32.max)
        try set(CURLOPT_CONNECTTIMEOUT_MS, connect)
    }

    private func setNetwork(_ options: TransferOptions, _ lists: inout EasyLists) throws(TransferFailure) {
        // Always set: otherwise libcurl reads the environment, and its rules are not the ones decided on.
        try set(CURLOPT_PROXY, options.proxy?.url ?? "")
        if let proxy = options.proxy { try setProxy(proxy, options.tls) }
        let network = options.network
        if let path = network.unixSocketPath { try set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if !network.resolve.isEmpty { try set(CURLOPT_RESOLVE, list: lists.make(network.resolve)) }
        if !network.connectTo.isEmpty { try set(CURLOPT_CONNECT_TO, list: lists.make(network.connectTo)) }
        if let resolver = network.dohURL { try setResolver(resolver, options.tls) }
        if let interface = network.interface { try set(CURLOPT_INTERFACE, interface) }
        switch network.addressFamily {
        case .any: break
        case .ipv4: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        // Receiving is slowed down by ``RateLimit``.
        if let rate = network.maximumSendRate { try set(CURLOPT_MAX_SEND_SPEED_LARGE, offset: rate) }
    }

    private func setResolver(_ url: String, _ tls: TLSOptions) throws(TransferFailure) {
        try set(CURLOPT_DOH_URL, url)
        if !tls.verifiesChain { try set(CURLOPT_DOH_SSL_VERIFYPEER, 0) }
        if !tls.verifiesHost { try set(CURLOPT_DOH_SSL_VERIFYHOST, 0) }
        // The look-up's handle is libcurl's own: where the transfer reports events, it would write to standard error.
        try set(CURLOPT_STDERR, pointer: UnsafeRawPointer(bitPattern: nowhere))
    }

    private func setProxy(_ proxy: ProxyOptions, _ tls: TLSOptions) throws(TransferFailure) {
        try set(CURLOPT_NOPROXY, proxy.bypass)
        if let credential = proxy.credential {
            try set(CURLOPT_PROXYUSERNAME, credential.user)
            try set(CURLOPT_PROXYPASSWORD, credential.password)
        }
        if proxy.url.hasPrefix("socks5"), !CurlFeatures.canLoadKerberos { try set(CURLOPT_SOCKS5_AUTH, af_auth_basic) }
        guard proxy.url.hasPrefix("https://") else { return }
        try setAuthorities(
            tls.authorities,
            file: CURLOPT_PROXY_CAINFO,
            directory: CURLOPT_PROXY_CAPATH,
            bundle: CURLOPT_PROXY_CAINFO_BLOB
        )
    }

    private func setAuthentication(_ options: AuthenticationOptions) throws(TransferFailure) {
        var mask = 0
        if options.kinds.contains(.basic) { mask |= af_auth_basic }
        if options.kinds.contains(.digest) { mask |= af_auth_digest }
        if options.kinds.contains(.ntlm) { mask |= af_auth_ntlm }
        if options.kinds.contains(.negotiate) {
            guard CurlFeatures.canLoadKerberos || options.kinds != .negotiate else {
                throw TransferFailure(
                    .missingLibrary,
                    "Negotiate needs the library \(CurlFeatures.kerberosLibrary), which is not installed"
                )
            }
            if CurlFeatures.canLoadKerberos { mask |= af_auth_negotiate }
        }
        if options.waitsForChallenge { mask |= af_auth_only }
        try set(CURLOPT_HTTPAUTH, mask, feature: options.kinds.names)
        try set(CURLOPT_USERNAME, options.credential.user)
        try set(CURLOPT_PASSWORD, options.credential.password)
    }
}

/// A `FILE *` that takes everything and keeps nothing.
private let nowhere = UInt(bitPattern: fopen("/dev/null", "we"))
