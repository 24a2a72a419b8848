/// The serializers of a request in the order they were added, and their results.
///
/// Handlers are called after all serializers have run, so that they all see the same result.
struct SerializerQueue {
    /// A serializer, and its result.
    ///
    /// A structure around closures: Swift 6.3 converts a closure in a generic list, with an allocation, at each access.
    struct Entry: Sendable {
        /// Serializes one value; reports with ``Request/serializerDidEnd(_:deliver:)``.
        let run: @Sendable () -> Void
        /// Set when the serializer has ended.
        fileprivate(set) var deliver: Delivery?
    }

    /// Calls the response handler; with an error if that replaces the serializer's own.
    typealias Delivery = @Sendable (AFError?) -> Void
    typealias FinishHandler = @Sendable (Request) -> Void

    /// The handlers to call, released outside of locks, as that may run user code.
    struct Finished {
        let finishHandlers: [FinishHandler]
        let entries: [Entry]
    }

    /// The results of an attempt, released outside of locks.
    struct Results {
        fileprivate let entries: [Entry]
        fileprivate let undecided: Failure?
    }

    fileprivate struct Failure {
        let error: AFError
        let deliver: Delivery
    }

    private var entries: [Entry] = []
    private var next = 0
    private var finishHandlers: [FinishHandler] = []
    /// The failure of the latest serializer while the retriers decide.
    private var undecided: Failure?
    /// The number of calls to run the next serializer: the first one runs the others' serializers, too.
    private var pendingRuns = 0

    /// The error about which the retriers decide; `nil` if it is not a serializer's.
    var undecidedError: AFError? { undecided?.error }

    mutating func append(_ serializer: @escaping @Sendable () -> Void) { entries.append(Entry(run: serializer)) }

    mutating func append(finishHandler: @escaping FinishHandler) { finishHandlers.append(finishHandler) }

    /// Records a call to run the next serializer.
    ///
    /// - Returns: Whether the caller runs it.
    mutating func beginRun() -> Bool {
        pendingRuns += 1
        return pendingRuns == 1
    }

    /// Records that the caller has run a serializer.
    ///
    /// - Returns: Whether it runs the next one for another call.
    mutating func endRun() -> Bool {
        pendingRuns -= 1
        return pendingRuns > 0
    }

    /// Returns the next serializer; `nil` if all have run.
    mutating func popNext() -> Entry? {
        guard next < entries.count else { return nil }
        defer { next += 1 }
        return entries[next]
    }

    /// Records the result of the serializer that ran last.
    mutating func didEnd(_ deliver: @escaping Delivery) { entries[next - 1].deliver = deliver }

    /// Records the failure of the serializer that ran last, about which the retriers decide.
    mutating func didFail(_ error: AFError, _ deliver: @escaping Delivery) {
        undecided = Failure(error: error, deliver: deliver)
    }

    /// Completes a serializer's failure according to the retriers' decision.
    ///
    /// - Returns: Whether there was one.
    mutating func finishPending(_ result: RetryResult) -> Bool {
        guard let failure = undecided.take() else { return false }
        didEnd { _ in failure.deliver(result.error(insteadOf: failure.error)) }
        return true
    }

    /// Removes and returns all handlers, so that a serializer added later does not call them again.
    mutating func takeFinished() -> Finished {
        defer { (entries, next, finishHandlers) = ([], 0, []) }
        return Finished(finishHandlers: finishHandlers, entries: entries)
    }

    /// Resets the queue for another attempt, and returns the results: every serializer runs again.
    @discardableResult
    mutating func startOver() -> Results {
        defer {
            (next, undecided) = (0, nil)
            for index in entries.indices { entries[index].deliver = nil }
        }
        return Results(entries: entries, undecided: undecided)
    }
}
