/// The serializers of a request in the order they were added, and the callers that wait for them.
///
/// Nobody is called before all have run, so that several handlers of one request see the same end.
struct SerializerQueue {
    /// Makes one value of the response; reports with ``Request/serializerDidEnd(_:deliver:)``.
    typealias Job = @Sendable (Request) -> Void
    typealias FinishHandler = @Sendable (Request) -> Void

    struct Callers {
        let completions: [@Sendable () -> Void]
        let finishHandlers: [FinishHandler]
        /// Served their time. They go with the callers and not under a lock: what they hold may be anybody's.
        fileprivate let jobs: [Job]
    }

    private var jobs: [Job] = []
    private var next = 0
    private var completions: [@Sendable () -> Void] = []
    private var finishHandlers: [FinishHandler] = []

    mutating func append(_ job: @escaping Job) { jobs.append(job) }

    mutating func append(finishHandler: @escaping FinishHandler) { finishHandlers.append(finishHandler) }

    /// The next one to run; `nil` when all have.
    mutating func popJob() -> Job? {
        guard next < jobs.count else { return nil }
        defer { next += 1 }
        return jobs[next]
    }

    mutating func appendCompletion(_ completion: @escaping @Sendable () -> Void) { completions.append(completion) }

    /// All callers. Nothing is left behind, so that a serializer added later does not call them again.
    mutating func takeCallers() -> Callers {
        defer { self = SerializerQueue() }
        return Callers(completions: completions, finishHandlers: finishHandlers, jobs: jobs)
    }

    /// Another attempt: every serializer runs again, and what was made of the last attempt is forgotten.
    mutating func startOver() {
        next = 0
        completions = []
    }
}
