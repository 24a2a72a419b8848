internal import AFHTTP
public import AFTransport
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Creates requests and holds what they have in common: configuration, connections, cookies, interceptors, monitors.
///
/// Requests that are under way are held by the session; a session that goes away ends them with
/// `AFError.sessionDeinitialized`.
public final class Session: Sendable {
    /// When a request's URLRequest is made.
    public enum RequestSetup: Hashable, Sendable {
        /// At the first `resume()`.
        case lazy
        /// With the request.
        case eager
    }

    // Disfavored, as its initializer and `AF` are: AlamofireCompat has sessions that speak Foundation's types.
    /// The session behind ``AF``.
    @_disfavoredOverload
    public static let `default` = Session()

    /// What all requests of the session have in common.
    public let configuration: SessionConfiguration
    /// Serial. State changes, interceptors and validators run here.
    public let rootQueue: DispatchQueue
    /// Where URLRequests and bodies are made.
    public let requestQueue: DispatchQueue
    /// Where responses are turned into values.
    public let serializationQueue: DispatchQueue
    /// Whether adding a response handler resumes a request.
    public let startRequestsImmediately: Bool
    /// When URLRequests are made.
    public let requestSetup: RequestSetup
    /// Asked about every request, before the request's own.
    public let interceptor: (any RequestInterceptor)?
    /// Decides whom requests over TLS trust, before a byte of them is sent.
    public let serverTrustManager: ServerTrustManager?
    /// Has a say in what is kept of responses; a request's own goes before it.
    public let cachedResponseHandler: (any CachedResponseHandler)?
    /// Decides about redirects, unless a request has a handler of its own.
    public let redirectHandler: (any RedirectHandler)?
    /// All monitors in one; `nil` where there are none.
    public let eventMonitor: CompositeEventMonitor?

    private struct Contents {
        /// Under way, and held until they are over; by their addresses, see ``Request/key``.
        var active: [UInt: Request] = [:]
        /// Waited for, but not resumed by anybody: those who wait must hear of the session's end.
        var unstarted: [UInt: WeakRequest] = [:]
        var lastTaskID = 0
    }

    private struct WeakRequest {
        weak var request: Request?
    }

    let transport: any Transport
    let cookieMark = CookieMark()
    private let ownsTransport: Bool
    private let settings: TransferSettings
    private let contents = Mutex(Contents())

    /// - Parameters:
    ///   - transport: What carries the requests; a `CurlTransport` of the session's own, which ends with it, unless
    ///     given.
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
        eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
    ) {
        let label = rootQueue?.label ?? "org.afcli.session.rootQueue"
        self.configuration = configuration
        ownsTransport = transport == nil
        settings = TransferSettings(configuration, serverTrustManager: serverTrustManager)
        self.transport = transport ?? CurlTransport(connections: configuration.connections)
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
        let (active, unstarted) = contents.withLock { contents in
            (Array(contents.active.values), contents.unstarted.values.compactMap(\.request))
        }
        for request in active { request.sessionDidEnd() }
        for request in unstarted { request.sessionDidEnd() }
        eventMonitor?.session(ObjectIdentifier(self), didBecomeInvalidWithError: nil)
        if ownsTransport { transport.shutdown() }
    }

    /// The requests that are under way.
    var activeRequests: Set<Request> { Set(contents.withLock({ Array($0.active.values) })) }

    // For requests.

    func activate(_ request: Request) {
        contents.withLock { contents in
            contents.active[request.key] = request
            if !contents.unstarted.isEmpty { contents.unstarted[request.key] = nil }
        }
    }

    func deactivate(_ request: Request) {
        contents.withLock { contents in
            contents.active[request.key] = nil
            if !contents.unstarted.isEmpty { contents.unstarted[request.key] = nil }
        }
    }

    /// Keeps track of a request that somebody waits for and nobody has resumed, without holding it.
    func remember(_ request: Request) {
        contents.withLock { $0.unstarted[request.key] = WeakRequest(request: request) }
    }

    /// The request is going away.
    func forget(_ request: Request) {
        contents.withLock { $0.unstarted[request.key] = nil }
    }

    func makeTask(for request: Request, hop: Hop) -> TransferTask {
        let id = contents.withLock { contents in
            contents.lastTaskID += 1
            return contents.lastTaskID
        }
        var hop = hop
        hop.secure(by: configuration.hstsStore)
        hop.credential = request.credential ?? hop.url.credential
        if hop.credential == nil { takeStoredCredential(for: &hop) }
        hop.receiveBufferSize = max(configuration.receiveBufferSize, request.receiveBufferSize)
        hop.sharedRate = request.sharedRate
        hop.addHeaders(configuration.headers)
        hop.cacheAccess = CacheAccess(for: request, sending: hop.request, in: self)
        return TransferTask(id: id, hop: hop, settings: settings, transport: transport, receiver: request)
    }

    /// By origin, as the realm is not known before the server asks.
    private func takeStoredCredential(for hop: inout Hop) {
        guard let storage = configuration.urlCredentialStorage, !hop.request.bringsAuthorization,
            let entry = storage.defaultEntry(for: URLProtectionSpace(origin: hop.url.origin))
        else { return }
        hop.credential = entry.credential
        hop.protectionSpace = entry.space
    }

    func hasAdapters(for request: Request) -> Bool { interceptor != nil || request.interceptor != nil }

    /// The session's interceptor, then the request's.
    func interceptor(for request: Request) -> (any RequestInterceptor)? {
        guard let own = request.interceptor else { return interceptor }
        return interceptor.map { Interceptor(interceptors: [$0, own]) } ?? own
    }
}

extension Request {
    /// What a session finds the request by while it lives.
    ///
    /// A number, as the first use of each type of key costs a program that makes one request a hundred microseconds.
    fileprivate var key: UInt { UInt(bitPattern: ObjectIdentifier(self)) }
}

/// The session for programs that need but one.
@_disfavoredOverload
public let AF = Session.default

/// Where a request comes from, and what it was given there.
struct RequestOrigin {
    let session: Session
    var interceptor: (any RequestInterceptor)?
    var shouldAutomaticallyResume: Bool?
}
