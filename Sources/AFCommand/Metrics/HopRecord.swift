internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// A request with its response, for reports, views and pictures of timings.
struct HopRecord: Sendable {
    /// The number of the attempt, starting with 1.
    let attempt: Int
    /// The number of the segment, starting with 1; `nil` if it is not one.
    let segment: Int?
    let metrics: TransactionMetrics
    /// The fields as sent, else as planned.
    let requestHeaders: HTTPHeaders
    /// The version in the request line.
    let requestVersion: String?

    /// Returns the hops of the attempts, followed by those of segments.
    static func hops(
        of attempts: [TransferMetrics],
        _ segments: [TransferMetrics],
        planned: HTTPHeaders = HTTPHeaders()
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

    /// The size of the header; libcurl includes a small body that is sent together with it.
    var requestHeadSize: Int64 {
        metrics.requestHead.isEmpty ? metrics.requestHeadBytes : Int64(metrics.requestHead.count)
    }

    var responseHeaders: HTTPHeaders { metrics.response?.headers ?? HTTPHeaders() }
    var contentType: String? { metrics.response?.value(forHTTPHeaderField: "Content-Type") }
}
