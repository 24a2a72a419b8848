public import AFCore
public import AFTransport
public import Dispatch

// Every session that is created where this module is imported reports Foundation's types.

/// The session for programs that need one only; `Session.default`.
public let AF = Session.default

extension Session {
    /// The session behind ``AF``.
    public static let `default` = Session(bridgedToFoundation: .default)

    /// A session whose errors and JSON values are Foundation's; see `Session(bridgedToFoundation:)`.
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

    /// A session with a configuration of Foundation's kind, of which it keeps a copy.
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

    /// The configuration as Foundation has it; changing it does not change the session.
    public var sessionConfiguration: URLSessionConfiguration { URLSessionConfiguration(configuration) }
}
