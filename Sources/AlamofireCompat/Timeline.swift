public import AFCore
internal import AFTransport
internal import FoundationEssentials

/// The main points in time of a request, from Alamofire 4.
///
/// They are seconds since 2001, like `Date.timeIntervalSinceReferenceDate`, in ascending order.
public struct Timeline: Hashable, Sendable {
    /// The start of the last attempt.
    public let requestStartTime: Double
    /// The first byte of the final response; the end of the attempt if there was none.
    public let initialResponseTime: Double
    /// The end of the last attempt.
    public let requestCompletedTime: Double
    /// The end of serialization.
    public let serializationCompletedTime: Double

    /// Creates a timeline; the defaults are zero.
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
            // libcurl's clock differs from the attempt's.
            initialResponseTime: min(max(start, response), end),
            requestCompletedTime: end,
            serializationCompletedTime: end + serializationDuration
        )
    }

    /// The seconds from the start to the first byte of the response.
    public var latency: Double { initialResponseTime - requestStartTime }

    /// The seconds from the start to the end of the last attempt.
    public var requestDuration: Double { requestCompletedTime - requestStartTime }

    /// The duration of serialization in seconds.
    public var serializationDuration: Double { serializationCompletedTime - requestCompletedTime }

    /// The seconds from the start to the end of serialization.
    public var totalDuration: Double { serializationCompletedTime - requestStartTime }
}

extension Timeline: CustomStringConvertible, CustomDebugStringConvertible {
    /// The durations in seconds, on one line.
    public var description: String {
        "Timeline: latency \(latency.seconds), request \(requestDuration.seconds), "
            + "serialization \(serializationDuration.seconds), total \(totalDuration.seconds)"
    }

    /// The points in time and the durations.
    public var debugDescription: String {
        "Timeline: start \(requestStartTime), first byte \(initialResponseTime), end \(requestCompletedTime), "
            + "serialized \(serializationCompletedTime); \(description.dropFirst("Timeline: ".count))"
    }
}

extension Double {
    /// The duration as text, such as `0.123 s`.
    fileprivate var seconds: String {
        let milliseconds = Int((self * 1000).rounded())
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " s"
    }
}

extension DataResponse {
    /// The timeline of the last attempt; without metrics only serialization has a duration.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}

extension DownloadResponse {
    /// The timeline of the last attempt; without metrics only serialization has a duration.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}
