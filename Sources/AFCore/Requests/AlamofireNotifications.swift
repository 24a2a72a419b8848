// The methods implement ``EventMonitor``'s requirements, which are documented there.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Posts notifications about requests; every session has one, unless it is given other monitors.
public final class AlamofireNotifications: EventMonitor {
    private let center: RequestNotificationCenter

    /// Creates a monitor that posts to the shared center.
    public convenience init() { self.init(center: .default) }

    /// Creates a monitor that posts to a center.
    public init(center: RequestNotificationCenter) {
        self.center = center
    }

    public var observesEvents: Bool { center.isObserved }

    public func requestDidResume(_ request: Request) { post(Request.didResumeNotification, request) }
    public func requestDidSuspend(_ request: Request) { post(Request.didSuspendNotification, request) }
    public func requestDidCancel(_ request: Request) { post(Request.didCancelNotification, request) }
    public func requestDidFinish(_ request: Request) { post(Request.didFinishNotification, request) }

    public func request(_ request: Request, didResumeTask task: TransferTask) {
        post(Request.didResumeTaskNotification, request)
    }

    public func request(_ request: Request, didSuspendTask task: TransferTask) {
        post(Request.didSuspendTaskNotification, request)
    }

    public func request(_ request: Request, didCancelTask task: TransferTask) {
        post(Request.didCancelTaskNotification, request)
    }

    public func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
        post(Request.didCompleteTaskNotification, request)
    }

    private func post(_ name: RequestNotification.Name, _ request: Request) {
        center.post(RequestNotification(name: name, request: request))
    }
}

/// The names of the notifications of ``AlamofireNotifications``.
extension Request {
    /// The request was resumed.
    public static let didResumeNotification = name("didResume")
    /// The request was suspended.
    public static let didSuspendNotification = name("didSuspend")
    /// The request was canceled.
    public static let didCancelNotification = name("didCancel")
    /// The request has no further attempts and goes to its serializers.
    public static let didFinishNotification = name("didFinish")
    /// The request's task was resumed.
    public static let didResumeTaskNotification = name("didResumeTask")
    /// The request's task was suspended.
    public static let didSuspendTaskNotification = name("didSuspendTask")
    /// The request's task was canceled.
    public static let didCancelTaskNotification = name("didCancelTask")
    /// An attempt has ended and was validated.
    public static let didCompleteTaskNotification = name("didCompleteTask")

    private static func name(_ event: String) -> RequestNotification.Name {
        RequestNotification.Name(rawValue: "org.alamofire.notification.name.request.\(event)")
    }
}
