internal import AFHTTP
internal import CCurl

/// The outcome of a transfer.
extension ActiveTransfer {
    /// Returns the outcome of a transfer that libcurl ended with a code.
    func outcome(_ code: CURLcode) -> TransferOutcome {
        guard code == CURLE_OK else { return outcome(phase.cause(of: curlReport(code))) }
        decideFinal()
        let isCutOff = connection.tlsEnding.map { !$0.isInOrder } ?? false
        return outcome(phase.failureAtEnd(isCutOff: isCutOff, protocolError: group.protocolError))
    }

    func outcome(_ failure: TransferFailure?) -> TransferOutcome {
        decideFinal()
        if hasBegun { readMetrics() }
        // libcurl's total is the time of its last event.
        if failure != nil { metrics.responseEnd = max(metrics.responseEnd, clock.elapsed(group.loop.now)) }
        let head = phase.finalHead
        (metrics.statusCode, metrics.protocolName) = (head?.statusCode, head?.httpVersion)
        metrics.response = head
        if let head, phase.sentExpect(accordingTo: head) {
            metrics.isExpectationUnanswered = !metrics.earlierHeads.contains { $0.response.statusCode == 100 }
        }
        return TransferOutcome(failure: failure, metrics: metrics)
    }

    private func curlReport(_ code: CURLcode) -> CurlReport {
        let tls = transfer.options.tls
        let isUnverified = code == CURLE_PEER_FAILED_VERIFICATION && tls.authorities == .system && tls.verifiesChain
        return CurlReport(
            code: code,
            explanation: handle.explanation,
            socketError: connection.socketError,
            proxyError: long(CURLINFO_PROXY_ERROR),
            fatalAlert: connection.tlsEnding?.fatalAlert,
            protocolError: group.protocolError,
            hasSentHead: long(CURLINFO_REQUEST_SIZE) > connection.sentToProxy,
            hasOpenedSocket: !connection.openedSockets.isEmpty,
            tunnelStatus: long(CURLINFO_HTTP_CONNECTCODE),
            osErrorNumber: osErrorNumber,
            missingAuthorities: isUnverified ? TrustStore.system.absence : nil
        )
    }

    /// Returns the handle to its group at the end of the transfer.
    func close() {
        if hasBegun { curl_multi_remove_handle(group.multi, easy) }
        group.recycle(handle)
    }
}
