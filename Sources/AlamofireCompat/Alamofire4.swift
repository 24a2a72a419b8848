public import AFCore
public import Foundation

// Names of Alamofire 4 that have changed since.

/// Alamofire 4's session. Pass its `adapter` and `retrier` to the initializer as `interceptor`.
public typealias SessionManager = Session
/// Alamofire 4's response without a serializer.
public typealias DefaultDataResponse = AFDataResponse<Data?>
/// Alamofire 4's download without a serializer.
public typealias DefaultDownloadResponse = AFDownloadResponse<URL?>
/// Alamofire 4's name for the trust of a session, which now has evaluators instead of policies.
public typealias ServerTrustPolicyManager = ServerTrustManager

extension DownloadRequest {
    /// Alamofire 4's name for the destination closure.
    public typealias DownloadFileDestination = Destination
    /// Alamofire 4's name for the options of a destination.
    public typealias DownloadOptions = Options
}
