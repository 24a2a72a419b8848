public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// The base class of data, upload, download and stream requests.
///
/// `Lifecycle` has the rules, applied under a lock; their effects run outside of it, so that user code may call back.
/// Subclasses override the differences. Some are in other targets of the package. Another module can only override open
/// methods, so these are open, and hidden by `@_spi`. Other packages have no subclasses: the initializer is `package`.
///
/// `@unchecked` because the class is subclassed; every stored property is immutable, atomic or a `Mutex`.
open class Request: @unchecked Sendable {
    /// The state of a request. A canceled request stays so; a finished one is resumed only temporarily by a handler
    /// that is added late.
    public enum State: Hashable, Sendable {
        /// The request was not resumed.
        case initialized
        /// The request is in progress.
        case resumed
        /// The request is suspended until ``Request/resume()``.
        case suspended
        /// The request was canceled.
        case cancelled
        /// The request has ended, successfully or not.
        case finished
    }

    /// The result of a validation.
    public typealias ValidationResult = Result<Void, any Error>

    /// A progress closure.
    public typealias ProgressHandler = @Sendable (TransferProgress) -> Void

    /// The session's ``Session/rootQueue``: the serial queue of redirect handlers, handlers of cached responses, retriers
    /// and validators. The state changes on any thread, under a lock.
    public let underlyingQueue: DispatchQueue
    /// The queue of serializers.
    public let serializationQueue: DispatchQueue
    /// Whether adding a response handler resumes the request; `nil` uses the session's setting.
    public let shouldAutomaticallyResume: Bool?
    /// The queue of the validators.
    let validationQueue: DispatchQueue
    /// Whether the session's cache may serve and store responses to the request.
    let isCacheable: Bool
    let mutableState: OrderedMutex<MutableState>
    /// Whether there are monitors besides the session's.
    let hasOwnMonitors = Atomic(false)
    /// Whether the request is one of several exchanges: others take no lock for each chunk of a body.
    let hasExchanges = Atomic(false)
    package let sessionMonitor: CompositeEventMonitor?
    /// Weak: the session retains its active requests.
    package weak let session: Session?

    /// - Parameter validationQueue: By default the session's.
    package init(_ origin: RequestOrigin, validationQueue: DispatchQueue? = nil, isCacheable: Bool = false) {
        underlyingQueue = origin.session.rootQueue
        serializationQueue = origin.session.serializationQueue
        self.validationQueue = validationQueue ?? origin.session.rootQueue
        self.isCacheable = isCacheable
        shouldAutomaticallyResume = origin.shouldAutomaticallyResume
        session = origin.session
        sessionMonitor = origin.session.eventMonitor
        mutableState = OrderedMutex(
            MutableState(settings: Settings(interceptor: origin.interceptor, eventMonitor: sessionMonitor)))
    }

    deinit {
        if mutableState.withLock({ $0.awaitsStart }) { session?.untrack(self) }
    }

    /// The monitors; `nil` if none observes events. Every event reads them: without monitors of its own, a request takes
    /// no lock, which would be 1,500 of the 220,000 instructions of a small one, and without observers an event creates no
    /// closure, which would be 8,000.
    package var observers: CompositeEventMonitor? {
        if hasOwnMonitors.load(ordering: .acquiring) { return mutableState.withLock { $0.settings.eventMonitor } }
        return sessionMonitor?.observesEvents == true ? sessionMonitor : nil
    }

    /// The unique identifier of the request.
    public var id: UUID {
        // Lazy: creating a UUID takes a system call.
        mutableState.withLock { mutableState in
            let id = mutableState.id ?? .random
            mutableState.id = id
            return id
        }
    }

    // Calls of the program

    /// Starts or resumes the request.
    @discardableResult
    public func resume() -> Self {
        apply({ $0.lifecycle.resume() }, report: { $0.requestDidResume($1) }, then: perform)
        return self
    }

    /// Suspends the transfer until ``resume()``; before the first `resume()` nothing is started.
    @discardableResult
    public func suspend() -> Self {
        apply({ $0.lifecycle.suspend() }, report: { $0.requestDidSuspend($1) }) { if $0 { applyStateToTask() } }
        return self
    }

    /// Ends the request with `AFError.explicitlyCancelled`, unless it failed before. Handlers are called nevertheless.
    @discardableResult
    public func cancel() -> Self {
        cancel(because: .explicitlyCancelled)
        return self
    }

