/// The serializers of a request in the order they were added, and the waiting handlers.
///
/// Handlers are called after all serializers have run, so that they all see the same result.
struct SerializerQueue {
    // Structures around closures: a closure in a generic list is converted, with an allocation, at each access.

    /// Serializes one value; reports with ``Request/serializerDidEnd(_:deliver:)``.
    struct Job: Sendable {
        let run: @Sendable (Request) -> Void
    }

    /// Calls the response handler; with an error if that replaces the serializer's own.
    struct Completion: Sendable {
        let call: @Sendable (AFError?) -> Void
    }

    typealias FinishHandler = @Sendable (Request) -> Void

    struct FinishedHandlers {
        let completions: SmallList<Completion>
        let finishHandlers: [FinishHandler]
        /// Completed serializers, released together with the handlers and outside of locks, as that may run user code.
        fileprivate let jobs: SmallList<Job>
    }

    private var jobs = SmallList<Job>()
    private var next = 0
    private var completions = SmallList<Completion>()
    private var finishHandlers: [FinishHandler] = []

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func append(finishHandler: @escaping FinishHandler) { finishHandlers.append(finishHandler) }

    /// Removes and returns the next serializer; `nil` if all have run.
    mutating func popJob() -> Job? {
        guard next < jobs.count else { return nil }
        defer { next += 1 }
        return jobs[next]
    }

    mutating func append(_ completion: Completion) { completions.append(completion) }

    /// Removes and returns all handlers, so that a serializer added later does not call them again.
    mutating func takeFinishedHandlers() -> FinishedHandlers {
        defer { self = SerializerQueue() }
        return FinishedHandlers(completions: completions, finishHandlers: finishHandlers, jobs: jobs)
    }

    /// Resets the queue for another attempt: every serializer runs again.
    mutating func startOver() {
        next = 0
        completions = SmallList()
    }
}
