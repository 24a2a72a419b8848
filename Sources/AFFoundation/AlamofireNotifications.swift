public import AFCore
public import Foundation
internal import Synchronization

// The methods implement AFCore's `EventMonitor`, which documents them.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Posts notifications about requests; a session that is created with AFFoundation's or AlamofireCompat's initializer has
/// one, unless it is given other monitors.
///
/// The request is in `Notification.request`. Posting starts with the first use of a name, such as
/// `Notification.Name.requestDidFinish`: before, requests create no events for this monitor.
public final class AlamofireNotifications: EventMonitor {
    private let center: NotificationCenter
    /// Whether a name was used: without it, there is no observer.
    fileprivate static let isNamed = Atomic(false)

    /// Creates a monitor that posts to the default center.
    public convenience init() { self.init(center: .default) }

    /// Creates a monitor that posts to a center.
    public init(center: NotificationCenter) {
        self.center = center
    }

    public var observesEvents: Bool { Self.isNamed.load(ordering: .relaxed) }

    public func requestDidResume(_ request: Request) { post(.requestDidResume, request) }
    public func requestDidSuspend(_ request: Request) { post(.requestDidSuspend, request) }
    public func requestDidCancel(_ request: Request) { post(.requestDidCancel, request) }
    public func requestDidFinish(_ request: Request) { post(.requestDidFinish, request) }
    public func request(_ request: Request, didResumeTask task: TransferTask) { post(.requestDidResumeTask, request) }
    public func request(_ request: Request, didSuspendTask task: TransferTask) { post(.requestDidSuspendTask, request) }
    public func request(_ request: Request, didCancelTask task: TransferTask) { post(.requestDidCancelTask, request) }
    public func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
        post(.requestDidCompleteTask, request)
    }

    private func post(_ name: Notification.Name, _ request: Request) {
        center.post(name: name, object: nil, userInfo: [Notification.requestKey: request])
    }
}

extension Notification {
    fileprivate static let requestKey = "org.alamofire.notification.key.request"

    /// The request of the notification; `nil` for other notifications.
    public var request: Request? { userInfo?[Self.requestKey] as? Request }
}

/// The names of the notifications of ``AlamofireNotifications``.
extension Notification.Name {
    /// Posted when a request was resumed.
    public static var requestDidResume: Notification.Name { ofRequest("didResume") }
    /// Posted when a request was suspended.
    public static var requestDidSuspend: Notification.Name { ofRequest("didSuspend") }
    /// Posted when a request was canceled.
    public static var requestDidCancel: Notification.Name { ofRequest("didCancel") }
    /// Posted when a request has no further attempts and goes to its serializers.
    public static var requestDidFinish: Notification.Name { ofRequest("didFinish") }
    /// Posted when a request's task was resumed.
    public static var requestDidResumeTask: Notification.Name { ofRequest("didResumeTask") }
    /// Posted when a request's task was suspended.
    public static var requestDidSuspendTask: Notification.Name { ofRequest("didSuspendTask") }
    /// Posted when a request's task was canceled.
    public static var requestDidCancelTask: Notification.Name { ofRequest("didCancelTask") }
    /// Posted when an attempt has ended and was validated.
    public static var requestDidCompleteTask: Notification.Name { ofRequest("didCompleteTask") }

    private static func ofRequest(_ event: String) -> Notification.Name {
        AlamofireNotifications.isNamed.store(true, ordering: .relaxed)
        return Notification.Name("org.alamofire.notification.name.request.\(event)")
    }
}
