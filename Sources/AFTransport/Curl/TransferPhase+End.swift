internal import AFHTTP
internal import CCurl

/// The end of a request, and the outcome of the transfer.
extension TransferPhase {
    enum EndAction: Equatable {
        /// Report this header as the final one, and then ask again.
        case report(HTTPURLResponse)
        /// Call ``startWithoutExpect()``, and send the request again.
        case repeatWithoutExpect
        /// Rewind the body, call ``startRound()``, and send the next request.
        case startRound
        /// The transfer ends with this code; `CURLE_OK` if the response is complete although libcurl failed.
        case finish(CURLcode)
    }

    /// Decides what follows the end of a request.
    mutating func end(_ code: CURLcode) -> EndAction {
        switch response {
        case .refused: return .repeatWithoutExpect
        case .challenged where failure == nil: return .startRound
        // libcurl repeats it, too, unless the end of the connection comes first.
        case .awaited where isRefused && failure == nil && code != CURLE_OK: return .startRound
        // libcurl counts the bytes after the 101: an upgraded connection may end without any.
        case .final(let final) where code == CURLE_GOT_NOTHING && isUpgrade && final.head.statusCode == 101:
            return .finish(CURLE_OK)
        default: break
        }
        // After a successful response libcurl continues to send, and then fails because the server has reset the stream,
        // which it may do after a complete response (RFC 9113 §8.1), or the connection.
        guard upload != .nothing, failure == nil, !isPaused, code.isLossOfConnection else { return .finish(code) }
        if let head = decideFinal() { return .report(head) }
        return .finish(isResponseComplete ? CURLE_OK : code)
    }

    /// Returns the failure of a transfer that libcurl considers complete; `nil` if it is. Must be called after
    /// ``decideFinal()``.
    ///
    /// - Parameters:
    ///   - isCutOff: Whether a TLS connection ended without the server's close_notify.
    ///   - protocolError: The server's violation of HTTP/2; `nil` if no rule was broken.
    // Inlined: a call copies the state, 850 instructions.
    @inline(__always)
    func failureAtEnd(isCutOff: Bool, protocolError: String?) -> TransferFailure? {
        // libcurl treats a connection that closes inside a header as the end of an empty response.
        guard case .final(let final) = response else {
            return TransferFailure(.connectionLost, "the connection was closed inside the response head")
        }
        // Only close_notify distinguishes the end of the body from an attack (RFC 9112 §9.8).
        if isCutOff, final.head.isEndedByClose(inResponseTo: transfer.method) {
            let detail = "the connection closed without close_notify, and the body has no other end"
            return TransferFailure(.truncated, detail)
        }
        if let stream, Safety.refuses("22-reset", !isResponseComplete) {
            return stream.isReset ? resetBeforeEnd : lostBeforeEnd(protocolError)
        }
        // The body of a 206 may end within its coding.
        return Safety.requires("09-coding", final.head.statusCode == 206) ? nil : decoder?.failureAtEnd
    }

    private func lostBeforeEnd(_ protocolError: String?) -> TransferFailure {
        guard let protocolError else {
            return TransferFailure(.truncated, "the connection failed before the end of the stream")
        }
        return brokenProtocol(protocolError, CurlReport(code: CURLE_OK))
    }

    /// Returns the failure of a timeout, with the cause that is known here.
    func explained(_ timeout: TransferFailure) -> TransferFailure {
        guard timeout.kind == .idleTimedOut, pauses.isBodyWaiting, !isUpgrade else { return timeout }
        return TransferFailure(.idleTimedOut, timeout.detail + " in the request body", reason: .silentBody)
    }

    /// Returns the failure of a transfer that libcurl ended.
    func cause(of report: CurlReport) -> TransferFailure {
        var failure = failure ?? explained(report)
        let isOfTLS = failure.kind == .secureConnectionFailed || failure.kind == .untrustedCertificate
        failure.isOfProxy = isOfTLS && isProxyTLS
        return failure
    }

