internal import AFCore
internal import AFHTTP

/// The counts and the times of a repeated request.
struct RunStatistics: Sendable {
    private(set) var count = 0
    /// The seconds of the successful requests.
    private var times: [Double] = []
    private var failures: [String: Int] = [:]

    /// Adds a request.
    ///
    /// - Returns: Whether it is the first one with this result.
    mutating func add(_ record: RunRecord) -> Bool {
        count += 1
        guard record.status != .success else {
            times.append(record.elapsed)
            return times.count == 1
        }
        failures[record.resultName, default: 0] += 1
        return failures[record.resultName] == 1
    }

    /// Returns the statistics as sentences.
    ///
    /// - Parameters:
    ///   - planned: The number of requests to send.
    ///   - seconds: The duration of all of them.
    func sentences(of planned: Int, in seconds: Double) -> [String] {
        let requests = "\(planned) request\(planned == 1 ? "" : "s")"
        let sent = count == planned ? requests : "\(count) of \(requests)"
        var counts = "\(sent) in \(HumanUnits.duration(seconds)): \(times.count) succeeded"
        if !failures.isEmpty {
            let list = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
            counts += ", \(count - times.count) failed (\(list.joined(separator: ", ")))"
        }
        guard let figures = Self.figures(times) else { return [counts] }
        return [counts, figures]
    }

    /// Returns the minimum, the median, the 95th percentile and the maximum; `nil` without times.
    private static func figures(_ times: [Double]) -> String? {
        let sorted = times.sorted()
        guard let minimum = sorted.first, let maximum = sorted.last else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        // The nearest rank: at least 95 % of the times are not longer.
        let percentile = sorted[(sorted.count * 95 + 99) / 100 - 1]
        let figures = [
            ("minimum", minimum), ("median", median), ("95th percentile", percentile), ("maximum", maximum),
        ]
        return figures.map { "\($0) \(HumanUnits.duration($1))" }.joined(separator: ", ")
    }
}

extension RunRecord {
    /// The status of the response, or the kind of the failure.
    fileprivate var resultName: String {
        let isOfResponse = [.redirected, .clientError, .serverError].contains(status)
        let response = attempts.last?.transactionMetrics.last?.response
        return response.flatMap { isOfResponse ? String($0.statusCode) : nil } ?? status.kind
    }
}
