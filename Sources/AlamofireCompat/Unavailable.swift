// Unavailable members need no documentation: the compiler shows their messages.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import AFCore
public import AFHTTP
public import AFTransport
public import Foundation

/// Members of Foundation's types that have another name here, or none: the compiler shows the message.
extension URLSessionConfiguration {
    @available(*, unavailable, message: "give the session a transport of your own: Session(transport:)")
    public var protocolClasses: [AnyClass]? { nil }

    @available(*, unavailable, message: "cookies belong to the session: cookies(), setCookies(_:), deleteAllCookies()")
    public var httpCookieStorage: Never? { nil }

    @available(*, unavailable, message: "set httpShouldSetCookies")
    public var httpCookieAcceptPolicy: Never? { nil }

    @available(*, unavailable, message: "set tls.minimumVersion of a SessionConfiguration")
    public var tlsMinimumSupportedProtocolVersion: Never? { nil }

    @available(*, unavailable, message: "set proxy of a SessionConfiguration")
    public var connectionProxyDictionary: [AnyHashable: Any]? { nil }
}

extension AFHTTP.URLRequest {
    @available(*, unavailable, message: "the transport does not choose between networks")
    public var allowsCellularAccess: Bool { true }

    @available(*, unavailable, message: "upload the stream: Session.upload(_:to:)")
    public var httpBodyStream: Never? { nil }
}

extension RetryPolicy {
    @available(*, unavailable, message: "ask shouldRetry(request:dueTo:) with a URLError")
    public var retryableURLErrorCodes: Set<URLError.Code> { [] }
}

extension Session {
    @available(*, unavailable, message: "there is no URLSession below")
    public var session: AbsentURLSession { AbsentURLSession() }

    @available(*, unavailable, message: "there is no URLSession below: use Session(configuration:)")
    public convenience init(
        session: AbsentURLSession,
        delegate: SessionDelegate,
        rootQueue: DispatchQueue,
        startRequestsImmediately: Bool = true
    ) {
        self.init()
    }

    @available(*, unavailable, message: "there is no delegate: use Session(configuration:) and event monitors")
    public convenience init(configuration: URLSessionConfiguration = .default, delegate: SessionDelegate) {
        self.init()
    }
}

/// The type of a member that does not exist, so that the compiler explains that even if a member of it is used.
public struct AbsentURLSession {
    fileprivate init() {}

    @available(*, unavailable, message: "there is no URLSession: use Session.withAllRequests(perform:)")
    public func getAllTasks(completionHandler: ([URLSessionTask]) -> Void) {}

    @available(*, unavailable, message: "there is no URLSession: use Session.cancelAllRequests()")
    public func invalidateAndCancel() {}

    @available(*, unavailable, message: "there is no URLSession: a session ends with its last reference")
    public func finishTasksAndInvalidate() {}

    @available(*, unavailable, message: "there is no URLSession: use Session.sessionConfiguration")
    public var configuration: URLSessionConfiguration { .default }

    @available(*, unavailable, message: "there is no URLSession: use Session.rootQueue")
    public var delegateQueue: OperationQueue { OperationQueue() }
}

/// Alamofire's delegate of a URLSession, which does not exist here.
public final class SessionDelegate: Sendable {
    @available(*, unavailable, message: "there is no URLSession: use event monitors and handlers")
    public init(fileManager: FileManager = .default) {}
}

extension ResponseCache {
    @available(*, unavailable, message: "a session has no cache by default: set urlCache of its configuration")
    public static var shared: ResponseCache { ResponseCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil) }
}

/// Foundation's cookie storage, which sessions do not use.
public enum HTTPCookieStorage {
    @available(*, unavailable, message: "cookies belong to the session: cookies(), setCookies(_:), deleteAllCookies()")
    public static var shared: AbsentCookieStorage { AbsentCookieStorage() }
}

/// The type of a member that does not exist, so that the compiler explains that even if a member of it is used.
public struct AbsentCookieStorage {
    fileprivate init() {}

    @available(*, unavailable, message: "use cookies() of the session")
    public var cookies: [AFHTTP.HTTPCookie]? { nil }

    @available(*, unavailable, message: "use setCookies(_:) of the session")
    public func setCookie(_ cookie: AFHTTP.HTTPCookie) {}

    @available(*, unavailable, message: "use deleteAllCookies() of the session")
    public func removeCookies(since date: Date) {}
}

extension TransferTask {
    /// The `id` of the task.
    public var taskIdentifier: Int { id }
}

extension TransactionMetrics {
    /// The `protocolName` of the hop.
    public var networkProtocolName: String? { protocolName }
}
