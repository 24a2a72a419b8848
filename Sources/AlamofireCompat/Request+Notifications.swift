public import AFCore
public import Foundation

/// Alamofire's notifications under Foundation's type of name. The first use of a name here starts posting to
/// `NotificationCenter.default`.
extension Request {
    /// The request was resumed.
    public static var didResumeNotification: Notification.Name { posted(.requestDidResume) }
    /// The request was suspended.
    public static var didSuspendNotification: Notification.Name { posted(.requestDidSuspend) }
    /// The request was canceled.
    public static var didCancelNotification: Notification.Name { posted(.requestDidCancel) }
    /// The request has no further attempts and goes to its serializers.
    public static var didFinishNotification: Notification.Name { posted(.requestDidFinish) }
    /// The request's task was resumed.
    public static var didResumeTaskNotification: Notification.Name { posted(.requestDidResumeTask) }
    /// The request's task was suspended.
    public static var didSuspendTaskNotification: Notification.Name { posted(.requestDidSuspendTask) }
    /// The request's task was canceled.
    public static var didCancelTaskNotification: Notification.Name { posted(.requestDidCancelTask) }
    /// An attempt has ended and was validated.
    public static var didCompleteTaskNotification: Notification.Name { posted(.requestDidCompleteTask) }

    private static let bridge = NotificationCenter.default.postRequestNotifications()

    private static func posted(_ name: Notification.Name) -> Notification.Name {
        _ = bridge
        return name
    }
}
