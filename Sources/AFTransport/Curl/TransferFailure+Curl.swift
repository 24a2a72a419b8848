internal import CCurl

extension TransferFailure {
    /// The progress of a transfer, which decides the meaning of some of libcurl's codes.
    struct Progress {
        var usesProxy = false
        /// Whether a request was started on a connection.
        var hasReachedServer = false
        /// Whether a request header was sent completely.
        var hasSentHead = false
        /// Whether the header of the response was received.
        var hasHead = false
        /// Whether the sink or the caller has paused the transfer.
        var isPaused = false
        /// The cause, if it is known, of a failure of this kind.
        var reason: (kind: Kind, reason: Reason)?
        /// The error number of the last failed system call (`CURLINFO_OS_ERRNO`), which may be unrelated.
        var osErrorNumber: Int32 = 0
    }

    /// Creates the failure for one of libcurl's result codes.
    init(_ code: CURLcode, detail: String, at progress: Progress = Progress()) {
        let exceeded = Self.exceededLimit(code, saying: detail, at: progress)
        let kind = exceeded?.kind ?? Self.kind(of: code, saying: detail) ?? Self.kind(of: code, at: progress)
        let isOfTLS = kind == .secureConnectionFailed || kind == .untrustedCertificate
        self.init(
            kind,
            exceeded?.detail ?? Self.malformation(code, kind, at: progress)
                ?? Self.closedHandshake(code, saying: detail)
                ?? (isOfTLS ? detail.withoutLibraryPrefix : detail),
            reason: Self.reason(of: code, saying: detail)
                ?? progress.reason.flatMap { $0.kind == kind ? $0.reason : nil },
            curlCode: Int32(code.rawValue),
            osErrorNumber: Self.isOfSystem(code, saying: detail) && progress.osErrorNumber != 0
                ? progress.osErrorNumber : nil
        )
    }

    /// The libcurl limit that was exceeded, which libcurl may report as out of memory: memory itself does not run out
    /// on Linux.
    private static func exceededLimit(
        _ code: CURLcode,
        saying detail: String,
        at progress: Progress
    ) -> (kind: Kind, detail: String)? {
        if code == CURLE_RECV_ERROR, detail.hasPrefix("Too large response headers") {
            return (.headTooLarge, "the response head is longer than the 300 KiB that libcurl takes")
        }
        // CURLE_TOO_LARGE, which libcurl 8.6 introduced.
        let isTooLarge = code == CURLE_OUT_OF_MEMORY || code.rawValue == 100
        if isTooLarge, detail.hasPrefix("Too many response headers") {
            return (.headTooLarge, tooManyHeaderLines.detail)
        }
        guard isTooLarge, progress.hasReachedServer else { return nil }
        guard progress.hasSentHead else {
            return (.invalidRequest, requestHeadTooLarge.detail)
        }
        guard progress.hasHead else {
            return (.headTooLarge, "a line of the response head is longer than the 100 KiB that libcurl takes")
        }
        guard progress.isPaused else { return nil }
        return (.decodingOverflow, "the body decodes to more than libcurl can buffer")
    }

    static var tooManyHeaderLines: TransferFailure {
        let count = HeadAssembler.maximumLines
        return TransferFailure(.headTooLarge, "the headers of the response have more than \(count) lines together")
    }

    static var requestHeadTooLarge: TransferFailure {
        TransferFailure(.invalidRequest, "the request header is longer than the 1 MiB that libcurl sends")
    }

    /// The fault of the server, if libcurl's message is about its own functions.
    private static func malformation(_ code: CURLcode, _ kind: Kind, at progress: Progress) -> String? {
        switch code {
        case CURLE_BAD_CONTENT_ENCODING: "the response has a transfer coding that was not requested"
        case CURLE_BAD_FUNCTION_ARGUMENT where kind == .malformedResponse:
            progress.hasHead ? "the chunked coding of the body is malformed" : "the response header is malformed"
        default: nil
        }
    }

    /// Whether a system call failed whose error number is still available.
    private static func isOfSystem(_ code: CURLcode, saying detail: String) -> Bool {
        switch code {
        case CURLE_COULDNT_CONNECT: true
        case CURLE_SEND_ERROR: detail.hasPrefix("Send failure")
        case CURLE_RECV_ERROR: detail.hasPrefix("Recv failure")
        default: false
        }
    }

    /// Returns the kind that only libcurl's message indicates: its code for a failed receive has many causes.
    private static func kind(of code: CURLcode, saying detail: String) -> Kind? {
        reason(of: code, saying: detail) == .chunkedCoding ? .malformedResponse : nil
    }

