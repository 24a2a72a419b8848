internal import AFHTTP
internal import CCurl

/// The outcome of a transfer.
extension ActiveTransfer {
    func outcome(_ code: CURLcode) -> TransferOutcome {
        if code != CURLE_OK { return outcome(failure ?? explained(code)) }
        // libcurl treats a connection that closes inside a header as the end of an empty response.
        guard finalHead != nil || undecidedHead != nil else {
            return outcome(TransferFailure(.connectionLost, "the connection was closed inside the response head"))
        }
        if isCutOff {
            let detail = "the connection closed without close_notify, and the body has no other end"
            return outcome(TransferFailure(.truncated, detail))
        }
        decideHead(as: .final)
        if let stream, !isResponseComplete { return outcome(stream.isReset ? resetBeforeEnd : lostBeforeEnd) }
        // The body of a 206 may end within its coding.
        return outcome(finalHead?.statusCode == 206 ? nil : decoder?.failureAtEnd)
    }

    var resetBeforeEnd: TransferFailure {
        TransferFailure(.truncated, "the server reset the stream before the end of the body\(resetCode)")
    }

    /// The code of the server's reset in parentheses.
    var resetCode: String { stream?.resetCode.map { " (\($0))" } ?? "" }

    private var lostBeforeEnd: TransferFailure {
        guard let error = group.protocolError else {
            return TransferFailure(.truncated, "the connection failed before the end of the stream")
        }
        return brokenProtocol(error, CURLE_OK)
    }

    /// Whether the body ended only by the end of the connection, and without the server's close_notify (RFC 9112 §9.8).
    private var isCutOff: Bool {
        guard let tlsEnding, !tlsEnding.isInOrder, let head = finalHead ?? undecidedHead else { return false }
        return head.isEndedByClose(answering: transfer.method)
    }

    func outcome(_ failure: TransferFailure?) -> TransferOutcome {
        decideHead(as: .final)
        if hasBegun { readMetrics() }
        // libcurl's total is the time of its last event.
        if failure != nil { metrics.responseEnd = max(metrics.responseEnd, clock.elapsed(group.loop.now)) }
        (metrics.statusCode, metrics.protocolName) = (finalHead?.statusCode, finalHead?.httpVersion)
        metrics.response = finalHead
        if let finalHead, sentExpect(accordingTo: finalHead) {
            metrics.isExpectationUnanswered = !metrics.earlierHeads.contains { $0.response.statusCode == 100 }
        }
        return TransferOutcome(failure: failure, metrics: metrics, trailers: trailers)
    }

