public import AFCore
public import Foundation

extension NotificationCenter {
    /// Reposts the notifications about requests to this center until the observation is removed.
    ///
    /// The names are the same (``Foundation/Notification/Name/init(_:)``); the request is in
    /// ``Foundation/Notification/request``.
    @discardableResult
    public func postRequestNotifications(
        from center: RequestNotificationCenter = .default
    ) -> RequestNotificationCenter.Observation {
        center.addObserver { notification in
            self.post(
                name: Notification.Name(notification.name),
                object: nil,
                userInfo: [Notification.requestKey: notification.request]
            )
        }
    }
}

extension Notification {
    fileprivate static let requestKey = "org.alamofire.notification.key.request"

    /// The request of the notification; `nil` for other notifications.
    public var request: Request? { userInfo?[Self.requestKey] as? Request }
}

extension Notification.Name {
    /// Converts the name of a request notification to Foundation's type.
    public init(_ name: RequestNotification.Name) { self.init(rawValue: name.rawValue) }

    /// Posted when a request was resumed.
    public static let requestDidResume = Notification.Name(Request.didResumeNotification)
    /// Posted when a request was suspended.
    public static let requestDidSuspend = Notification.Name(Request.didSuspendNotification)
    /// Posted when a request was canceled.
    public static let requestDidCancel = Notification.Name(Request.didCancelNotification)
    /// Posted when a request has no further attempts and goes to its serializers.
    public static let requestDidFinish = Notification.Name(Request.didFinishNotification)
    /// Posted when a request's task was resumed.
    public static let requestDidResumeTask = Notification.Name(Request.didResumeTaskNotification)
    /// Posted when a request's task was suspended.
    public static let requestDidSuspendTask = Notification.Name(Request.didSuspendTaskNotification)
    /// Posted when a request's task was canceled.
    public static let requestDidCancelTask = Notification.Name(Request.didCancelTaskNotification)
    /// Posted when an attempt has ended and was validated.
    public static let requestDidCompleteTask = Notification.Name(Request.didCompleteTaskNotification)
}
