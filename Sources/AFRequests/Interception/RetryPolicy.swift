public import AFHTTP
public import AFTransport
internal import FoundationEssentials

/// Retries requests that failed for a temporary reason, with increasing delays.
///
/// ``RetryRules`` make the decisions. `@unchecked` because it may be subclassed; its properties are immutable.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    /// Two retries, so three attempts.
    public static let defaultRetryLimit: UInt = 2
    /// Each delay is twice the previous one.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// Half a second before the second attempt.
    public static let defaultExponentialBackoffScale = 0.5
    /// Not POST, PATCH and QUERY: repeating those may have side effects twice.
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [.delete, .get, .head, .options, .put, .trace]
    /// The statuses of temporary failures; not 429, as in Alamofire.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]
    /// The equivalent of Alamofire's `URLError` codes. A damaged content coding is not retried: it would be the same.
    public static let defaultRetryableFailures: Set<TransferFailure.Kind> = [
        .connectTimedOut, .idleTimedOut, .totalTimedOut, .unresolvedHost, .unresolvedProxy, .cannotConnect,
        .proxyRefused, .connectionLost, .truncated, .malformedResponse, .secureConnectionFailed,
    ]

    /// The rules of the decisions.
    public let rules: RetryRules
    /// The failures of transfers that are retried; `nil` if ``RetryRules/isRetryable`` decides.
    public let retryableFailures: Set<TransferFailure.Kind>?

    /// The maximum number of retries.
    public var retryLimit: UInt { rules.retryLimit }
    /// The factor between delays.
    public var exponentialBackoffBase: UInt { rules.exponentialBackoffBase }
    /// The first delay in seconds.
    public var exponentialBackoffScale: Double { rules.exponentialBackoffScale }
    /// The methods of requests that are retried. An upload that can be resumed is retried like PUT.
    public var retryableHTTPMethods: Set<HTTPMethod> { rules.retryableHTTPMethods }
    /// The status codes that are retried.
    public var retryableHTTPStatusCodes: Set<Int> { rules.retryableHTTPStatusCodes }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries.
    ///   - exponentialBackoffBase: The factor between delays; at least 2.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods of requests that are retried.
    ///   - retryableHTTPStatusCodes: The status codes that are retried.
    ///   - retryableFailures: The failures of transfers that are retried.
    ///   - jitter: The random part of a delay, from 0 to 1.
    ///   - maximumRetryAfter: The maximum `Retry-After` in seconds that is honored; 0 ignores the field.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableFailures: Set<TransferFailure.Kind> = RetryPolicy.defaultRetryableFailures,
        jitter: Double = 0,
        maximumRetryAfter: Double = 60
    ) {
        self.retryableFailures = retryableFailures
        rules = RetryRules(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            jitter: jitter,
            maximumRetryAfter: maximumRetryAfter,
            isRetryable: { $0.transferFailure.map { retryableFailures.contains($0.kind) } ?? false }
        )
    }

    /// Creates a policy with rules.
    public init(rules: RetryRules) {
        self.rules = rules
        retryableFailures = nil
    }

    open func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.retryCount < retryLimit, shouldRetry(request: request, dueTo: error) else {
            return completion(.doNotRetry)
        }
        let delay = rules.delay(
            forRetry: request.retryCount,
            random: .random(in: 0..<1),
            retryAfter: request.attemptTask?.response?.earliestRetry(),
            now: .now
        )
        completion(.retryWithDelay(delay))
    }

    /// Whether the failure is retryable, regardless of the number of retries.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        // Not `request.response`: it is an earlier attempt's if an adapter rejected this one.
        let status = request.attemptTask?.response?.statusCode
        // The server recognizes what it has received: the exchange is as idempotent as PUT.
        let method = request.exchanges?.isRepeatable == true ? .put : request.request?.method
        return rules.shouldRetry(method: method, status: status, failure: error)
    }
}

extension RequestInterceptor where Self == RetryPolicy {
    /// The default policy.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// Returns a policy; its initializer describes the parameters.
    public static func retryPolicy(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableFailures: Set<TransferFailure.Kind> = RetryPolicy.defaultRetryableFailures,
        jitter: Double = 0,
        maximumRetryAfter: Double = 60
    ) -> RetryPolicy {
        RetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableFailures: retryableFailures,
            jitter: jitter,
            maximumRetryAfter: maximumRetryAfter
        )
    }
}
