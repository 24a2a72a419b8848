internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// One request with its response, as records tell of it.
struct HopRecord: Sendable {
    /// 1 for the first attempt.
    let attempt: Int
    /// 1 for the first range that was fetched beside the attempts; `nil` for what is none.
    let segment: Int?
    let metrics: TransactionMetrics
    /// As they were sent, else as they were planned.
    let requestHeaders: HTTPHeaders
    /// The version in the request line.
    let requestVersion: String?

    /// Those of the attempts, and behind them those of segments.
    static func hops(
        of attempts: [TransferMetrics],
        _ segments: [TransferMetrics],
        planned: HTTPHeaders
    ) -> [HopRecord] {
        attempts.enumerated().flatMap { number, attempt in
            attempt.transactionMetrics.map { HopRecord($0, attempt: number + 1, planned: planned) }
        }
            + segments.enumerated().flatMap { number, segment in
                segment.transactionMetrics.map {
                    HopRecord($0, attempt: attempts.count, segment: number + 1, planned: planned)
                }
            }
    }

    private init(_ metrics: TransactionMetrics, attempt: Int, segment: Int? = nil, planned: HTTPHeaders) {
        self.metrics = metrics
        self.attempt = attempt
        self.segment = segment
        let sent = RequestHeadRecord(metrics.requestHead)
        requestVersion = sent?.version
        requestHeaders = sent?.headers ?? planned
    }

    /// libcurl counts a small body that goes out together with the head as a part of it.
    var requestHeadSize: Int64 {
        metrics.requestHead.isEmpty ? metrics.requestHeadBytes : Int64(metrics.requestHead.count)
    }

    var responseHeaders: HTTPHeaders { metrics.response?.headers ?? HTTPHeaders() }
    var contentType: String? { metrics.response?.value(forHTTPHeaderField: "Content-Type") }
}
