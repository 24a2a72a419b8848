public import AFHTTP
public import AFTransport
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

extension Request {
    /// Everything about a request that changes.
    struct Contents {
        var interceptor: (any RequestInterceptor)?
        var eventMonitor: CompositeEventMonitor?
        var id: UUID?
        var lifecycle = Lifecycle()
        /// Whether somebody waits for a request that nobody has resumed.
        var awaitsStart = false
        var requests: [URLRequest] = []
        var tasks: [TransferTask] = []
        /// Whether the latest task is the latest attempt's, which has none before its request is adapted.
        var hasTask = false
        var metrics: [TransferMetrics] = []
        var error: AFError?
        var credential: URLCredential?
        var cachedResponseHandler: (any CachedResponseHandler)?
        var validators: [Validator] = []
        /// Whether the request ended and let go of its validators: another attempt would pass without them.
        var hasDroppedValidators = false
        var jobs = SerializerQueue()
        /// How many times somebody wanted the next serializer to run, and it has not been seen to yet.
        var owedSerializers = 0
        /// A serializer's error while the retriers are asked about it.
        var heldFailure: HeldFailure?
        /// Seconds until the next attempt.
        var retryDelay = 0.0
        /// What the last attempt sent, to tell what has to be rewound.
        var sentBody: BodySource?
        var uploadProgress = TransferProgress()
        var downloadProgress = TransferProgress()
        var hooks = Hooks()
        /// A task whose head is being judged.
        var held: HeldTask?
        var uploadHandler: ProgressLimiter?
        var downloadHandler: ProgressLimiter?
        var redirectHandler: (any RedirectHandler)?

        /// Another attempt is decided on: what went wrong and what was made of it counts no more.
        mutating func forgive() {
            error = nil
            heldFailure = nil
            jobs.startOver()
        }

        /// There is no other attempt: the retriers' verdict stands.
        mutating func convict(_ verdict: RetryResult) {
            if let held = heldFailure.take() {
                jobs.appendCompletion { held.deliver(verdict.error(insteadOf: held.error)) }
            } else {
                error = error.map(verdict.error(insteadOf:))
            }
        }
    }

    struct HeldFailure {
        let error: AFError
        let deliver: @Sendable (AFError) -> Void
    }

    /// Looks at the response of an attempt; the error it gives ends the attempt.
    typealias Validator = @Sendable (Request) -> AFError?

    /// Where the request is in its life.
    public var state: State { contents.withLock({ $0.lifecycle.state }) }
    /// Whether nobody has resumed, suspended or cancelled it.
    public var isInitialized: Bool { state == .initialized }
    /// Whether it is under way.
    public var isResumed: Bool { state == .resumed }
    /// Whether it waits for ``Request/resume()``.
    public var isSuspended: Bool { state == .suspended }
    /// Whether it was cancelled, be it over or not.
    public var isCancelled: Bool { state == .cancelled }
    /// Whether it is over, and was not cancelled.
    public var isFinished: Bool { state == .finished }

    /// How often the request has been tried again.
    public var retryCount: Int { contents.withLock({ $0.lifecycle.retryCount }) }

    /// Every request made, adapted ones besides their originals, of all attempts.
    public var requests: [URLRequest] { contents.withLock({ $0.requests }) }
    /// The first of ``requests``.
    public var firstRequest: URLRequest? { contents.withLock({ $0.requests.first }) }
    /// The latest of ``requests``.
    public var lastRequest: URLRequest? { contents.withLock({ $0.requests.last }) }
    /// The same as ``lastRequest``.
    public var request: URLRequest? { lastRequest }
    /// The latest request of each task, redirects included.
    public var performedRequests: [URLRequest] { tasks.map(\.currentRequest) }

    /// The task of every attempt.
    public var tasks: [TransferTask] { contents.withLock({ $0.tasks }) }
    /// The first of ``tasks``.
    public var firstTask: TransferTask? { contents.withLock({ $0.tasks.first }) }
    /// The latest of ``tasks``.
    public var lastTask: TransferTask? { contents.withLock({ $0.tasks.last }) }
    /// The same as ``lastTask``.
    public var task: TransferTask? { lastTask }
    /// The latest response head.
    public var response: HTTPURLResponse? { lastTask?.response }

    /// The latest attempt's task, where it got so far.
    var attemptTask: TransferTask? { contents.withLock { $0.hasTask ? $0.tasks.last : nil } }

    /// The metrics of every attempt that is over.
    public var allMetrics: [TransferMetrics] { contents.withLock({ $0.metrics }) }
    /// The first of ``allMetrics``.
    public var firstMetrics: TransferMetrics? { contents.withLock({ $0.metrics.first }) }
    /// The latest of ``allMetrics``.
    public var lastMetrics: TransferMetrics? { contents.withLock({ $0.metrics.last }) }
    /// The same as ``lastMetrics``.
    public var metrics: TransferMetrics? { lastMetrics }

    /// What went wrong, in the latest attempt.
    public var error: AFError? { contents.withLock({ $0.error }) }
    /// What ``Request/authenticate(with:)`` was given.
    public var credential: URLCredential? { contents.withLock({ $0.credential }) }
    /// What `uploadProgress(queue:closure:)` was given last.
    public var uploadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        contents.withLock { $0.uploadHandler.map { ($0.closure, $0.queue) } }
    }
    /// What `downloadProgress(queue:closure:)` was given last.
    public var downloadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        contents.withLock { $0.downloadHandler.map { ($0.closure, $0.queue) } }
    }

    /// The request's own, which goes before the session's.
    public var cachedResponseHandler: (any CachedResponseHandler)? { contents.withLock({ $0.cachedResponseHandler }) }
    /// The request's own, which goes before the session's.
    public var redirectHandler: (any RedirectHandler)? { contents.withLock({ $0.redirectHandler }) }
    /// How far the request body has gone out in the latest attempt.
    public var uploadProgress: TransferProgress { contents.withLock({ $0.uploadProgress }) }
    /// How far the response body has come in in the latest attempt.
    public var downloadProgress: TransferProgress { contents.withLock({ $0.downloadProgress }) }
}
