public import AFCore
public import AFFoundation
public import AFTransport
public import Dispatch

// With this module imported, every new session reports Foundation's types.

/// The default session.
public let AF = Session.default

extension Session {
    /// The session behind ``AF``.
    public static let `default` = Session(bridgedToFoundation: .default)

    /// Creates a session whose errors and JSON values are Foundation's; see `Session(bridgedToFoundation:)`.
    ///
    /// The parameters are those of the core's initializer.
    public convenience init(
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
        eventMonitors: [any AFCore.EventMonitor] = [AlamofireNotifications()]
    ) {
        self.init(
            bridgedToFoundation: configuration,
            transport: transport,
            rootQueue: rootQueue,
            startRequestsImmediately: startRequestsImmediately,
            requestSetup: requestSetup,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors
        )
    }

    /// Creates a session with a copy of a configuration of Foundation's kind.
    @_disfavoredOverload
    public convenience init(
        configuration: URLSessionConfiguration,
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
        eventMonitors: [any AFCore.EventMonitor] = [AlamofireNotifications()]
    ) {
        self.init(
            bridgedToFoundation: configuration.sessionConfiguration,
            transport: transport,
            rootQueue: rootQueue,
            startRequestsImmediately: startRequestsImmediately,
            requestSetup: requestSetup,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors
        )
    }

    /// A copy of the configuration as `URLSessionConfiguration`; changing it does not affect the session.
    public var sessionConfiguration: URLSessionConfiguration { URLSessionConfiguration(configuration) }
}
