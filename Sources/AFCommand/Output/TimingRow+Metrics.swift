internal import AFCore
internal import FoundationEssentials

extension TimingRow {
    /// Creates a row for each hop; the first one starts at 0.
    static func rows(of hops: [HopRecord], _ redaction: Redaction) -> [TimingRow] {
        guard let start = hops.first?.metrics.start else { return [] }
        return hops.map { TimingRow($0, start: $0.metrics.start.timeIntervalSince(start), redaction) }
    }

    private init(_ hop: HopRecord, start: Double, _ redaction: Redaction) {
        let metrics = hop.metrics
        let url = redaction.url(metrics.url)
        self.init(label: "\(metrics.method.rawValue) \(url)", start: start, total: metrics.responseEnd)
        (lookup, connect, tls) = (metrics.lookup, metrics.connect, metrics.tls)
        (waiting, transfer) = (metrics.waiting, metrics.transfer)
        status = metrics.statusCode
        protocolName = metrics.protocolName
        isReused = metrics.isReusedConnection
        retry = hop.segment == nil ? hop.attempt - 1 : 0
        requestHeadSize = hop.requestHeadSize
        requestBodySize = metrics.requestBodyBytes
        responseHeadSize = metrics.responseHeadBytes
        responseBodySize = metrics.responseBodyBytes
        remoteEndpoint = Self.endpoint(metrics.remoteAddress, metrics.remotePort)
        localEndpoint = Self.endpoint(metrics.localAddress, metrics.localPort)
        tlsVersion = metrics.tlsVersion
        tlsCipher = metrics.tlsCipher
    }

    private static func endpoint(_ address: String?, _ port: Int?) -> String? {
        address.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return port.map { "\(host):\($0)" } ?? host
        }
    }
}