    private func explained(_ report: CurlReport) -> TransferFailure {
        let (code, explanation) = (report.code, report.explanation)
        if let shortage = TransferFailure(shortageBehind: code, saying: explanation, socketError: report.socketError) {
            return shortage
        }
        if code == CURLE_PROXY,
            let failure = TransferFailure(socksError: report.proxyError, saying: explanation, of: transfer)
        {
            return failure
        }
        // In TLS 1.3 the server verifies the client certificate after the handshake: the alert ends the first read.
        if finalHead == nil, let alert = report.fatalAlert, let failure = TransferFailure(alert: alert, code) {
            return failure
        }
        // Without a message of its own: the response to HEAD does not begin as HTTP.
        if code == CURLE_WEIRD_SERVER_REPLY, explanation.isEmpty, finalHead == nil { return .notHTTP(nil) }
        // The result of libcurl's callback for header fields, as memory does not run out on Linux; and nghttp2 takes 9
        // frames of at most 16 KiB.
        if finalHead == nil, explanation.contains("nghttp2"),
            explanation.contains(" -902") || explanation.contains("CONTINUATION")
        {
            let detail = "the response head is longer than the 128 KiB that libcurl takes over HTTP/2"
            return TransferFailure(.headTooLarge, detail, reason: .http2HeadBytes, curlCode: Int32(code.rawValue))
        }
        if let error = protocolError(behind: report) { return brokenProtocol(error, report) }
        let isEnd = code == CURLE_HTTP2_STREAM || code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR
        if stream?.isReset == true, finalHead != nil, isEnd {
            return TransferFailure(.truncated, resetBeforeEnd.detail, curlCode: Int32(code.rawValue))
        }
        if isWithoutAddress(report) {
            let isOfProxy = transfer.options.proxy.map { !$0.isBypassed(for: transfer.url) } ?? false
            return TransferFailure(
                isOfProxy ? CURLE_COULDNT_RESOLVE_PROXY : CURLE_COULDNT_RESOLVE_HOST,
                detail: "the response of the DNS-over-HTTPS server has no address")
        }
        var progress = TransferFailure.Progress(
            usesProxy: transfer.options.proxy != nil,
            hasReachedServer: hasReachedServer,
            hasSentHead: report.hasSentHead,
            hasHead: finalHead != nil,
            isPaused: isPaused,
            osErrorNumber: report.osErrorNumber
        )
        let detail = describe(report, at: &progress)
        return TransferFailure(code, detail: report.missingAuthorities ?? detail, at: progress)
    }

    /// Returns the description of a failure, and sets its cause if that is known.
    private func describe(_ report: CurlReport, at progress: inout TransferFailure.Progress) -> String {
        if finalHead == nil, let stream {
            // libcurl 7.88 drops a response that it reads together with the reset.
            if stream.hasEnded {
                progress.reason = (.connectionLost, .responseLost)
                return "the server responded before it had the complete body, and libcurl dropped the response"
            }
            if stream.isRefused {
                progress.reason = (.connectionLost, .streamRefused)
                return "the server did not process the request\(resetCode)"
            }
            // libcurl 7.88 drops a header that it reads together with the reset.
            if stream.isReset {
                progress.reason = (.connectionLost, .streamReset)
                return "the server reset the HTTP/2 stream\(resetCode), and libcurl has no complete response"
            }
        }
        if isWithoutHTTP2(report) {
            progress.reason = (.connectionLost, .noHTTP2)
        } else if let reason = tunnelReason(report.tunnelStatus) {
            progress.reason = (.proxyRefused, reason)
        }
        return report.explanation.isEmpty ? String(cString: curl_easy_strerror(report.code)) : report.explanation
    }

    /// Whether HTTP/2 was used without negotiation, and no HTTP/2 frame was received.
    private func isWithoutHTTP2(_ report: CurlReport) -> Bool {
        transfer.options.httpVersion == .http2PriorKnowledge && hasReachedServer && stream == nil && !report.hasHTTP2
            && CurlFeatures.detectsStreamEnds
    }

