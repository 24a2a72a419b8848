public import AFHTTP
internal import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// Anything a session does for its caller: the life that data, uploads and downloads have in common.
///
/// Rules are in `Lifecycle`, decided under a lock; what follows from them is done outside it, so that user code may
/// call back. Kinds of request differ by what they override.
///
/// `@unchecked` because subclassing forbids the compiler's proof; every stored property is immutable or a `Mutex`.
public class Request: @unchecked Sendable {
    /// Where a request is in its life. A cancelled one stays so; a finished one is resumed only by a handler that comes
    /// late, for as long as that takes.
    public enum State: Hashable, Sendable {
        /// Nobody has asked for anything.
        case initialized
        /// Under way.
        case resumed
        /// Waits for ``Request/resume()``.
        case suspended
        /// Ends, or has ended, for that reason.
        case cancelled
        /// Over, well or not.
        case finished
    }

    /// What a validator says.
    public typealias ValidationResult = Result<Void, any Error>

    /// A closure for progress.
    public typealias ProgressHandler = @Sendable (TransferProgress) -> Void

    /// Where state changes and user-supplied interceptors run, one at a time.
    public let underlyingQueue: DispatchQueue
    /// Where serializers run.
    public let serializationQueue: DispatchQueue
    /// Whether adding a response handler resumes the request; `nil` leaves that to the session.
    public let shouldAutomaticallyResume: Bool?
    let contents: Mutex<Contents>
    /// The session holds its requests while they are active, not the other way round.
    weak let session: Session?

    init(_ origin: RequestOrigin) {
        underlyingQueue = origin.session.rootQueue
        serializationQueue = origin.session.serializationQueue
        shouldAutomaticallyResume = origin.shouldAutomaticallyResume
        session = origin.session
        contents = Mutex(Contents(interceptor: origin.interceptor, eventMonitor: origin.session.eventMonitor))
    }

    deinit {
        if contents.withLock({ $0.awaitsStart }) { session?.forget(self) }
    }

    /// The same for as long as the request lives, and no other request's.
    public var id: UUID {
        // Made when somebody asks: chance is a system call.
        contents.withLock { contents in
            let id = contents.id ?? UUID()
            contents.id = id
            return id
        }
    }

    // What callers want.

    /// Starts the request, or lets it go on.
    @discardableResult
    public func resume() -> Self {
        change({ $0.resume() }, told: { $0.requestDidResume(self) })
        return self
    }

    /// Stops the transfer until ``resume()``; before the first `resume()`, nothing has started.
    @discardableResult
    public func suspend() -> Self {
        change({ $0.suspend() }, told: { $0.requestDidSuspend(self) })
        return self
    }

    /// Ends the request with `AFError.explicitlyCancelled`, unless it failed before. Handlers are called all the same.
    @discardableResult
    public func cancel() -> Self {
        change({ $0.cancel() }, because: .explicitlyCancelled, told: { $0.requestDidCancel(self) })
        return self
    }

