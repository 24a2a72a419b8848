public import AFHTTP
public import AFTransport
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

extension Request {
    /// The mutable state of a request.
    struct MutableState {
        var interceptor: (any RequestInterceptor)?
        var eventMonitor: CompositeEventMonitor?
        var id: UUID?
        var lifecycle = Lifecycle()
        /// Whether a handler waits for a request that was not resumed.
        var awaitsStart = false
        var requests = SmallList<URLRequest>()
        var tasks = SmallList<TransferTask>()
        /// Whether the latest task belongs to the latest attempt, which has none before its request is adapted.
        var hasTask = false
        var metrics = SmallList<TransferMetrics>()
        var error: AFError?
        var credential: URLCredential?
        var cachedResponseHandler: (any CachedResponseHandler)?
        var validators: [Validator] = []
        /// Whether the request has ended and released its validators: another attempt would not be validated.
        var hasDroppedValidators = false
        var jobs = SerializerQueue()
        /// The number of pending calls to run the next serializer.
        var pendingSerializerRuns = 0
        /// The error of a serializer while the retriers decide.
        var heldFailure: HeldFailure?
        /// The seconds until the next attempt.
        var retryDelay = 0.0
        /// The body of the last attempt, which may have to be rewound.
        var sentBody: BodySource?
        var uploadProgress = TransferProgress()
        var downloadProgress = TransferProgress()
        var hooks = Hooks()
        var uploadHandler: ProgressLimiter?
        var downloadHandler: ProgressLimiter?
        var redirectHandler: (any RedirectHandler)?

        /// Resets the error for another attempt.
        mutating func resetError() {
            error = nil
            heldFailure = nil
            jobs.startOver()
        }

        /// Sets the final error according to the retriers' decision.
        mutating func settleFailure(_ result: RetryResult) {
            if let held = heldFailure.take() {
                jobs.append(SerializerQueue.Completion { _ in held.deliver(result.error(insteadOf: held.error)) })
            } else {
                error = error.map(result.error(insteadOf:))
            }
        }
    }

    struct HeldFailure {
        let error: AFError
        let deliver: @Sendable (AFError) -> Void
    }

    /// A check of an attempt's response; its error ends the attempt.
    typealias Validator = @Sendable (Request) -> AFError?

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

    /// The number of retries so far.
    public var retryCount: Int { mutableState.withLock({ $0.lifecycle.retryCount }) }

    /// All requests of all attempts, initial and adapted ones.
    public var requests: [URLRequest] { mutableState.withLock({ $0.requests.all }) }
    /// The first of ``requests``.
    public var firstRequest: URLRequest? { mutableState.withLock({ $0.requests.first }) }
    /// The latest of ``requests``.
    public var lastRequest: URLRequest? { mutableState.withLock({ $0.requests.last }) }
    /// The ``lastRequest``.
    public var request: URLRequest? { lastRequest }
    /// The latest request of each task, after redirects.
    public var performedRequests: [URLRequest] { tasks.map(\.currentRequest) }

    /// The tasks of all attempts.
    public var tasks: [TransferTask] { mutableState.withLock({ $0.tasks.all }) }
    /// The first of ``tasks``.
    public var firstTask: TransferTask? { mutableState.withLock({ $0.tasks.first }) }
    /// The latest of ``tasks``.
    public var lastTask: TransferTask? { mutableState.withLock({ $0.tasks.last }) }
    /// The ``lastTask``.
    public var task: TransferTask? { lastTask }
    /// The latest response header.
    public var response: HTTPURLResponse? { lastTask?.response }

    /// The task of the latest attempt; `nil` if it has none yet.
    var attemptTask: TransferTask? { mutableState.withLock { $0.hasTask ? $0.tasks.last : nil } }

    /// The metrics of all completed attempts.
    public var allMetrics: [TransferMetrics] { mutableState.withLock({ $0.metrics.all }) }
    /// The first of ``allMetrics``.
    public var firstMetrics: TransferMetrics? { mutableState.withLock({ $0.metrics.first }) }
    /// The latest of ``allMetrics``.
    public var lastMetrics: TransferMetrics? { mutableState.withLock({ $0.metrics.last }) }
    /// The ``lastMetrics``.
    public var metrics: TransferMetrics? { lastMetrics }

    /// The error of the latest attempt.
    public var error: AFError? { mutableState.withLock({ $0.error }) }
    /// The credential set by ``Request/authenticate(with:)``.
    public var credential: URLCredential? { mutableState.withLock({ $0.credential }) }
    /// The last closure of `uploadProgress(queue:closure:)`.
    public var uploadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        mutableState.withLock { $0.uploadHandler.map { ($0.closure, $0.queue) } }
    }
    /// The last closure of `downloadProgress(queue:closure:)`.
    public var downloadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        mutableState.withLock { $0.downloadHandler.map { ($0.closure, $0.queue) } }
    }

    /// The request's own handler, which replaces the session's.
    public var cachedResponseHandler: (any CachedResponseHandler)? {
        mutableState.withLock({ $0.cachedResponseHandler })
    }
    /// The request's own handler, which replaces the session's.
    public var redirectHandler: (any RedirectHandler)? { mutableState.withLock({ $0.redirectHandler }) }
    /// The progress of the request body in the latest attempt.
    public var uploadProgress: TransferProgress { mutableState.withLock({ $0.uploadProgress }) }
    /// The progress of the response body in the latest attempt.
    public var downloadProgress: TransferProgress { mutableState.withLock({ $0.downloadProgress }) }
}
