internal import AFHTTP
internal import CCurl

extension TransferFailure {
    /// Creates the failure of a SOCKS proxy, for errors that libcurl's message explains badly; else `nil`.
    ///
    /// - Parameters:
    ///   - error: The value of `CURLINFO_PROXY_ERROR`.
    ///   - detail: libcurl's message.
    init?(socksError error: Int, saying detail: String, of transfer: Transfer) {
        switch CURLproxycode(rawValue: UInt32(error)) {
        case CURLPX_RESOLVE_HOST where transfer.url.host.hasPrefix("[") && transfer.usesSOCKS4:
            self.init(socks: "SOCKS 4 has no IPv6 addresses", .addressType)
        // A SOCKS proxy may need an address: that this client found none is not the proxy's refusal.
        case CURLPX_RESOLVE_HOST: self.init(CURLE_COULDNT_RESOLVE_HOST, detail: detail)
        case CURLPX_USER_REJECTED: self.init(socks: "the credentials were rejected", .proxyAuthentication)
        case CURLPX_NO_AUTH: self.init(socks: "no acceptable method of authentication", .proxyAuthentication)
        // RFC 1928 §6.
        case CURLPX_REPLY_GENERAL_SERVER_FAILURE: self.init(socks: "general failure", .targetUnreachable)
        case CURLPX_REPLY_NOT_ALLOWED: self.init(socks: "its rules do not allow it", .tunnelRefused)
        case CURLPX_REPLY_NETWORK_UNREACHABLE: self.init(socks: "network unreachable", .targetUnreachable)
        case CURLPX_REPLY_HOST_UNREACHABLE: self.init(socks: "host unreachable", .targetUnreachable)
        case CURLPX_REPLY_CONNECTION_REFUSED: self.init(socks: "connection refused", .targetUnreachable)
        case CURLPX_REPLY_TTL_EXPIRED: self.init(socks: "TTL expired", .targetUnreachable)
        case CURLPX_REPLY_COMMAND_NOT_SUPPORTED: self.init(socks: "CONNECT is not supported", .tunnelRefused)
        case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED:
            self.init(socks: "the type of the address is not supported", .addressType)
        // The only reply of SOCKS 4 for both a rule and an unreachable server.
        case CURLPX_REQUEST_FAILED: self.init(socks: "request rejected or failed", .targetUnreachable)
        default: return nil
        }
    }

    private init(socks detail: String, _ reason: Reason) {
        self.init(.proxyRefused, detail, reason: reason, curlCode: Int32(CURLE_PROXY.rawValue))
    }
}

extension Transfer {
    fileprivate var usesSOCKS4: Bool { options.proxy?.url.hasPrefix("socks4") == true }
}
