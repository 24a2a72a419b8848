internal import AFCore

extension FailureEntry {
    mutating func explainTLS() {
        if failure.isOfProxy { return explainProxyTLS() }
        let certificate = context?.session.tls.clientCertificate
        switch (failure.kind, reason) {
        case (.pinMismatch, _):
            sentence = "the public key of \(host) does not match --pin"
            hint = "if the server's key has changed, set the new one with --pin"
        case (.untrustedCertificate, _):
            sentence = "the certificate of \(host) is not trusted: \(detail)"
            explainDistrust(authorities: "--cacert FILE", acceptance: "--verify no")
        case (.unusableCertificate, .authorities) where context?.trustVariables.file != nil:
            sentence = context?.trustVariables.unusableFile
            hint = "correct or unset the variable, or override it with --cacert FILE"
        case (.unusableCertificate, .privateKey) where certificate != nil:
            let path = certificate?.keyPath ?? certificate?.certificatePath ?? ""
            let hasPassword = certificate?.keyPassword != nil
            sentence =
                "\(hasPassword ? "wrong password for the key, or " : "")'\(path)' is not the key of the certificate"
            hint = hasPassword ? "check --cert-key and --cert-key-pass" : "check --cert-key"
        case (.unusableCertificate, .revocationList):
            hint = "check --crlfile: a PEM file of revoked certificates"
        case (.unusableCertificate, _): hint = "check --cert, --cert-key, --cacert and their formats: PEM"
        case (_, .certificateRejected) where certificate != nil:
            sentence = "\(host) rejected the client certificate: \(failure.detail)"
            hint = "check --cert"
        case (_, .certificateRequired), (_, .certificateRejected):
            // Some servers reject a missing certificate with the alert for an invalid one.
            let alert = reason == .certificateRejected ? ": \(failure.detail)" : ""
            sentence = "\(host) requires a client certificate\(alert)"
            hint = "set one with --cert FILE and --cert-key FILE"
        case (_, .notTLS):
            sentence = "\(host) does not speak TLS on this port"
            hint = "check the port, or use \(clearScheme)://"
        case (_, .handshakeClosed):
            sentence = "\(host) closed the connection during the TLS handshake"
            hint = portHint
        case (_, .hostMismatch):
            sentence = "the TLS connection to \(host) failed: \(detail)"
            hint = "check the host: the server has no certificate for it"
        case (_, .cipherList), (_, .tlsDisagreement):
            sentence = "the TLS connection to \(host) failed: \(detail)"
            hint = disagreementHint
        default:
            sentence = "the TLS connection to \(host) failed: \(detail)"
            hint = portHint
        }
    }

    private var portHint: String {
        "check that the server uses TLS on this port, else use \(clearScheme)://; --ssl selects a version"
    }

    /// The schemes of the request's URL without and with TLS.
    private var clearScheme: String { context?.opensWebSocket == true ? "ws" : "http" }
    private var secureScheme: String { clearScheme == "ws" ? "wss" : "https" }

    /// The hint about a server whose TLS does not fit the options.
    private var disagreementHint: String {
        let tls = context?.session.tls
        let typed = [
            ("--ciphers", tls?.ciphers != nil || reason == .cipherList), ("--tls13-ciphers", tls?.suites != nil),
            ("--curves", tls?.groups != nil), ("--ssl", tls?.minimumVersion != nil || tls?.maximumVersion != nil),
        ].filter { $0.1 }.map { $0.0 }
        return typed.isEmpty
            ? "check the host; --ssl selects another version, and --ciphers other ciphers"
            : "check \(typed.joined(separator: " and "))"
    }

    /// Explains a failure of the TLS connection to the proxy.
    private mutating func explainProxyTLS() {
        let name = "the proxy '\(proxy)'"
        sentence = "the TLS connection to \(name) failed: \(detail)"
        switch (failure.kind, reason) {
        case (.untrustedCertificate, _):
            sentence = "the certificate of \(name) is not trusted: \(detail)"
            explainDistrust(authorities: "--proxy-cacert FILE", acceptance: "--proxy-insecure")
            if reason == .hostMismatch {
                hint = "check the host of the proxy; --proxy-insecure accepts any certificate"
            }
        case (_, .certificateRequired), (_, .certificateRejected):
            sentence = "\(name) requires a client certificate: \(detail)"
            hint = "use a proxy that requires none; --no-proxy HOST bypasses it"
        case (_, .notTLS):
            sentence = "\(name) does not speak TLS on this port"
            hint = "check the port, or use http:// in the URL of the proxy"
        case (_, .handshakeClosed):
            sentence = "\(name) closed the connection during the TLS handshake"
            hint = "check that the proxy uses TLS on this port, else use http:// in its URL"
        case (_, .tlsDisagreement), (_, .hostMismatch): hint = "check the host and the TLS versions of the proxy"
        default: hint = "check that the proxy uses TLS on this port, else use http:// in its URL"
        }
    }

