/// The serializers of a request in the order they were added, and the callers that wait for them.
///
/// Nobody is called before all have run, so that several handlers of one request see the same end.
struct SerializerQueue {
    /// Makes one value of the response; reports with ``Request/serializerDidEnd(calling:)``.
    typealias Job = @Sendable (Request) -> Void

    private var jobs: [Job] = []
    private var next = 0
    private var completions: [@Sendable () -> Void] = []
    private var finishHandlers: [@Sendable () -> Void] = []

    var isEmpty: Bool { jobs.isEmpty }

    mutating func append(_ job: @escaping Job) { jobs.append(job) }

    mutating func appendFinishHandler(_ handler: @escaping @Sendable () -> Void) { finishHandlers.append(handler) }

    /// The next one to run; `nil` when all have.
    mutating func popJob() -> Job? {
        guard next < jobs.count else { return nil }
        defer { next += 1 }
        return jobs[next]
    }

    mutating func appendCompletion(_ completion: @escaping @Sendable () -> Void) { completions.append(completion) }

    /// Whoever waits for values, then whoever waits for the end of everything.
    mutating func takeCompletions() -> [@Sendable () -> Void] {
        defer { self = SerializerQueue() }
        return completions + finishHandlers
    }

    /// Another attempt: every serializer runs again, and what was made of the last attempt is forgotten.
    mutating func startOver() {
        next = 0
        completions = []
    }
}