    /// Sets the credential, used with the schemes in ``SessionConfiguration/authenticationKinds``.
    ///
    /// If the server rejects the credential, the 401 is the response. After a redirect to another origin the credential
    /// is not sent, unless ``RedirectPolicy/trustsOtherOrigins`` is set.
    ///
    /// - Parameter persistence: Whether the session may reuse it for later requests to the same server after it was
    ///   accepted.
    @discardableResult
    public func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence = .forSession
    ) -> Self {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Sets the credential; see ``authenticate(username:password:persistence:)``.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        mutableState.withLock { $0.settings.credential = credential }
        return self
    }

    /// Sets the handler that decides how the session's cache stores the responses, instead of the session's handler.
    ///
    /// Must be called once, before response handlers are added; a second call stops the program.
    @discardableResult
    public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
        let isFirst = mutableState.withLock { mutableState in
            defer { mutableState.settings.cachedResponseHandler = handler }
            return mutableState.settings.cachedResponseHandler == nil
        }
        precondition(isFirst, "the request has a handler of cached responses already")
        return self
    }

    // Disfavored: another module may offer the same methods with its own type of progress.
    /// Calls the closure as the request body is sent. A later closure replaces an earlier one.
    ///
    /// Its last call precedes the response if both use the same serial queue, or if the queue is the session's
    /// ``Session/rootQueue``.
    @discardableResult @_disfavoredOverload
    public func uploadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping ProgressHandler
    ) -> Self {
        var handler = Optional(ProgressLimiter(queue: queue, closure: closure))
        mutableState.withLock { swap(&$0.hooks.uploadProgress, &handler) }
        return self
    }

    /// Calls the closure as the response body is received. A later closure replaces an earlier one.
    ///
    /// Its last call precedes the response if both use the same serial queue, or if the queue is the session's
    /// ``Session/rootQueue``.
    @discardableResult @_disfavoredOverload
    public func downloadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping ProgressHandler
    ) -> Self {
        var handler = Optional(ProgressLimiter(queue: queue, closure: closure))
        mutableState.withLock { swap(&$0.hooks.downloadProgress, &handler) }
        return self
    }

    // Overridden by subclasses

    /// Starts an attempt, counted from zero: discards the data of the one before, and returns what the attempt needs
    /// before ``makeURLRequest()``.
    @_spi(Requests) open func startAttempt(_ number: Int) -> Preparation { .queue }

    /// Creates the request of an attempt.
    ///
    /// - Throws: The error with which the attempt fails.
    @_spi(Requests) open func makeURLRequest() throws(AFError) -> URLRequest { throw AFError.explicitlyCancelled }

    /// Creates the body of an attempt if the request does not contain it.
    ///
    /// - Throws: The error with which the attempt fails.
    @_spi(Requests) open func makeBody(for request: URLRequest) throws(AFError) -> BodySource? { nil }

    /// Sets the properties of an attempt's first hop that depend on the kind of request.
    @_spi(Requests) open func configure(_ hop: inout Hop) {}

    /// Receives the final response's header, on the transport's thread.
    @_spi(Requests) open func receive(_ response: HTTPURLResponse) {}

    /// Whether the content coding of a body is decoded, if the session does that; `nil` if that is not known yet: the
    /// body waits until the task is drained. Called on the transport's thread.
    @_spi(Requests) open func decodesBody(of response: HTTPURLResponse) -> Bool? { true }

    /// Receives the bytes of an encoded body before they were decoded, on the transport's thread.
    @_spi(Requests) open func receiveEncoded(_ bytes: UnsafeRawBufferPointer) {}

    /// Receives bytes of the final response's body, on the transport's thread.
    @_spi(Requests) open func receive(_ bytes: UnsafeRawBufferPointer) -> Flow { .proceed }

    /// Completes the attempt's transfer, and calls ``endTransfer(_:)`` when no other transfer of the attempt is in
    /// progress, on any thread.
    @_spi(Requests) open func finishTransfer(_ end: TransferEnd) { endTransfer(end) }

    /// Completes the attempt after its validation, and calls ``endAttempt(with:)`` with its failure, on any thread.
    @_spi(Requests) open func finishAttempt(with failure: AttemptFailure?) { endAttempt(with: failure) }

    /// Returns whether a failed attempt is repeated, before retriers are asked.
    @_spi(Requests) open func retryRule() -> RetryRule { .askRetriers }

    /// Releases the request's resources at its end.
    @_spi(Requests) open func cleanUp() {}
}

extension Request: Hashable {
    /// Whether both are the same object.
    public static func == (left: Request, right: Request) -> Bool { left === right }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UUID {
    /// A random UUID (RFC 9562 §5.4). `UUID()` opens /dev/urandom each time: three system calls in place of one, and
    /// without a free descriptor the result is zero.
    fileprivate static var random: UUID {
        var bytes = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return UUID(uuid: bytes.load(as: uuid_t.self))
        }
    }
}
