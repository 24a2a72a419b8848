public import AFHTTP
public import AFTransport
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

extension Request {
    /// The mutable state of a request.
    struct MutableState {
        var settings: Settings
        var id: UUID?
        var lifecycle = Lifecycle()
        /// Whether a handler waits for a request that was not resumed.
        var awaitsStart = false
        var attempt = AttemptRecord()
        /// The attempts before the current one.
        private(set) var earlierAttempts: [AttemptRecord] = []
        var error: AFError?
        var validators: [Validator] = []
        /// Whether the request has ended and released its validators: another attempt would not be validated.
        var hasDroppedValidators = false
        var serializers = SerializerQueue()
        var hooks = Hooks()

        /// All attempts, in order.
        var attempts: [AttemptRecord] { earlierAttempts + [attempt] }
        /// The latest request of any attempt.
        var lastRequest: URLRequest? { latest { $0.adaptedRequest ?? $0.initialRequest } }
        /// The latest task of any attempt: the current one has none before its request is adapted.
        var lastTask: TransferTask? { latest { $0.task } }
        /// The metrics of the latest completed attempt.
        var lastMetrics: TransferMetrics? { latest { $0.metrics } }
        /// The body of the latest task, which may have to be rewound.
        var sentBody: BodySource? { latest { $0.task == nil ? nil : $0 }?.body }

        /// Starts the next attempt.
        mutating func addAttempt() {
            earlierAttempts.append(attempt)
            attempt = AttemptRecord()
        }

        private func latest<Value>(_ property: (AttemptRecord) -> Value?) -> Value? {
            property(attempt) ?? earlierAttempts.reversed().lazy.compactMap(property).first
        }

        typealias Results = (error: AFError?, serialized: SerializerQueue.Results)

        /// Resets the error for another attempt, and returns the results of the failed one.
        mutating func resetError() -> Results { (error.take(), serializers.startOver()) }

        /// Sets the final error according to the retriers' decision.
        mutating func settleFailure(_ result: RetryResult) {
            if !serializers.finishPending(result) { error = error.map(result.error(insteadOf:)) }
        }
    }

    /// The settings of the request, which precede the session's.
    struct Settings {
        var interceptor: (any RequestInterceptor)?
        /// The session's monitors and the request's own combined.
        var eventMonitor: CompositeEventMonitor?
        var credential: URLCredential?
        var redirectHandler: (any RedirectHandler)?
        var cachedResponseHandler: (any CachedResponseHandler)?
    }

    /// The requests, task and results of one attempt.
    struct AttemptRecord {
        /// The request before adapters changed it; `nil` if it is not created yet, or could not be.
        var initialRequest: URLRequest?
        /// The request after adapters changed it; `nil` without adapters.
        var adaptedRequest: URLRequest?
        var task: TransferTask?
        /// The body that the task sends.
        var body: BodySource?
        /// The metrics of the completed task.
        var metrics: TransferMetrics?
        /// The failure of the completed task, from which the request's error is created.
        var failure: AttemptFailure?
        /// The result of validators that ran before the end of the body.
        var earlyValidation: EarlyValidation?
        var uploadProgress = TransferProgress()
        var downloadProgress = TransferProgress()
    }

    struct EarlyValidation {
        /// The number of validators that have run.
        let count: Int
        let failure: AFError?
    }

    /// A check of an attempt's response; its error ends the attempt.
    package typealias Validator = @Sendable (HTTPURLResponse) -> AFError?

    /// The state of the request.
    public var state: State { mutableState.withLock({ $0.lifecycle.state }) }
    /// Whether the request was neither resumed nor suspended nor canceled.
    public var isInitialized: Bool { state == .initialized }
    /// Whether the request is in progress.
    public var isResumed: Bool { state == .resumed }
    /// Whether the request is suspended until ``Request/resume()``.
    public var isSuspended: Bool { state == .suspended }
    /// Whether the request was canceled, even if it has not ended yet.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether the request has ended and was not canceled.
    public var isFinished: Bool { state == .finished }

