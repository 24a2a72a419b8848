/// The end of a wait, after which it fails.
public struct Deadline: Sendable {
    /// `AFCLI_PATIENCE` in seconds, or 120: long enough for a machine under load, and shorter than the time limits of
    /// suites, so that the failure names the awaited event.
    public static let timeout: Duration = .seconds(environmentVariable("AFCLI_PATIENCE").flatMap { Int($0) } ?? 120)

    private let instant: ContinuousClock.Instant
    private let limit: Duration

    public static func after(_ limit: Duration) -> Deadline {
        Deadline(instant: .now + limit, limit: limit)
    }

    public var hasPassed: Bool { ContinuousClock.now >= instant }

    /// The remaining time, at least 0.
    public var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: instant)) }

    func failure(_ awaited: String) -> DeadlinePassed { DeadlinePassed(awaited: awaited, limit: limit) }
}

/// The error of a condition that was not met in time.
public struct DeadlinePassed: Error, CustomStringConvertible {
    /// The awaited event, as a clause: `2 requests have arrived`.
    public let awaited: String
    public let limit: Duration

    public var description: String { "waited \(limit) in vain until \(awaited)" }
}

/// Waits until the condition is true: waits for another thread without a fixed delay.
///
/// ```swift
/// try await eventually("the pool is empty") { server.openConnections == 0 }
/// ```
///
/// - Parameter event: A clause that completes "waited in vain until …".
/// - Throws: ``DeadlinePassed``, or the error of the condition.
public nonisolated(nonsending) func eventually(
    _ event: @autoclosure () -> String,
    within limit: Duration = Deadline.timeout,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = Deadline.after(limit)
    while try await !condition() {
        guard !deadline.hasPassed else { throw deadline.failure(event()) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Checks for a short time that an event does not occur.
///
/// ```swift
/// try await remains("nothing more came") { collector.record.body.isEmpty }
/// ```
///
/// - Parameter state: The expected state, as a clause.
/// - Throws: ``StateChanged`` when the condition is false, or the error of the condition.
public nonisolated(nonsending) func remains(
    _ state: String,
    for time: Duration = .milliseconds(50),
    _ condition: () async throws -> Bool
) async throws {
    let end = Deadline.after(time)
    while !end.hasPassed {
        guard try await condition() else { throw StateChanged(state: state) }
        try await Task.sleep(for: .milliseconds(2))
    }
    guard try await condition() else { throw StateChanged(state: state) }
}

/// The error of a state that changed unexpectedly.
public struct StateChanged: Error, CustomStringConvertible {
    public let state: String

    public var description: String { "no longer true: \(state)" }
}
