internal import AFCore
internal import FoundationEssentials

extension TimingRow {
    /// Returns a row for each hop of each attempt, in order, and for those of the last attempt's segments.
    static func rows(of attempts: [TransferMetrics], _ segments: [TransferMetrics] = []) -> [TimingRow] {
        guard let start = attempts.first?.transactionMetrics.first?.start else { return [] }
        return attempts.enumerated().flatMap { retry, attempt in
            attempt.transactionMetrics.map { hop in
                TimingRow(hop, start: hop.start.timeIntervalSince(start), retry: retry)
            }
        }
            + segments.flatMap(\.transactionMetrics).map { hop in
                TimingRow(hop, start: hop.start.timeIntervalSince(start), retry: 0)
            }
    }

    private init(_ hop: TransactionMetrics, start: Double, retry: Int) {
        self.init(label: "\(hop.method.rawValue) \(hop.url)", start: start, total: hop.responseEnd)
        (lookup, connect, tls) = (hop.lookup, hop.connect, hop.tls)
        (waiting, transfer) = (hop.waiting, hop.transfer)
        status = hop.statusCode
        protocolName = hop.protocolName
        isReused = hop.isReusedConnection
        self.retry = retry
        requestHeadSize = hop.requestHeadBytes
        requestBodySize = hop.requestBodyBytes
        responseHeadSize = hop.responseHeadBytes
        responseBodySize = hop.responseBodyBytes
        remoteEndpoint = Self.endpoint(hop.remoteAddress, hop.remotePort)
        localEndpoint = Self.endpoint(hop.localAddress, hop.localPort)
        tlsVersion = hop.tlsVersion
        tlsCipher = hop.tlsCipher
    }

    private static func endpoint(_ address: String?, _ port: Int?) -> String? {
        address.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return port.map { "\(host):\($0)" } ?? host
        }
    }
}
