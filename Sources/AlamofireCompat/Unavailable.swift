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
    public var session: Never? { nil }
}

extension TransferTask {
    /// The `id` of the task.
    public var taskIdentifier: Int { id }
}

extension TransactionMetrics {
    /// The `protocolName` of the hop.
    public var networkProtocolName: String? { protocolName }
}
