internal import AFHTTP
public import AFTransport
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Creates requests that share a configuration, connections, cookies, interceptors and monitors.
///
/// The session retains active requests; its deallocation ends them with `AFError.sessionDeinitialized`.
public final class Session: Sendable {
    /// When the URLRequest of a request is created.
    public enum RequestSetup: Hashable, Sendable {
        /// The URL request is created at the first `resume()`.
        case lazy
        /// With the request.
        case eager
    }

    // Disfavored, like its initializer and `AF`: AlamofireCompat has sessions with Foundation's types.
    /// The default session, ``AF``.
    @_disfavoredOverload
    public static let `default` = Session()

    /// The configuration of the session.
    public var configuration: SessionConfiguration { settings.configuration }
    /// The serial queue of redirect handlers, handlers of cached responses, retriers and validators, except validators of
    /// downloads, which may read the file.
    public let rootQueue: DispatchQueue
    /// The queue on which URLRequests and bodies are created, and adapters are called.
    public let requestQueue: DispatchQueue
    /// The queue on which responses are serialized.
    public let serializationQueue: DispatchQueue
    /// Whether adding a response handler resumes a request.
    public let startRequestsImmediately: Bool
    /// When URLRequests are created.
    public let requestSetup: RequestSetup
    /// The interceptor of all requests, called before a request's own.
    public let interceptor: (any RequestInterceptor)?
    /// The trust evaluators for requests over TLS, called before a byte is sent.
    public let serverTrustManager: ServerTrustManager?
    /// The handler that decides how responses are stored; a request's own replaces it.
    public let cachedResponseHandler: (any CachedResponseHandler)?
    /// The handler of redirects; a request's own replaces it.
    public let redirectHandler: (any RedirectHandler)?
    /// All monitors combined; `nil` if the session has no monitors.
    public let eventMonitor: CompositeEventMonitor?

    private struct State: OrderedState {
        /// The active requests, retained until they end, by address; see ``Request/key``.
        var active: [UInt: Request] = [:]
        /// Requests with waiting handlers that were not resumed: their handlers must learn of the session's end.
        var unstarted: [UInt: WeakRequest] = [:]
    }

    private struct WeakRequest {
        weak var request: Request?
    }