    /// The number of retries so far. The exchanges of a resumable upload that follow each other are not retries.
    public var retryCount: Int { mutableState.withLock({ $0.lifecycle.retryCount }) }

    /// All requests of all attempts, initial and adapted ones.
    public var requests: [URLRequest] {
        mutableState.withLock({ $0.attempts }).flatMap { [$0.initialRequest, $0.adaptedRequest].compactMap(\.self) }
    }
    /// The first of ``requests``.
    public var firstRequest: URLRequest? { requests.first }
    /// The latest of ``requests``.
    public var lastRequest: URLRequest? { mutableState.withLock({ $0.lastRequest }) }
    /// The ``lastRequest``.
    public var request: URLRequest? { lastRequest }
    /// The latest request of each task, after redirects.
    public var performedRequests: [URLRequest] { tasks.map(\.currentRequest) }

    /// The tasks of all attempts.
    public var tasks: [TransferTask] { mutableState.withLock({ $0.attempts }).compactMap(\.task) }
    /// The first of ``tasks``.
    public var firstTask: TransferTask? { tasks.first }
    /// The latest of ``tasks``.
    public var lastTask: TransferTask? { mutableState.withLock({ $0.lastTask }) }
    /// The ``lastTask``.
    public var task: TransferTask? { lastTask }
    /// The latest response header.
    public var response: HTTPURLResponse? { lastTask?.response }

    /// The task of the latest attempt; `nil` if it has none yet.
    var attemptTask: TransferTask? { mutableState.withLock { $0.attempt.task } }

    /// The metrics of all completed attempts.
    public var allMetrics: [TransferMetrics] { mutableState.withLock({ $0.attempts }).compactMap(\.metrics) }
    /// The first of ``allMetrics``.
    public var firstMetrics: TransferMetrics? { allMetrics.first }
    /// The latest of ``allMetrics``.
    public var lastMetrics: TransferMetrics? { mutableState.withLock({ $0.lastMetrics }) }
    /// The ``lastMetrics``.
    public var metrics: TransferMetrics? { lastMetrics }

    /// The error of the latest attempt.
    public var error: AFError? { mutableState.withLock({ $0.error }) }
    /// The credential set by ``Request/authenticate(with:)``.
    public var credential: URLCredential? { mutableState.withLock({ $0.settings.credential }) }
    /// The last closure of `uploadProgress(queue:closure:)`.
    public var uploadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        mutableState.withLock { $0.hooks.uploadProgress.map { ($0.closure, $0.queue) } }
    }
    /// The last closure of `downloadProgress(queue:closure:)`.
    public var downloadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        mutableState.withLock { $0.hooks.downloadProgress.map { ($0.closure, $0.queue) } }
    }

    /// The request's own handler, which replaces the session's.
    public var cachedResponseHandler: (any CachedResponseHandler)? {
        mutableState.withLock({ $0.settings.cachedResponseHandler })
    }
    /// The request's own handler, which replaces the session's.
    public var redirectHandler: (any RedirectHandler)? { mutableState.withLock({ $0.settings.redirectHandler }) }
    /// The progress of the request body in the latest attempt.
    public var uploadProgress: TransferProgress { mutableState.withLock({ $0.attempt.uploadProgress }) }
    /// The progress of the response body in the latest attempt.
    public var downloadProgress: TransferProgress { mutableState.withLock({ $0.attempt.downloadProgress }) }
    /// The progress of the response bodies of all attempts, in order.
    package var downloadProgressOfAttempts: [TransferProgress] {
        mutableState.withLock { $0.attempts.map(\.downloadProgress) }
    }
}

extension Request.MutableState: OrderedState {
    /// A segment reads the state of its download.
    static var outerState: (any OrderedState.Type)? { Request.MutableState.self }
}

extension TransferTask.MutableState: OrderedState {
    static var outerState: (any OrderedState.Type)? { Request.MutableState.self }
}