    private func explained(_ code: CURLcode) -> TransferFailure {
        let explanation = handle.explanation
        if let shortage = TransferFailure(shortageBehind: code, saying: explanation, socketError: socketError) {
            return shortage
        }
        if code == CURLE_PROXY,
            let failure = TransferFailure(
                socksError: long(CURLINFO_PROXY_ERROR), saying: explanation, of: transfer)
        {
            return failure
        }
        // In TLS 1.3 the server verifies the client certificate after the handshake: the alert ends the first read.
        if finalHead == nil, let alert = tlsEnding?.fatalAlert, let failure = TransferFailure(alert: alert, code) {
            return failure
        }
        // Without a message of its own: the response to HEAD does not begin as HTTP.
        if code == CURLE_WEIRD_SERVER_REPLY, explanation.isEmpty, finalHead == nil { return .notHTTP(nil) }
        if let error = protocolError(behind: code, saying: explanation) {
            return brokenProtocol(error, code)
        }
        let isEnd = code == CURLE_HTTP2_STREAM || code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR
        if stream?.isReset == true, finalHead != nil, isEnd {
            return TransferFailure(.truncated, resetBeforeEnd.detail, curlCode: Int32(code.rawValue))
        }
        if isWithoutAddress(code, saying: explanation) {
            let isOfProxy = transfer.options.proxy.map { !$0.isBypassed(for: transfer.url) } ?? false
            return TransferFailure(
                isOfProxy ? CURLE_COULDNT_RESOLVE_PROXY : CURLE_COULDNT_RESOLVE_HOST,
                detail: "the response of the DNS-over-HTTPS server has no address")
        }
        var progress = TransferFailure.Progress(
            usesProxy: transfer.options.proxy != nil,
            hasReachedServer: phase.hasReachedServer,
            hasSentHead: long(CURLINFO_REQUEST_SIZE) > sentToProxy,
            hasHead: finalHead != nil,
            isPaused: isPaused,
            osErrorNumber: osErrorNumber
        )
        var detail = explanation.isEmpty ? String(cString: curl_easy_strerror(code)) : explanation
        // libcurl 7.88 drops a response that it reads together with the reset.
        if stream?.hasEnded == true, finalHead == nil {
            detail = "the server responded before it had the complete body, and libcurl dropped the response"
            progress.reason = (.connectionLost, .responseLost)
        } else if stream?.isReset == true, finalHead == nil {
            // libcurl 7.88 drops a header that it reads together with the reset.
            detail = "the server reset the HTTP/2 stream\(resetCode), and libcurl has no complete response"
            progress.reason = (.connectionLost, .streamReset)
        } else if long(CURLINFO_HTTP_CONNECTCODE) == 407 {
            progress.reason = (.proxyRefused, .proxyAuthentication)
        } else if case let status = long(CURLINFO_HTTP_CONNECTCODE), status >= 300, status != 401 {
            // Some proxies respond with 401 to wrong credentials.
            progress.reason = (.proxyRefused, .tunnelRefused)
        }
        if code == CURLE_PEER_FAILED_VERIFICATION, transfer.options.tls.authorities == .system,
            transfer.options.tls.verifiesChain,
            let absence = TrustStore.system.absence
        {
            detail = absence
        }
        return TransferFailure(code, detail: detail, at: progress)
    }

    /// Whether a DNS-over-HTTPS response had no address. libcurl 7.88 reports that as out of memory, and 8.14 as a host
    /// that was not resolved, without a message and also for a proxy.
    private func isWithoutAddress(_ code: CURLcode, saying explanation: String) -> Bool {
        (code == CURLE_OUT_OF_MEMORY || code == CURLE_COULDNT_RESOLVE_HOST && explanation.isEmpty)
            && transfer.options.network.dohURL != nil && openedSockets.isEmpty
            && !phase.hasReachedServer
    }

    /// Creates the failure for an HTTP/2 response that nghttp2 rejected. The part of a body may be resumed.
    private func brokenProtocol(_ error: String, _ code: CURLcode) -> TransferFailure {
        let curlCode = Int32(code.rawValue)
        guard finalHead == nil else {
            return TransferFailure(.truncated, "the server broke the HTTP/2 protocol: \(error)", curlCode: curlCode)
        }
        let detail = "it breaks the HTTP/2 protocol: \(error)"
        return TransferFailure(.malformedResponse, detail, reason: .protocolError, curlCode: curlCode)
    }

    /// Returns what was wrong with a response that nghttp2 rejected; `nil` if that is not the cause of a failure.
    private func protocolError(behind code: CURLcode, saying explanation: String) -> String? {
        let codes = [CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE]
        // libcurl 8.14 reports an invalid frame, or that nghttp2 stopped, instead of sending GOAWAY.
        let isInvalid =
            explanation.contains("received invalid frame: ") || explanation.hasPrefix("nghttp2 recv error")
        guard stream?.isReset != true, codes.contains(code) || isInvalid else { return nil }
        if let error = group.protocolError { return error }
        // nghttp2 has no words for a missing `:status` or a wrong length.
        let isRejected = stream?.hasEnded != true && explanation.hasSuffix("PROTOCOL_ERROR (err 1)")
        return isRejected || isInvalid ? "PROTOCOL_ERROR" : nil
    }

    /// Returns the handle to its group at the end of the transfer.
    func close() {
        if hasBegun { curl_multi_remove_handle(group.multi, easy) }
        group.recycle(handle)
    }
}
