import AlamofireCompat
import Foundation

/// Marks every request of the app, and retries requests rejected during maintenance.
final class TraceInterceptor: RequestInterceptor {
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        var urlRequest = urlRequest
        urlRequest.setValue("sample-\(urlRequest.httpMethod ?? "")", forHTTPHeaderField: "X-Trace")
        completion(.success(urlRequest))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let response = request.task?.response, response.statusCode == 503, request.retryCount < 2 else {
            return completion(.doNotRetry)
        }
        completion(.retryWithDelay(0.01))
    }
}
