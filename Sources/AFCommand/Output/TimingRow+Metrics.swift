internal import AFCore
internal import FoundationEssentials

extension TimingRow {
    /// A row for each hop of each attempt, in order.
    static func rows(of request: Request, method: HTTPMethod) -> [TimingRow] {
        rows(of: request.allMetrics, method: method, finalMethod: request.task?.currentRequest.method ?? method)
    }

    /// - Parameter finalMethod: After the redirects.
    static func rows(of attempts: [TransferMetrics], method: HTTPMethod, finalMethod: HTTPMethod) -> [TimingRow] {
        guard let start = attempts.first?.transactionMetrics.first?.start else { return [] }
        return attempts.enumerated().flatMap { retry, attempt in
            attempt.transactionMetrics.enumerated().map { number, hop in
                let method = number == 0 ? method : finalMethod
                return TimingRow(hop, method: method, start: hop.start.timeIntervalSince(start), retry: retry)
            }
        }
    }

    private init(_ hop: TransactionMetrics, method: HTTPMethod, start: Double, retry: Int) {
        self.init(label: "\(method.rawValue) \(hop.url)", start: start, total: hop.responseEnd)
        lookup = hop.nameLookupEnd
        connect = hop.connectEnd - hop.nameLookupEnd
        tls = hop.secureConnectEnd - hop.connectEnd
        waiting = hop.responseStart - hop.secureConnectEnd
        transfer = hop.responseEnd - hop.responseStart
        status = hop.statusCode
        protocolName = hop.protocolName
        isReused = hop.isReusedConnection
        self.retry = retry
        requestHeadSize = hop.requestHeadBytes
        requestBodySize = hop.requestBodyBytes
        responseHeadSize = hop.responseHeadBytes
        responseBodySize = hop.responseBodyBytes
        remoteEndpoint = hop.remoteAddress.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return hop.remotePort.map { "\(host):\($0)" } ?? host
        }
        tlsVersion = hop.tlsVersion
        tlsCipher = hop.tlsCipher
    }
}
