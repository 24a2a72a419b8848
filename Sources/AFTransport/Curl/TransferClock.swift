/// When a transfer did what, and how long it may go on without; in nanoseconds of the loop's clock.
struct TransferClock {
    private let timeouts: Timeouts
    private let startedAt: UInt64
    private let totalDeadline: UInt64?
    /// When libcurl was told to start, and when the latest head began to come.
    private(set) var begunAt: UInt64?
    var headStartedAt: UInt64?
    /// When the last byte passed; `nil` before the connection stands. Until then the wait is libcurl's to bound, and the
    /// wait for a free connection has no bound but the total one.
    private(set) var lastActivity: UInt64?

    /// - Parameter elapsed: Seconds that count toward the total and were over before.
    init(_ timeouts: Timeouts, startedAt: UInt64, elapsed: Double = 0) {
        self.timeouts = timeouts
        self.startedAt = startedAt
        totalDeadline = timeouts.total.map { startedAt + nanoseconds($0 - elapsed) }
    }

    /// libcurl is told to start.
    ///
    /// - Returns: Milliseconds that are left for connecting, where the wait for a place among the look-ups took some.
    mutating func begin(_ now: UInt64) -> Int? {
        let waited = now - startedAt
        defer { begunAt = begunAt ?? now }
        guard begunAt == nil, waited > 0, let connect = timeouts.connect else { return nil }
        let left = nanoseconds(connect) - min(waited, nanoseconds(connect))
        return max(1, Int(left / 1_000_000))
    }

    /// The connection stands.
    mutating func reachServer(_ now: UInt64) { lastActivity = now }

    /// A byte has passed.
    mutating func noteActivity(_ now: UInt64) {
        if lastActivity != nil { lastActivity = now }
    }

    /// When the next of the time-outs may pass; connecting is libcurl's to watch.
    func deadline(isPaused: Bool, isAnswerWhole: Bool) -> UInt64? {
        var deadline = totalDeadline
        if let connect = timeouts.connect, begunAt == nil {
            deadline = min(deadline ?? .max, startedAt + nanoseconds(connect))
        }
        if let idle = patience(isAnswerWhole), let lastActivity, !isPaused {
            deadline = min(deadline ?? .max, lastActivity + nanoseconds(idle))
        }
        return deadline
    }

    func overdue(_ now: UInt64, isPaused: Bool) -> TransferFailure? {
        if let total = timeouts.total, let totalDeadline, totalDeadline <= now {
            return TransferFailure(.totalTimedOut, "the transfer took longer than \(seconds(total))")
        }
        if let connect = timeouts.connect, begunAt == nil, startedAt + nanoseconds(connect) <= now {
            return TransferFailure(.connectTimedOut, "the host name was not looked up within \(seconds(connect))")
        }
        if let idle = timeouts.idle, let lastActivity, !isPaused, lastActivity + nanoseconds(idle) <= now {
            return TransferFailure(.idleTimedOut, "there was no progress for \(seconds(idle))")
        }
        return nil
    }

    /// Whether a server that has answered in full takes nothing more of the body.
    func isLeftWithoutReader(_ now: UInt64) -> Bool {
        guard let lastActivity, let patience = patience(true) else { return false }
        return lastActivity + nanoseconds(patience) <= now
    }

    /// Seconds without a byte until something is done about it.
    private func patience(_ isAnswerWhole: Bool) -> Double? {
        isAnswerWhole ? min(timeouts.idle ?? 1, 1) : timeouts.idle
    }
}

private func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(min(max(0, seconds), 1e9) * 1e9) }

private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value)) s" : "\(value) s"
}
