/// The timestamps of a transfer and its timeouts, in nanoseconds of the loop's clock.
struct TransferClock {
    private let timeouts: Timeouts
    private let startedAt: UInt64
    private let totalDeadline: UInt64?
    /// The time at which libcurl was started, and the first byte of the latest header.
    private(set) var begunAt: UInt64?
    var headStartedAt: UInt64?
    /// The time of the last byte; `nil` before the connection is established. Until then libcurl enforces the connect
    /// timeout, and waiting for a free connection is limited by the total timeout only.
    private(set) var lastActivity: UInt64?

    /// Creates a clock.
    ///
    /// - Parameter elapsed: Seconds of earlier hops that count toward the total timeout.
    init(_ timeouts: Timeouts, startedAt: UInt64, elapsed: Double = 0) {
        self.timeouts = timeouts
        self.startedAt = startedAt
        totalDeadline = timeouts.total.map { startedAt + nanoseconds($0 - elapsed) }
    }

    /// Records the start of the transfer.
    ///
    /// - Returns: The remaining connect timeout in milliseconds, if the transfer waited for a lookup.
    mutating func begin(_ now: UInt64) -> Int? {
        let waited = now - startedAt
        defer { begunAt = begunAt ?? now }
        guard begunAt == nil, waited > 0, let connect = timeouts.connect else { return nil }
        let left = nanoseconds(connect) - min(waited, nanoseconds(connect))
        return max(1, Int(left / 1_000_000))
    }

    /// Returns the seconds from libcurl's first start to a time.
    func secondsBefore(_ time: UInt64?) -> Double {
        guard let begunAt, let time, time > begunAt else { return 0 }
        return Double(time - begunAt) / 1e9
    }

    /// Records that the connection is established.
    mutating func connected(_ now: UInt64) { lastActivity = now }

    /// Records that a byte was transferred.
    mutating func recordActivity(_ now: UInt64) {
        if lastActivity != nil { lastActivity = now }
    }

    /// The seconds since libcurl was started, or since the start of a transfer that still waits for that.
    func elapsed(_ now: UInt64) -> Double { Double(now - (begunAt ?? startedAt)) / 1e9 }

    /// Ends the idle timeout, as a connection with another protocol may be silent.
    mutating func endIdleTimeout() { lastActivity = nil }

    /// Returns the next time at which a timeout may expire; libcurl watches the connect timeout.
    func deadline(isPaused: Bool, hasEarlyResponse: Bool) -> UInt64? {
        var deadline = totalDeadline
        if let connect = timeouts.connect, begunAt == nil {
            deadline = min(deadline ?? .max, startedAt + nanoseconds(connect))
        }
        if let idle = idleTimeout(hasEarlyResponse), let lastActivity, !isPaused {
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
        if let idle = timeouts.idle, let lastActivity, !isPaused,
            Safety.refuses("21-silence", lastActivity + nanoseconds(idle) <= now)
        {
            return TransferFailure(.idleTimedOut, "there was no progress for \(seconds(idle))")
        }
        return nil
    }

    /// Whether the server has sent a complete response and stopped reading the request body.
    func serverStoppedReading(_ now: UInt64) -> Bool {
        guard let lastActivity, let timeout = idleTimeout(true) else { return false }
        return lastActivity + nanoseconds(timeout) <= now
    }

    /// Returns the seconds of inactivity before the transfer is ended or its body is dropped.
    private func idleTimeout(_ hasEarlyResponse: Bool) -> Double? {
        hasEarlyResponse ? min(timeouts.idle ?? 1, 1) : timeouts.idle
    }
}

private func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(min(max(0, seconds), 1e9) * 1e9) }

private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value)) s" : "\(value) s"
}
