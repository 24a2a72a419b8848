internal import AFCore
internal import AFSigning
internal import Glibc

extension Diagnosis {
    init(_ failure: TransferFailure, _ circumstances: TransferCircumstances?) {
        let (status, usualHint) = Self.meaning(of: failure.kind)
        let hint = Self.hint(failure, circumstances, else: usualHint)
        let sentence = circumstances.flatMap { Self.sentence(failure, $0) } ?? failure.detail.uncapitalized
        self.init(sentence, hint: hint, status: status)
    }

    /// Returns the message for a failure for which libcurl's own is unclear or lacks names; `nil` if that is
    /// sufficient.
    private static func sentence(_ failure: TransferFailure, _ circumstances: TransferCircumstances) -> String? {
        let host = circumstances.host
        switch failure.kind {
        case .connectTimedOut: return "connecting to \(host)\(within(circumstances.timeouts.connect))"
        case .idleTimedOut where failure.reason == .silentBody:
            return "\(circumstances.bodySource ?? "the source of the body") delivered no data"
                + span(circumstances.timeouts.idle)
        case .idleTimedOut: return "the transfer with \(host) made no progress\(span(circumstances.timeouts.idle))"
        case .unresolvedHost: return "could not resolve host '\(host.withoutPort)'"
        case .unresolvedProxy: return "could not resolve proxy '\(circumstances.proxy ?? "")'"
        case .cannotConnect: return cannotConnect(failure, circumstances)
        case .proxyRefused where failure.reason == .proxyAuthentication:
            let proxy = circumstances.proxy ?? ""
            return "the proxy '\(proxy)' \(circumstances.proxyRequirement.problem)"
                + (proxy.hasPrefix("socks") ? "" : " (407)")
        case .proxyRefused where failure.reason == .targetUnreachable || failure.reason == .addressType:
            return "the proxy '\(circumstances.proxy ?? "")' could not connect to \(host): \(failure.detail)"
        case .proxyRefused:
            return "the proxy '\(circumstances.proxy ?? "")' refused the connection to \(host): "
                + failure.detail.uncapitalized.withoutFullStop
        case .secureConnectionFailed where failure.reason == .certificateRequired:
            return "\(host) requires a client certificate"
        case .secureConnectionFailed where failure.reason == .certificateRejected:
            // Some servers reject a missing certificate with the alert for an invalid one.
            return circumstances.clientCertificate == nil
                ? "\(host) requires a client certificate: \(failure.detail)"
                : "\(host) rejected the client certificate: \(failure.detail)"
        case .unusableCertificate where failure.reason == .authorities:
            return circumstances.trustVariables.unusableFile
        case .unusableCertificate where failure.reason == .privateKey:
            guard let certificate = circumstances.clientCertificate else { return nil }
            let path = certificate.keyPath ?? certificate.certificatePath
            let problem = "'\(path)' is not the key of the certificate"
            return certificate.keyPassword == nil ? problem : "wrong password for the key, or \(problem)"
        case .secureConnectionFailed:
            return "the TLS connection to \(host) failed: \(failure.detail.uncapitalized)"
        case .untrustedCertificate:
            return "the certificate of \(host) is not trusted: \(failure.detail.uncapitalized)"
        case .pinMismatch: return "the public key of \(host) does not match --pin"
        case .connectionLost where failure.reason == .responseLost:
            return "\(host) responded before it had the complete body, and libcurl dropped the response"
        case .connectionLost where failure.reason == .streamReset || failure.reason == .streamRefused:
            return "\(host): \(failure.detail)"
        case .connectionLost: return "\(host) closed the connection without a response"
        case .truncated where circumstances.statusCode == 101:
            return "the WebSocket connection to \(host) was lost: \(failure.detail.uncapitalized)"
        case .truncated:
            let status = circumstances.statusCode.flatMap { $0 < 300 ? nil : "\($0) " } ?? ""
            return "the \(status)response of \(host) ended early: \(failure.detail.uncapitalized)"
        case .malformedResponse where failure.reason == .notHTTP:
            return "\(circumstances.isForwarded ? circumstances.proxy ?? host : host) does not speak HTTP on this port"
        case .malformedResponse where failure.reason == .tlsInstead: return "\(host) uses TLS on this port"
        case .malformedResponse where failure.reason == .chunkedCoding:
            return "\(host) sent a malformed chunked body: \(failure.detail.uncapitalized)"
        case .malformedResponse: return "\(host) sent a malformed response: \(failure.detail.uncapitalized)"
        case .bodyTooLarge:
            return circumstances.limits.bodyBytes.map { "the body of \(host) is larger than \(HumanUnits.limit($0))" }
        default: return nil
        }
    }

