public import AFCore
internal import AFFoundation
public import Foundation

/// Alamofire's names of the notifications of ``AlamofireNotifications``.
extension Request {
    /// The request was resumed.
    public static var didResumeNotification: Notification.Name { .requestDidResume }
    /// The request was suspended.
    public static var didSuspendNotification: Notification.Name { .requestDidSuspend }
    /// The request was canceled.
    public static var didCancelNotification: Notification.Name { .requestDidCancel }
    /// The request has no further attempts and goes to its serializers.
    public static var didFinishNotification: Notification.Name { .requestDidFinish }
    /// The request's task was resumed.
    public static var didResumeTaskNotification: Notification.Name { .requestDidResumeTask }
    /// The request's task was suspended.
    public static var didSuspendTaskNotification: Notification.Name { .requestDidSuspendTask }
    /// The request's task was canceled.
    public static var didCancelTaskNotification: Notification.Name { .requestDidCancelTask }
    /// An attempt has ended and was validated.
    public static var didCompleteTaskNotification: Notification.Name { .requestDidCompleteTask }
}
