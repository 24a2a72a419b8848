/// The failures and statuses after which a request is sent again.
struct RetryConditions: Equatable, Sendable, ArgumentValue {
    enum Failure: String, CaseIterable, Sendable {
        /// The name of the host or of the proxy was not found.
        case lookup
        /// No connection was established; includes ``lookup``.
        case connect
        /// The connection was closed or reset before a response header.
        case reset
        /// A timeout without progress.
        case timeout
        /// The body ended before its announced length.
        case truncated
        /// An expectation about the response was not met.
        case expect
        /// Any failure but an expectation that was not met.
        case any
    }

    var statuses = StatusList([])
    var failures: [Failure] = []

    static let `default` = RetryConditions(
        statuses: StatusList([.init(408), .init(429), .init(500), .init(502, to: 504)]),
        failures: [.connect, .reset, .timeout, .truncated]
    )

    init(statuses: StatusList = StatusList([]), failures: [Failure] = []) {
        self.statuses = statuses
        self.failures = failures
    }

    /// Whether the request is sent again after a failure.
    func include(_ failure: Failure) -> Bool {
        failures.contains(failure) || failure == .lookup && failures.contains(.connect)
            || failure != .expect && failures.contains(.any)
    }

    init(argument: String) throws(UsageError) {
        var ranges: [StatusList.Interval] = []
        var failures: [Failure] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            if let failure = Failure(rawValue: word.lowercased()) {
                failures.append(failure)
            } else if let range = StatusList.range(word) {
                ranges.append(range)
            } else {
                let known = Failure.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("'\(word)' is neither a status nor one of \(known)")
            }
        }
        self.init(statuses: StatusList(ranges), failures: failures)
        // A lost connection must not end the polling of a job.
        if ranges.isEmpty, failures == [.expect] {
            statuses = Self.default.statuses
            self.failures += Self.default.failures
        }
    }
}
