internal import AFCore

/// The text about certificates, lost connections and malformed responses.
extension FailureEntry {
    var secureConnectionFailed: Text {
        let isAnonymous = context?.session.tls.clientCertificate == nil
        return switch reason {
        case .certificateRequired:
            ("\(host) requires a client certificate", Self.certificateHint)
        // Some servers reject a missing certificate with the alert for an invalid one.
        case .certificateRejected where isAnonymous:
            ("\(host) requires a client certificate: \(failure.detail)", Self.certificateHint)
        case .certificateRejected:
            ("\(host) rejected the client certificate: \(failure.detail)", "check --cert")
        default:
            (
                "the TLS connection to \(host) failed: \(detail)",
                reason == .cipherList
                    ? "check --ciphers"
                    : "check that the server uses TLS on this port, else use http://; --ssl selects a version"
            )
        }
    }

    private static let certificateHint = "set one with --cert FILE and --cert-key FILE"

    var untrustedCertificate: Text {
        let variables = context?.trustVariables.names ?? []
        let hint =
            switch reason {
            case .hostMismatch:
                "check the host; use --connect-to to reach this server under the name in its certificate"
            case .expired, .notYetValid:
                "check this machine's clock; --verify no accepts the certificate anyway"
            case _ where variables.isEmpty:
                "set the CA certificate with --cacert FILE; --verify no accepts any certificate"
            default:
                "check \(variables.joined(separator: " and ")), or set the CA certificate with --cacert FILE; "
                    + "--verify no accepts any certificate"
            }
        let sentence = "the certificate of \(host) is not trusted: \(detail)"
        return (sentence, hint)
    }

    var unusableCertificate: Text {
        if reason == .authorities, let variables = context?.trustVariables, variables.file != nil {
            return (variables.unusableFile, "correct or unset the variable, or override it with --cacert FILE")
        }
        if reason == .privateKey, let certificate = context?.session.tls.clientCertificate {
            let problem = "'\(certificate.keyPath ?? certificate.certificatePath)' is not the key of the certificate"
            return certificate.keyPassword == nil
                ? (problem, "check --cert-key")
                : ("wrong password for the key, or \(problem)", "check --cert-key and --cert-key-pass")
        }
        return (nil, "check --cert, --cert-key, --cacert and their formats: PEM")
    }

    var connectionLost: Text {
        let closed = "\(host) closed the connection without a response"
        return switch reason {
        case .responseLost:
            (
                "\(host) responded before it had the complete body, and libcurl dropped the response",
                "--http1.1 shows the response"
            )
        case .streamReset: ("\(host): \(failure.detail)", "--http1.1 may show the response")
        case .streamRefused: ("\(host): \(failure.detail)", retryHint)
        case _ where context?.opensWebSocket == true:
            (closed, "check that the server accepts WebSockets at this URL")
        case _ where context?.mayNeedTLS == true: (closed, "use https:// if the server expects TLS")
        default: (closed, retryHint)
        }
    }

    var truncated: Text {
        let status = context?.statusCode.flatMap { $0 < 300 ? nil : "\($0) " } ?? ""
        let sentence =
            context?.statusCode == 101
            ? "the WebSocket connection to \(host) was lost: \(detail)"
            : "the \(status)response of \(host) ended early: \(detail)"
        if reason == .streamReset { return (sentence, "--http1.1 may show the response") }
        return (sentence, context?.opensWebSocket == true ? nil : retryHint)
    }

    var malformedResponse: Text {
        switch reason {
        case .notHTTP:
            (
                "\(context?.isForwarded == true ? proxy : host) does not speak HTTP on this port",
                "check host and port"
            )
        case .tlsInstead:
            (
                "\(host) uses TLS on this port",
                context?.session.network.unixSocketPath == nil && context?.proxy == nil
                    ? "use https://\(host)" : "use https"
            )
        case .protocolError:
            (
                "\(host) sent a malformed response: \(detail)",
                context?.presumesHTTP2 == true ? Self.versionHint : "--http1.1 may show the response"
            )
        default:
            (
                "\(host) sent a malformed \(reason == .chunkedCoding ? "chunked body" : "response"): \(detail)",
                "-v shows the response header up to the error"
            )
        }
    }

    private static let versionHint = "check that the server supports HTTP/2 on this port"

    private var retryHint: String? {
        guard let context else { return "use --retry 3 to retry" }
        let (retry, isRefused) = (context.plan.retry, reason == .streamRefused)
        // libcurl cannot reliably distinguish a server without HTTP/2 that closes the connection from a broken stream.
        if context.presumesHTTP2, !isRefused { return Self.versionHint }
        if context.sendsStream {
            return retry.limit == 0 ? "to allow a retry, put the body into a file: --raw @FILE" : nil
        }
        if failure.kind == .truncated, context.isEventStream {
            return "if the events have ids, Last-Event-ID:ID after the URL requests those after ID"
        }
        // A body that was shown cannot be withdrawn.
        let needsFile = failure.kind == .truncated && !context.plan.storesBody
        if !context.plan.request.method.isIdempotent, !retry.includesUnsafe, !isRefused {
            return "if the request may be sent twice: --retry \(max(retry.limit, 3)) --retry-unsafe"
                + (needsFile ? " with --output FILE" : "")
        }
        if needsFile {
            let option = retry.limit == 0 ? "--retry 3 with " : ""
            return "\(option)--output FILE resumes the transfer"
        }
        return retry.limit == 0 ? "use --retry 3 to retry" : nil
    }
}
