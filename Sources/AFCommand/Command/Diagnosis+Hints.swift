internal import AFCore
internal import Glibc

extension Diagnosis {
    /// Returns the hint for a failure, unless its option was already typed.
    ///
    /// - Parameter usualHint: The hint for the kind of failure.
    static func hint(
        _ failure: TransferFailure,
        _ circumstances: TransferCircumstances?,
        else usualHint: String?
    ) -> String? {
        if let reason = failure.reason { return hint(reason, circumstances) ?? usualHint }
        switch failure.kind {
        case .undecodableBody where circumstances?.asksForIdentity == true:
            return "--no-decode keeps the body as received"
        case .bodyUnreadable where circumstances?.sendsStream == true: return nil
        // No option changes libcurl's own limit.
        case .headTooLarge: return nil
        case .untrustedCertificate:
            guard let names = circumstances?.trustVariables.names, !names.isEmpty else { return usualHint }
            let list = names.joined(separator: " and ")
            return "check \(list), or set the CA certificate with --cacert FILE; --verify no accepts any certificate"
        case .unresolvedHost where circumstances?.network.dohURL != nil:
            return "check --doh-url, that its certificate is trusted, and the spelling of the host"
        case .unresolvedHost where circumstances?.nearestAlias != nil:
            return circumstances?.nearestAlias.map { "no alias has this name; did you mean '\($0)'?" }
        case .outOfResources where failure.osErrorNumber == EMFILE: return "raise the limit: ulimit -n 1024"
        case .connectTimedOut where circumstances?.idleLimitsConnecting == true:
            return "increase --timeout, or set --connect-timeout"
        case .cannotConnect where circumstances.map { isLinkLocalWithoutZone(failure, $0) } == true:
            return "add it to the host, such as in [fe80::1%eth0]; the command 'ip address' lists the names"
        case .cannotConnect: return circumstances.flatMap(connectionHint) ?? usualHint
        case .connectionLost where circumstances?.opensWebSocket == true:
            return "check that the server accepts WebSockets at this URL"
        case .truncated where circumstances?.opensWebSocket == true: return nil
        case .connectionLost where circumstances?.mayNeedTLS == true: return "use https:// if the server expects TLS"
        case .truncated, .connectionLost:
            guard let circumstances else { return usualHint }
            return retryHint(after: failure, circumstances)
        default: return usualHint
        }
    }

    private static func hint(
        _ reason: TransferFailure.Reason,
        _ circumstances: TransferCircumstances?
    ) -> String? {
        switch reason {
        case .certificateRequired: "set one with --cert FILE and --cert-key FILE"
        case .certificateRejected where circumstances?.clientCertificate == nil:
            hint(.certificateRequired, circumstances)
        case .certificateRejected: "check --cert"
        case .privateKey:
            circumstances?.clientCertificate?.keyPassword == nil
                ? "check --cert-key" : "check --cert-key and --cert-key-pass"
        case .notHTTP: "check host and port"
        case .tlsInstead:
            circumstances.flatMap {
                $0.network.unixSocketPath == nil && $0.proxy == nil ? "use https://\($0.host)" : "use https"
            }
        case .authorities:
            circumstances?.trustVariables.file.map { _ in
                "correct or unset the variable, or override it with --cacert FILE"
            }
        case .silentBody: "check the program that writes it, or increase --timeout; 0 waits without limit"
        case .tunnelRefused: "the proxy must allow CONNECT to this host and port; --no-proxy HOST bypasses it"
        case .targetUnreachable: meaning(of: .cannotConnect).hint
        case .addressType where circumstances?.proxy?.hasPrefix("socks4") == true:
            "use socks5:// if the proxy supports it; --no-proxy HOST bypasses it"
        case .addressType: "--no-proxy HOST bypasses the proxy"
        case .proxyAuthentication where circumstances?.proxy?.hasPrefix("socks5") == true:
            circumstances?.proxyRequirement.hint(scheme: "socks5h")
        case .proxyAuthentication: circumstances?.proxyRequirement.hint()
        case .protocolError where circumstances?.presumesHTTP2 == true:
            "check that the server supports HTTP/2 on this port"
        case .streamReset, .protocolError: "--http1.1 may show the response"
        case .headBytes: "increase --max-head-size"
        case .headLines: "increase --max-headers"
        case .decodingRatio: "increase --max-ratio"
        case .fileChanged: FileProblem.sendCopy
        case .responseLost: "--http1.1 shows the response"
        case .cipherList: "check --ciphers"
        case .interface: "check --interface; the command 'ip address' lists the names and addresses"
        case .hostMismatch: "check the host; use --connect-to to reach this server under the name in its certificate"
        case .expired, .notYetValid: "check this machine's clock; --verify no accepts the certificate anyway"
        default: nil
        }
    }

    private static func connectionHint(_ circumstances: TransferCircumstances) -> String? {
        if circumstances.network.interface != nil { return "check host and port, and that --interface reaches them" }
        if circumstances.network.unixSocketPath != nil { return "check --unix-socket, and that a server listens there" }
        return circumstances.proxy.flatMap { _ in meaning(of: .unresolvedProxy).hint }
    }

    private static func retryHint(
        after failure: TransferFailure,
        _ circumstances: TransferCircumstances
    ) -> String? {
        let (kind, retry) = (failure.kind, circumstances.retry)
        // libcurl cannot reliably distinguish a server without HTTP/2 that closes the connection from a broken stream.
        if circumstances.presumesHTTP2, failure.reason != .streamRefused {
            return "check that the server supports HTTP/2 on this port"
        }
        if circumstances.sendsStream {
            return retry.limit == 0 ? "to allow a retry, put the body into a file: --raw @FILE" : nil
        }
        if kind == .truncated, circumstances.isEventStream {
            return "if the events have ids, Last-Event-ID:ID after the URL requests those after ID"
        }
        // A body that was shown cannot be withdrawn.
        let file = kind == .truncated && !circumstances.storesBody ? " with --output FILE" : ""
        if !circumstances.method.isIdempotent, !retry.includesUnsafe, failure.reason != .streamRefused {
            return "if the request may be sent twice: --retry \(max(retry.limit, 3)) --retry-unsafe\(file)"
        }
        if kind == .truncated, !circumstances.storesBody {
            let option = retry.limit == 0 ? "--retry 3 with " : ""
            return "\(option)--output FILE resumes the transfer"
        }
        return retry.limit == 0 ? "use --retry 3 to retry" : nil
    }
}
