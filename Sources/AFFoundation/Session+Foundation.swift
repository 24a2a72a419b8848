public import AFCore
public import AFTransport
public import Dispatch

extension SessionConfiguration {
    /// The configuration with Foundation's types for errors and JSON values.
    ///
    /// Transfer failures become `URLError`s (`URLErrorConverter`), and untyped JSON contains `NSNumber`s and `NSNull`
    /// (`FoundationJSONValueBuilder`). A converter that is already set stays.
    public var bridgedToFoundation: SessionConfiguration {
        var configuration = self
        configuration.transferErrorConverter = transferErrorConverter ?? URLErrorConverter()
        if jsonValueBuilder is SwiftJSONValueBuilder { configuration.jsonValueBuilder = FoundationJSONValueBuilder() }
        return configuration
    }
}

extension Session {
    /// Creates a session that reports Foundation's types; see ``AFCore/SessionConfiguration/bridgedToFoundation``.
    ///
    /// The other parameters are those of `Session(configuration:)`.
    public convenience init(
        bridgedToFoundation configuration: SessionConfiguration,
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
        self.init(
            configuration: configuration.bridgedToFoundation,
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
}
