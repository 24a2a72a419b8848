public import AFCore
public import Foundation

// The names of Alamofire 4 for what has another one by now.

/// Alamofire 4's session. Its `adapter` and `retrier` are given to a session when it is made: `interceptor`.
public typealias SessionManager = Session
/// Alamofire 4's response without a serializer.
public typealias DefaultDataResponse = AFDataResponse<Data?>
/// Alamofire 4's download without a serializer.
public typealias DefaultDownloadResponse = AFDownloadResponse<URL?>
/// Alamofire 4's name for the trust of a session, which has evaluators where there were policies.
public typealias ServerTrustPolicyManager = ServerTrustManager

extension DownloadRequest {
    /// Alamofire 4's name for a destination.
    public typealias DownloadFileDestination = Destination
    /// Alamofire 4's name for what may happen at the destination.
    public typealias DownloadOptions = Options
}