    /// Sets the hint about a certificate.
    ///
    /// - Parameters:
    ///   - authorities: The option that sets its authority.
    ///   - acceptance: The option that accepts any.
    private mutating func explainDistrust(authorities: String, acceptance: String) {
        let variables = context?.trustVariables.names.joined(separator: " and ") ?? ""
        switch reason {
        case .hostMismatch:
            hint = "check the host; use --connect-to to reach this server under the name in its certificate"
        case .expired, .notYetValid: hint = "check this machine's clock; \(acceptance) accepts the certificate anyway"
        // Such as a revoked certificate, or one for another purpose.
        case _ where !["issuer", "self", "first certificate"].contains(where: detail.contains):
            hint = "the server needs another certificate"
        default:
            hint = variables.isEmpty ? "" : "check \(variables), or "
            hint? += "set the CA certificate with \(authorities); \(acceptance) accepts any certificate"
        }
    }

    mutating func explainLoss() {
        switch reason {
        case .responseLost:
            sentence = "\(host) responded before it had the complete body, and libcurl dropped the response"
            hint = "--http1.1 shows the response"
        case .streamReset, .streamRefused:
            sentence = "\(host): \(failure.detail)"
            hint = reason == .streamReset ? "--http1.1 may show the response" : retryHint
        default:
            let isForwarded = context?.isForwarded == true && !proxy.hasPrefix("socks")
            let peer = isForwarded ? "the proxy '\(proxy)'" : host
            sentence = "\(peer) closed the connection without a response"
            hint = retryHint
            if context?.opensWebSocket == true { hint = "check that the server accepts WebSockets at this URL" }
            // What an upload has sent was understood.
            if context?.mayNeedTLS == true, context?.resumesUpload != true {
                hint = "use \(secureScheme):// if the server expects TLS"
            }
        }
    }

    mutating func explainTruncation() {
        let status = context?.statusCode.flatMap { $0 < 300 ? nil : "\($0) " } ?? ""
        sentence =
            context?.statusCode == 101
            ? "the WebSocket connection to \(host) was lost: \(detail)"
            : "the \(status)response of \(host) ended early: \(detail)"
        hint = context?.opensWebSocket == true ? nil : retryHint
        if reason == .streamReset { hint = "--http1.1 may show the response" }
    }

    mutating func explainResponse() {
        sentence = "\(host) sent a malformed response: \(detail)"
        hint = "-v shows the response header up to the error"
        // curl suspects HTTP/0.9.
        if reason == .notHTTP || reason == .tlsInstead { ownCurlCode = 1 }
        switch reason {
        case .notHTTP:
            sentence = "\(context?.isForwarded == true ? proxy : host) does not speak HTTP on this port"
            hint = "check host and port"
        case .tlsInstead where context?.isForwarded == true:
            sentence = "the proxy '\(proxy)' uses TLS on this port"
            hint = "use https:// in the URL of the proxy"
        case .tlsInstead:
            sentence = "\(host) uses TLS on this port"
            let isDirect = context?.session.network.unixSocketPath == nil && context?.proxy == nil
            hint = "use \(secureScheme)\(isDirect ? "://\(host)" : "")"
        case .http2Instead:
            sentence = "\(context?.isForwarded == true ? proxy : host) speaks only HTTP/2 on this port"
            hint = context?.isForwarded == true ? "check host and port" : "use --http2-prior-knowledge"
        case .noHTTP2: hint = Self.versionHint
        case .protocolError: hint = "--http1.1 may show the response"
        case .transferCoding: ownCurlCode = 61
        case .chunkedCoding: sentence = "\(host) sent a malformed chunked body: \(detail)"
        default: break
        }
    }

    private static let versionHint = "check that the server supports HTTP/2 on this port"

    private var retryHint: String? {
        guard let context else { return "use --retry 3 to retry" }
        let (retry, isRefused) = (context.plan.retry, reason == .streamRefused)
        if reason == .noHTTP2 { return Self.versionHint }
        if context.resumesUpload {
            return retry.limit == 0 ? "--retry 3 resumes the upload within a run" : nil
        }
        if context.sendsStream {
            return retry.limit == 0 ? "to allow a retry, put the body into a file: --raw @FILE" : nil
        }
        if failure.kind == .truncated, context.isEventStream {
            return retry.limit == 0 && context.plan.request.isIdempotent ? "--retry 3 continues the event stream" : nil
        }
        // A body that was shown cannot be withdrawn.
        let needsFile = failure.kind == .truncated && !context.plan.storesBody
        if !context.plan.request.isIdempotent, !retry.includesUnsafe, !isRefused {
            let option = "--retry \(max(retry.limit, 3)) --retry-unsafe"
            return "if the request may be sent twice: \(option)\(needsFile ? " with --output FILE" : "")"
        }
        let option = retry.limit == 0 ? "--retry 3" : ""
        if needsFile {
            let effect = context.isResumable ? "resumes" : "repeats"
            return "\(option)\(option.isEmpty ? "" : " with ")--output FILE \(effect) the transfer"
        }
        return option.isEmpty ? nil : "use \(option) to retry"
    }
}