    private static func cannotConnect(_ failure: TransferFailure, _ circumstances: TransferCircumstances) -> String {
        if failure.reason == .interface, let interface = circumstances.network.interface {
            return "could not bind to '\(interface)'"
        }
        if isLinkLocalWithoutZone(failure, circumstances) {
            return "could not connect to \(circumstances.host): a link-local address needs an interface"
        }
        let reason = (failure.osErrorNumber.map(systemMessage) ?? excludedFamily(circumstances)).map { ": \($0)" } ?? ""
        guard let proxy = circumstances.proxy, circumstances.network.unixSocketPath == nil else {
            return "could not connect to \(circumstances.host)\(reason)"
        }
        return "could not connect to the proxy '\(proxy)'\(reason)"
    }

    /// Whether the system needs the zone of an address of fe80::/10 (RFC 4007 §6), which the URL does not have.
    static func isLinkLocalWithoutZone(_ failure: TransferFailure, _ circumstances: TransferCircumstances) -> Bool {
        let host = circumstances.host
        guard failure.osErrorNumber == EINVAL, circumstances.proxy == nil, circumstances.network.unixSocketPath == nil
        else { return false }
        return ["[fe8", "[fe9", "[fea", "[feb"].contains { host.lowercased().hasPrefix($0) } && !host.contains("%")
    }

    /// Returns the reason for an address that an option excludes.
    private static func excludedFamily(_ circumstances: TransferCircumstances) -> String? {
        switch (circumstances.network.addressFamily, circumstances.host.hasPrefix("[")) {
        case (.ipv4, true): "--ipv4 excludes IPv6 addresses"
        case (.ipv6, false) where circumstances.host.withoutPort.utf8.allSatisfy { $0 == 0x2E || 0x30...0x39 ~= $0 }:
            "--ipv6 excludes IPv4 addresses"
        default: nil
        }
    }

    private static func within(_ limit: Double?) -> String {
        limit.map { " took longer than \(HumanUnits.duration($0))" } ?? " took too long"
    }

    private static func span(_ limit: Double?) -> String { limit.map { " for \(HumanUnits.duration($0))" } ?? "" }

    /// Returns the exit status of a kind of failure and its usual hint.
    static func meaning(of kind: TransferFailure.Kind) -> (status: ExitStatus, hint: String?) {
        switch kind {
        case .connectTimedOut: (.timeout, "increase --connect-timeout")
        case .idleTimedOut: (.timeout, "increase --timeout")
        case .totalTimedOut: (.timeout, "increase --max-time")
        case .unresolvedHost: (.unresolved, "check the spelling of the host")
        case .unresolvedProxy: (.unresolved, "check --proxy and the variables http_proxy, https_proxy, all_proxy")
        case .cannotConnect: (.unconnected, "check host and port, and that a server is listening")
        case .proxyRefused: (.unconnected, "check --proxy and its credentials")
        case .secureConnectionFailed:
            (.security, "check that the server uses TLS on this port, else use http://; --ssl selects a version")
        case .untrustedCertificate:
            (.security, "set the CA certificate with --cacert FILE; --verify no accepts any certificate")
        case .pinMismatch: (.security, "if the server's key has changed, set the new one with --pin")
        case .trustRefused: (.security, nil)
        case .unusableCertificate: (.file, "check --cert, --cert-key, --cacert and their formats: PEM")
        case .truncated, .connectionLost: (.broken, "use --retry 3 to retry")
        case .headTooLarge: (.broken, "increase --max-headers or --max-head-size")
        case .bodyTooLarge: (.broken, "increase --max-filesize")
        case .malformedResponse: (.broken, "-v shows the response header up to the error")
        case .undecodableBody, .decodingOverflow: (.broken, "request an unencoded body: Accept-Encoding:identity")
        case .tooManyInterimResponses: (.broken, "increase --max-interim")
        case .stopped: (.broken, nil)
        case .bodyUnreadable: (.file, "check the files of the body")
        case .bodyNotRewindable: (.failure, "put the body into a file: --raw @FILE")
        case .unsupported: (.usage, nil)
        case .missingLibrary:
            (.usage, "install libgssapi-krb5-2 (Debian, Ubuntu), krb5-libs (Fedora, RHEL) or krb5 (openSUSE)")
        case .invalidRequest: (.usage, "--offline shows the request")
        case .cancelled: (.interrupted, nil)
        default: (.failure, nil)
        }
    }
}