    /// Returns the cause that only libcurl's or OpenSSL's message indicates.
    private static func reason(of code: CURLcode, saying detail: String) -> Reason? {
        switch code {
        // Another message with this code is about curves.
        case CURLE_SSL_CIPHER where detail.contains("cipher"): .cipherList
        case CURLE_PEER_FAILED_VERIFICATION where detail.contains("subject name"): .hostMismatch
        case CURLE_PEER_FAILED_VERIFICATION where detail.contains("has expired"): .expired
        case CURLE_PEER_FAILED_VERIFICATION where detail.contains("is not yet valid"): .notYetValid
        // OpenSSL reads the first bytes as the head of a TLS record; the second message is that of OpenSSL 3.2.
        case CURLE_SSL_CONNECT_ERROR
        where detail.hasSuffix("wrong version number") || detail.hasSuffix("packet length too long"):
            .notTLS
        case CURLE_SSL_CONNECT_ERROR
        where detail.contains(" alert ")
            && ["certificate", "unknown ca", "access denied"].contains(where: detail.contains):
            .certificateRejected
        // The alert unrecognized_name (RFC 6066 §3).
        case CURLE_SSL_CONNECT_ERROR where detail.hasSuffix("unrecognized name"): .hostMismatch
        case CURLE_SSL_CONNECT_ERROR where provesTLS(detail.withoutLibraryPrefix): .tlsDisagreement
        case CURLE_SSL_CONNECT_ERROR where closedHandshake(code, saying: detail) != nil: .handshakeClosed
        case CURLE_SSL_CLIENTCERT: .certificateRequired
        case CURLE_SSL_CACERT_BADFILE: .authorities
        case CURLE_INTERFACE_FAILED: .interface
        case CURLE_SSL_CERTPROBLEM where detail.hasPrefix("unable to set private key file"): .privateKey
        case CURLE_SSL_CRL_BADFILE: .revocationList
        case CURLE_RECV_ERROR where detail.hasSuffix("in chunked-encoding"): .chunkedCoding
        // libcurl 8.14 has these messages before that one, and keeps the first.
        case CURLE_RECV_ERROR where detail.hasPrefix("chunk hex-length") || detail.hasPrefix("invalid chunk size"):
            .chunkedCoding
        default: nil
        }
    }

    /// The sentence for a handshake that the server closed or reset; `nil` for other failures. The message of OpenSSL is
    /// about an end of file, and that of libcurl about its functions.
    private static func closedHandshake(_ code: CURLcode, saying detail: String) -> String? {
        let isClosed =
            detail.hasSuffix("unexpected eof while reading") || detail.contains(" SSL_connect: SSL_ERROR_SYSCALL")
            || detail.hasSuffix(" failure: Connection reset by peer") || detail.hasSuffix(" failure: Broken pipe")
        return code == CURLE_SSL_CONNECT_ERROR && isClosed
            ? "the server closed the connection during the TLS handshake" : nil
    }

    /// Whether OpenSSL's message about a handshake is about an alert of the server, or about its TLS version.
    private static func provesTLS(_ message: String) -> Bool {
        // The first word was the version of SSL until OpenSSL 3.1; some alerts lack the second.
        ["tlsv1", "sslv3 alert ", "ssl/tls alert ", "unsupported protocol"].contains { message.hasPrefix($0) }
    }

    private static func kind(of code: CURLcode, at progress: Progress) -> Kind {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .unresolvedHost
        case CURLE_COULDNT_RESOLVE_PROXY: .unresolvedProxy
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
        case CURLE_PROXY: .proxyRefused
        // The loop itself watches the other timeouts.
        case CURLE_OPERATION_TIMEDOUT: .connectTimedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
            .secureConnectionFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .untrustedCertificate
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pinMismatch
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE:
            .unusableCertificate
        // For an HTTP/2 connection, libcurl also calls the end before the header a partial file.
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            lostConnection(at: progress)
        // Only http and https are allowed, so this is HTTP/0.9: bytes without a status line.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedResponse
        // Content codings are decoded here, so this is a transfer coding.
        case CURLE_BAD_CONTENT_ENCODING: .malformedResponse
        // libcurl calls its own functions with what the server sent.
        case CURLE_BAD_FUNCTION_ARGUMENT where progress.hasSentHead: .malformedResponse
        case CURLE_SEND_FAIL_REWIND: .bodyNotRewindable
        case CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION: .unsupported
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_SETOPT_OPTION_SYNTAX: .invalidRequest
        case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge
        case CURLE_OUT_OF_MEMORY: .outOfResources
        default: .other
        }
    }

    private static func lostConnection(at progress: Progress) -> Kind {
        if progress.hasHead { return .truncated }
        // A proxy that refuses CONNECT appears as a failed receive before a server was reached.
        return progress.usesProxy && !progress.hasReachedServer ? .proxyRefused : .connectionLost
    }
}

extension String {
    /// OpenSSL's message without the source location and without repetitions.
    fileprivate var withoutLibraryPrefix: String {
        if let separator = ranges(of: "::").last { return String(self[separator.upperBound...]) }
        for prefix in ["SSL certificate problem: ", "SSL: "] where hasPrefix(prefix) {
            return String(dropFirst(prefix.count))
        }
        return self
    }
}

extension TransferFailure {
    /// Creates the failure for a response that does not begin as HTTP.
    ///
    /// - Parameter bytes: Its first bytes.
    static func notHTTP(_ bytes: UnsafeRawBufferPointer?) -> TransferFailure {
        if bytes?.isTLS == true {
            return TransferFailure(.malformedResponse, "the server uses TLS on this port", reason: .tlsInstead)
        }
        if bytes?.isHTTP2 == true {
            let detail = "the server speaks only HTTP/2 on this port"
            return TransferFailure(.malformedResponse, detail, reason: .http2Instead)
        }
        return TransferFailure(.malformedResponse, "the response is not HTTP", reason: .notHTTP)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes begin as a TLS record: with its type and the major version 3 (RFC 8446 §5.1).
    fileprivate var isTLS: Bool { count > 1 && (0x14...0x17).contains(self[0]) && self[1] == 3 }

    /// Whether the bytes begin with a SETTINGS frame, as those of an HTTP/2 server do (RFC 9113 §3.4, §6.5).
    fileprivate var isHTTP2: Bool {
        count >= 9 && self[0] == 0 && (Int(self[1]) << 8 | Int(self[2])) % 6 == 0 && self[3] == 4
            && self[4..<9].allSatisfy { $0 == 0 }
    }
}