    /// Logs in when the server asks for it, in a way that ``SessionConfiguration/authenticationKinds`` allows.
    ///
    /// A server that does not accept the credential answers with 401, and that is the response. Redirects to other origins
    /// do not get it.
    ///
    /// - Parameter persistence: Whether the session may use it for later requests to the same server, once it was good.
    @discardableResult
    public func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence = .forSession
    ) -> Self {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Logs in with a credential; see ``authenticate(username:password:persistence:)``.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        contents.withLock { $0.credential = credential }
        return self
    }

    /// Lets the handler decide what the session's cache keeps of the responses, instead of the session's handler.
    ///
    /// To be called before response handlers are added, and once: a second handler is an error of the program's.
    @discardableResult
    public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
        let isFirst = contents.withLock { contents in
            defer { contents.cachedResponseHandler = handler }
            return contents.cachedResponseHandler == nil
        }
        precondition(isFirst, "the request has a handler of cached responses already")
        return self
    }

    // Where AlamofireCompat is imported, closures that name no type get Foundation's Progress, as in Alamofire.
    /// Called as the request body goes out. The last closure given counts.
    ///
    /// Its last call comes before the response if both are on one serial queue, or if the queue is the session's
    /// ``Session/rootQueue``.
    @discardableResult @_disfavoredOverload
    public func uploadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping ProgressHandler
    ) -> Self {
        var handler = Optional(ProgressLimiter(queue: queue, closure: closure))
        contents.withLock { swap(&$0.uploadHandler, &handler) }
        return self
    }

    /// Called as the response body comes in. The last closure given counts.
    ///
    /// Its last call comes before the response if both are on one serial queue, or if the queue is the session's
    /// ``Session/rootQueue``.
    @discardableResult @_disfavoredOverload
    public func downloadProgress(
        queue: DispatchQueue = .main,
        closure: @escaping ProgressHandler
    ) -> Self {
        var handler = Optional(ProgressLimiter(queue: queue, closure: closure))
        contents.withLock { swap(&$0.downloadHandler, &handler) }
        return self
    }

    // What kinds of request override.

    /// Performs slow work before ``makeURLRequest()``, off the session's queue, and calls the handler.
    func getReady(then goOn: @escaping @Sendable () -> Void) { goOn() }

    /// Makes the request of an attempt. Called off the caller's thread unless it is quick.
    func makeURLRequest() throws -> URLRequest { throw AFError.explicitlyCancelled }

    /// Makes the body of an attempt, where it is not in the request itself.
    func makeBody(for request: URLRequest) throws -> BodySource? { nil }

    /// Whether ``makeURLRequest()`` runs no user code and takes no time, so that it needs no queue.
    var isQuicklyMade: Bool { false }

    /// The final response's head; on the transport's thread.
    func receive(_ response: HTTPURLResponse) {}

    /// Bytes of the final response's body; on the transport's thread.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow { .proceed }

    /// What this side of the transfer met; wins over the failure that the transport reports because of it.
    var ownFailure: AFError? { nil }

    /// Whether the final response's head was all that is wanted: that its body did not come is no failure then.
    var needsNoBody: Bool { false }

    /// Whether ``conclude(after:then:)`` takes no time.
    var isQuicklyConcluded: Bool { true }

    /// The transfer is over and validated, well unless there is an error. Passes on the error that the attempt ends
    /// with, from any thread.
    func conclude(after error: AFError?, then goOn: @escaping @Sendable (AFError?) -> Void) { goOn(error) }

    /// Whether the request tries again of itself, before any retrier is asked.
    func startsOver(after error: AFError) -> Bool { false }

    /// Whether no retrier need be asked about the attempt's error.
    var isBeyondRetry: Bool { false }

    /// The attempt's transfer has ended. Passes on the failure that it ends with once nothing else is under way for the
    /// attempt, from any thread.
    func concludeTransfer(after failure: (any Error)?, then goOn: @escaping @Sendable ((any Error)?) -> Void) {
        goOn(failure)
    }

    /// The size in bytes of the pieces that are read from the network, unless the session wants larger ones.
    var receiveBufferSize: Int { 0 }

    /// Where its transfers share a rate with those of other requests.
    var sharedRate: SharedRate? { nil }

    /// Whether the session's cache may serve and keep responses to the request.
    var isCacheable: Bool { false }

    /// Forgets what the last attempt brought.
    func resetForRetry() {}

    /// Nothing more will happen: let go of what was held for the request.
    func cleanUp() {}

    /// The error that a failed task stands for.
    func error(for failure: any Error) -> AFError {
        if let failure = failure as? TransferFailure {
            switch failure.kind {
            case .cancelled: return .explicitlyCancelled
            case .shutDown: return .sessionInvalidated(error: failure)
            case .trustRefused: return SessionTrust.error(for: failure)
            default: break
            }
        }
        return failure.asAFError(or: .sessionTaskFailed(error: failure))
    }
}

extension Request: Hashable {
    /// Whether both are the same object.
    public static func == (left: Request, right: Request) -> Bool { left === right }
    /// By identity, as equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
