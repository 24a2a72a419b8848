internal import CCurl

extension TransferFailure {
    /// What one of libcurl's codes means at the point that the transfer had reached.
    init(_ code: CURLcode, detail: String, hasReachedServer: Bool = false, hasHead: Bool = false) {
        let kind: Kind =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: .unresolvedHost
            case CURLE_COULDNT_RESOLVE_PROXY: .unresolvedProxy
            case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
            case CURLE_PROXY: .proxyRefused
            // The other time-outs are the loop's own.
            case CURLE_OPERATION_TIMEDOUT: .connectTimedOut
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_USE_SSL_FAILED:
                .secureConnectionFailed
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
                .untrustedCertificate
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pinMismatch
            case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
                .unusableCertificate
            case CURLE_PARTIAL_FILE: .truncated
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
                hasHead ? .truncated : .connectionLost
            // A proxy that refuses CONNECT shows as a failure to receive, before any server was reached.
            case CURLE_RECV_ERROR: hasHead ? .truncated : hasReachedServer ? .connectionLost : .proxyRefused
            // Only http and https are let in, so this is HTTP/0.9: bytes without a status line.
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedResponse
            case CURLE_BAD_CONTENT_ENCODING: .undecodableBody
            case CURLE_SEND_FAIL_REWIND: .bodyNotRewindable
            case CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION: .unsupported
            case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_SETOPT_OPTION_SYNTAX: .invalidRequest
            case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge
            default: .other
            }
        self.init(kind, detail, curlCode: Int32(code.rawValue))
    }
}