extension String {
    /// The text for the middle of a sentence; names such as `OpenSSL` stay unchanged.
    fileprivate var uncapitalized: String {
        let word = prefix { $0 != " " }
        guard let first, first.isUppercase, word.count > 1, word.dropFirst().allSatisfy(\.isLowercase) else {
            return self
        }
        return first.lowercased() + dropFirst()
    }

    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

    fileprivate var withoutPort: String { lastIndex(of: ":").map { String(self[..<$0]) } ?? self }
}

extension Diagnosis {
    init(_ error: AWSSigningError) {
        let hint = "put the body into a file: --raw @FILE; S3 takes it unsigned over https"
        self.init("\(error)", hint: hint, status: .usage)
    }

    /// Creates the diagnosis of a failed token request.
    ///
    /// - Parameter circumstances: The context of the request to the token endpoint.
    init(_ error: OAuth2Error, _ circumstances: TransferCircumstances?) {
        switch error {
        case .refused(code: "invalid_client", _):
            self.init("\(error)", hint: "check the client's id and secret: --auth CLIENT_ID:SECRET", status: .failure)
        case .refused(code: "invalid_grant", _):
            self.init("\(error)", hint: "the refresh token is no longer valid: authenticate again", status: .failure)
        case .refused(code: "access_denied", _):
            self.init("\(error)", hint: "the user denied the access; run the command again", status: .failure)
        case .refused(code: "expired_token", _):
            self.init(
                "the code expired before the user entered it",
                hint: "run the command again, and enter the code in time",
                status: .timeout)
        case .noDeviceCode: self.init("\(error)", hint: "check --device-url", status: .failure)
        case .noLogin: self.init("\(error)", hint: "run the command again", status: .timeout)
        case .cannotListen:
            self.init("\(error)", hint: "close the program that uses it, or set --redirect-url", status: .failure)
        case .refused(code: "invalid_scope", _): self.init("\(error)", hint: "check --scope", status: .failure)
        case .noResponse(let underlyingError, let url):
            let diagnosis = Diagnosis(underlyingError, circumstances)
            let option = url == circumstances?.deviceURL ? "--device-url" : "--token-url"
            let sentence = "could not obtain a token: \(diagnosis.message)"
            self.init(sentence, hint: "check \(option), and that it can be reached", status: diagnosis.status)
        case .refused: self.init("\(error)", status: .failure)
        case .noToken, .unknownTokenType, .invalidToken:
            self.init("\(error)", hint: "check --token-url", status: .failure)
        }
    }
}

extension Diagnosis {
    init(_ error: WebSocketError) {
        switch error.kind {
        case .pingTimedOut: self.init(error.detail, hint: "increase --ping-interval", status: .timeout)
        case .closeTimedOut: self.init(error.detail, hint: "increase --timeout", status: .timeout)
        case .messageTooBig: self.init(error.detail, hint: "increase --max-filesize", status: .broken)
        case .invalidHandshake:
            self.init(error.detail, hint: "check that the server accepts WebSockets at this URL", status: .broken)
        default: self.init(error.detail, status: .broken)
        }
    }
}

extension Diagnosis {
    init(_ failure: RedirectFailure) {
        let hint: String =
            switch failure.reason {
            case .tooMany: "check the redirects with --all; --max-redirects allows more"
            case .downgrade: "allow it with --allow-downgrade"
            case .bodyNotRewindable: "put the body into a file: --raw @FILE"
            case .otherHost:
                "request the new URL directly: the configuration's settings are for the first one"
            case .unsupportedScheme, .excludedScheme, .invalidLocation: "omit --follow to see the response"
            }
        self.init(failure.description, hint: hint, status: .redirects)
    }
}