    let transport: any Transport
    private let ownsTransport: Bool
    private let settings: TransferSettings
    private let state = OrderedMutex(State())
    private let taskCount = Atomic(0)

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - transport: The transport of the requests; by default a new `CurlTransport`, which ends with the session.
    ///   - rootQueue: The target of the session's serial queue.
    @_disfavoredOverload
    public init(
        configuration: SessionConfiguration = .default,
        transport: (any Transport)? = nil,
        rootQueue: DispatchQueue? = nil,
        startRequestsImmediately: Bool = true,
        requestSetup: RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil,
        serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any RequestEventMonitor] = []
    ) {
        let label = rootQueue?.label ?? "org.afcli.session.rootQueue"
        ownsTransport = transport == nil
        settings = TransferSettings(configuration, serverTrustManager: serverTrustManager)
        let transport =
            transport
            ?? CurlTransport(
                connections: configuration.connections, threadCount: configuration.transportThreadCount)
        self.transport = configuration.cache?.caching(transport) ?? transport
        self.rootQueue = DispatchQueue(label: label, target: rootQueue)
        self.requestQueue = requestQueue ?? DispatchQueue(label: "\(label).requestQueue")
        self.serializationQueue = serializationQueue ?? DispatchQueue(label: "\(label).serializationQueue")
        self.startRequestsImmediately = startRequestsImmediately
        self.requestSetup = requestSetup
        self.interceptor = interceptor
        self.serverTrustManager = serverTrustManager
        self.cachedResponseHandler = cachedResponseHandler
        self.redirectHandler = redirectHandler
        eventMonitor = eventMonitors.isEmpty ? nil : CompositeEventMonitor(monitors: eventMonitors)
    }

    deinit {
        let (active, unstarted) = state.withLock { state in
            (Array(state.active.values), state.unstarted.values.compactMap(\.request))
        }
        for request in active { request.sessionDidEnd() }
        for request in unstarted { request.sessionDidEnd() }
        let identifier = ObjectIdentifier(self)
        eventMonitor?.notify { $0.session(identifier, didBecomeInvalidWithError: nil) }
        if ownsTransport { transport.shutdown() }
    }

    /// The active requests.
    var activeRequests: Set<Request> { Set(state.withLock({ Array($0.active.values) })) }

    // For requests

    func activate(_ request: Request) {
        state.withLock { state in
            state.active[request.key] = request
            if !state.unstarted.isEmpty { state.unstarted[request.key] = nil }
        }
    }

    /// Releases a request. The caller retains it: its `deinit` takes the lock, too, and must not run under it.
    func deactivate(_ request: Request) {
        state.withLock { state in
            state.active[request.key] = nil
            if !state.unstarted.isEmpty { state.unstarted[request.key] = nil }
        }
    }

    /// Tracks a request with waiting handlers that was not resumed, without retaining it.
    func trackUnstarted(_ request: Request) {
        state.withLock { $0.unstarted[request.key] = WeakRequest(request: request) }
    }

    /// Removes a request that is being deallocated.
    func untrack(_ request: Request) { state.withLock { $0.unstarted[request.key] = nil } }

    func makeTask(for request: Request, hop: consuming Hop) -> TransferTask {
        let id = taskCount.add(1, ordering: .relaxed).newValue
        hop.secure(by: configuration.hstsStore)
        hop.credential = request.credential ?? hop.url.credential
        if hop.credential == nil { takeStoredCredential(for: &hop) }
        if hop.credential != nil { hop.startDigestSession() }
        hop.receiveBufferSize = configuration.receiveBufferSize
        request.configure(&hop)
        hop.addHeaders(configuration.headers)
        let transport = transport(for: hop)
        return TransferTask(id: id, hop: hop, settings: settings, transport: transport, owner: request)
    }

    private func transport(for hop: Hop) -> any Transport {
        let needsCache = settings.cachePolicy(for: hop.request) == .returnCacheDataDontLoad
        // Without a cache no response is stored, so that the request fails.
        return needsCache && configuration.cache == nil ? EmptyCacheTransport() : transport
    }

    /// By origin, as the realm is unknown before the server's challenge.
    private func takeStoredCredential(for hop: inout Hop) {
        guard let storage = configuration.urlCredentialStorage, !storage.isEmpty, !hop.request.bringsAuthorization,
            let entry = storage.defaultEntry(for: URLProtectionSpace(origin: hop.url.origin))
        else { return }
        hop.credential = entry.credential
        hop.protectionSpace = entry.space
    }

    /// Returns the session's interceptor combined with the request's.
    package func interceptor(for request: Request) -> (any RequestInterceptor)? {
        guard let own = request.interceptor else { return interceptor }
        return interceptor.map { Interceptor(interceptors: [$0, own]) } ?? own
    }
}

extension Request {
    /// The key of the request in the session.
    ///
    /// Keyed by UInt: another Hashable key type costs about 100 µs at start-up.
    fileprivate var key: UInt { UInt(bitPattern: ObjectIdentifier(self)) }
}

/// The default session.
@_disfavoredOverload
public let AF = Session.default

/// The session of a request and the arguments given to it.
package struct RequestOrigin {
    let session: Session
    var interceptor: (any RequestInterceptor)?
    var shouldAutomaticallyResume: Bool?

    package init(session: Session, interceptor: (any RequestInterceptor)? = nil, shouldAutomaticallyResume: Bool? = nil)
    {
        self.session = session
        self.interceptor = interceptor
        self.shouldAutomaticallyResume = shouldAutomaticallyResume
    }
}
