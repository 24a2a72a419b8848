internal import AFCore

extension Diagnosis {
    init(_ failure: TransferFailure) {
        let (status, hint) = Self.meaning(of: failure.kind)
        self.init(failure.detail, hint: hint, status: status)
    }

    private static func meaning(of kind: TransferFailure.Kind) -> (ExitStatus, String?) {
        switch kind {
        case .connectTimedOut: (.timeout, "allow more time with --connect-timeout")
        case .idleTimedOut: (.timeout, "allow more time with --timeout")
        case .totalTimedOut: (.timeout, "allow more time with --max-time")
        case .unresolvedHost: (.unresolved, "check the spelling of the host")
        case .unresolvedProxy: (.unresolved, "check --proxy and the variables http_proxy, https_proxy, all_proxy")
        case .cannotConnect: (.unconnected, "check host and port, and that a server is listening")
        case .proxyRefused: (.unconnected, "check --proxy and its credentials")
        case .secureConnectionFailed: (.security, "check that the port speaks TLS; --ssl chooses a version")
        case .untrustedCertificate: (.security, "name the authority with --cacert FILE; --verify no trusts anybody")
        case .pinMismatch, .trustRefused: (.security, nil)
        case .unusableCertificate: (.security, "check --cert, --cert-key, --cacert and their formats: PEM")
        case .truncated, .connectionLost: (.broken, "try again with --retry 3; downloads go on with --resume")
        case .headTooLarge: (.broken, "allow more with --max-headers or --max-head-size")
        case .bodyTooLarge: (.broken, "allow more with --max-filesize")
        case .malformedResponse, .undecodableBody, .tooManyInterimResponses, .stopped: (.broken, nil)
        case .bodyUnreadable: (.file, nil)
        case .bodyNotRewindable: (.failure, "put the body into a file: --raw @FILE")
        case .unsupported: (.usage, nil)
        case .invalidRequest: (.usage, nil)
        case .cancelled: (.interrupted, nil)
        default: (.failure, nil)
        }
    }
}
