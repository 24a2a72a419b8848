internal import AFTransport
internal import FoundationEssentials

/// When a request started, was answered, was through and was made into a value: the short view of its metrics that
/// Alamofire 4 had.
///
/// Points in time are seconds since 2001, as `Date.timeIntervalSinceReferenceDate` counts them; none is before the one
/// above it.
public struct Timeline: Hashable, Sendable {
    /// The last attempt began.
    public let requestStartTime: Double
    /// The first byte of the final response was there; the attempt's end where none came.
    public let initialResponseTime: Double
    /// The last attempt ended.
    public let requestCompletedTime: Double
    /// The value was made.
    public let serializationCompletedTime: Double

    /// A timeline of these points, all of them zero unless given.
    public init(
        requestStartTime: Double = 0,
        initialResponseTime: Double = 0,
        requestCompletedTime: Double = 0,
        serializationCompletedTime: Double = 0
    ) {
        self.requestStartTime = requestStartTime
        self.initialResponseTime = initialResponseTime
        self.requestCompletedTime = requestCompletedTime
        self.serializationCompletedTime = serializationCompletedTime
    }

    init(_ metrics: TransferMetrics?, serializationDuration: Double) {
        let start = metrics?.taskInterval.start.timeIntervalSinceReferenceDate ?? 0
        let end = metrics?.taskInterval.end.timeIntervalSinceReferenceDate ?? 0
        let hop = metrics?.transactionMetrics.last { $0.statusCode != nil }
        let response = hop.map { $0.start.timeIntervalSinceReferenceDate + $0.responseStart } ?? end
        self.init(
            requestStartTime: start,
            // libcurl's clock is not the one that the attempt was timed with.
            initialResponseTime: min(max(start, response), end),
            requestCompletedTime: end,
            serializationCompletedTime: end + serializationDuration
        )
    }

    /// Seconds from the start to the first byte of the response.
    public var latency: Double { initialResponseTime - requestStartTime }

    /// Seconds from the start to the end of the last attempt.
    public var requestDuration: Double { requestCompletedTime - requestStartTime }

    /// Seconds that making the value took.
    public var serializationDuration: Double { serializationCompletedTime - requestCompletedTime }

    /// Seconds from the start to the value.
    public var totalDuration: Double { serializationCompletedTime - requestStartTime }
}

extension Timeline: CustomStringConvertible, CustomDebugStringConvertible {
    /// The durations in seconds, on one line.
    public var description: String {
        "Timeline: latency \(latency.seconds), request \(requestDuration.seconds), "
            + "serialization \(serializationDuration.seconds), total \(totalDuration.seconds)"
    }

    /// The points in time, and the durations.
    public var debugDescription: String {
        "Timeline: start \(requestStartTime), first byte \(initialResponseTime), end \(requestCompletedTime), "
            + "serialized \(serializationCompletedTime); \(description.dropFirst("Timeline: ".count))"
    }
}

extension Double {
    /// As in `0.123 s`.
    fileprivate var seconds: String {
        let milliseconds = Int((self * 1000).rounded())
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " s"
    }
}

extension DataResponse {
    /// When the last attempt's parts happened; all zero but the serialization where there were no metrics.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}

extension DownloadResponse {
    /// When the last attempt's parts happened; all zero but the serialization where there were no metrics.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}