    /// Returns the meaning of a proxy's response to CONNECT; `nil` if it has none.
    private func tunnelReason(_ status: Int) -> TransferFailure.Reason? {
        switch status {
        // Some proxies respond with 401 to wrong credentials.
        case ..<300, 401: nil
        case 407: .proxyAuthentication
        // RFC 9110 §15.6; Privoxy responds with 404 if the name cannot be resolved.
        case 404, 502, 503, 504: .targetUnreachable
        default: .tunnelRefused
        }
    }

    /// Whether a DNS-over-HTTPS response had no address. libcurl 7.88 reports that as out of memory, and 8.14 as a host
    /// that was not resolved, without a message and also for a proxy.
    private func isWithoutAddress(_ report: CurlReport) -> Bool {
        (report.code == CURLE_OUT_OF_MEMORY
            || report.code == CURLE_COULDNT_RESOLVE_HOST && report.explanation.isEmpty)
            && transfer.options.network.dohURL != nil && !report.hasOpenedSocket && !hasReachedServer
    }

    /// Creates the failure for an HTTP/2 response that nghttp2 rejected. The part of a body may be resumed.
    private func brokenProtocol(_ error: String, _ report: CurlReport) -> TransferFailure {
        let curlCode = Int32(report.code.rawValue)
        guard finalHead == nil else {
            return TransferFailure(.truncated, "the server broke the HTTP/2 protocol: \(error)", curlCode: curlCode)
        }
        // nghttp2 has the same error for a longer field.
        let isOfSize = error == "COMPRESSION_ERROR"
        let detail =
            isOfSize
            ? "a field of its head is longer than the 64 KiB that HTTP/2 takes here, or is coded wrongly"
            : "it breaks the HTTP/2 protocol: \(error)"
        let reason = isWithoutHTTP2(report) ? TransferFailure.Reason.noHTTP2 : .protocolError
        return TransferFailure(.malformedResponse, detail, reason: reason, curlCode: curlCode)
    }

    /// Returns what was wrong with a response that nghttp2 rejected; `nil` if that is not the cause of a failure.
    private func protocolError(behind report: CurlReport) -> String? {
        let codes = [CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE]
        // libcurl 8.14 reports an invalid frame, or that nghttp2 stopped, instead of sending GOAWAY.
        let isInvalid =
            report.explanation.contains("received invalid frame: ")
            || report.explanation.hasPrefix("nghttp2 recv error")
        guard stream?.isReset != true, codes.contains(report.code) || isInvalid else { return nil }
        if let error = report.protocolError { return error }
        // nghttp2 has no message for a missing `:status` or a wrong length.
        let isRejected = stream?.hasEnded != true && report.explanation.hasSuffix("PROTOCOL_ERROR (err 1)")
        return isRejected || isInvalid ? "PROTOCOL_ERROR" : nil
    }
}

/// The reports of libcurl and OpenSSL about a failed transfer.
struct CurlReport {
    let code: CURLcode
    /// libcurl's message; empty if there is none.
    var explanation = ""
    /// The error number of the last failed attempt to open a socket.
    var socketError: Int32?
    /// The number of a proxy's error (`CURLINFO_PROXY_ERROR`).
    var proxyError = 0
    /// The server's fatal alert (RFC 8446 §6.2).
    var fatalAlert: Int32?
    /// The server's violation of HTTP/2.
    var protocolError: String?
    /// Whether a frame of HTTP/2 was received on the connection.
    var hasHTTP2 = false
    /// Whether the request header was sent completely.
    var hasSentHead = false
    var hasOpenedSocket = true
    /// The status of a proxy's response to CONNECT; 0 if there was none.
    var tunnelStatus = 0
    /// The error number of the last failed system call, which may be unrelated.
    var osErrorNumber: Int32 = 0
    /// The reason why the system's authorities are missing, if the server's certificate was not verified.
    var missingAuthorities: String?
}

extension CURLcode {
    fileprivate var isLossOfConnection: Bool {
        switch self {
        case CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: true
        // The request that libcurl may not repeat after the response.
        case CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK: true
        default: false
        }
    }
}
