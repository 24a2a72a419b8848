public import AFHTTP
public import AFTransport
internal import FoundationEssentials

/// Tries requests again that failed for a reason which may pass, each time after a longer wait.
///
/// What it decides by is in ``RetryRules``. `@unchecked` because it may be subclassed; its one property is immutable.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    /// Three attempts in all.
    public static let defaultRetryLimit = RetryRules.defaultRetryLimit
    /// Each delay is twice as long as the one before.
    public static let defaultExponentialBackoffBase = RetryRules.defaultExponentialBackoffBase
    /// Half a second before the second attempt.
    public static let defaultExponentialBackoffScale = RetryRules.defaultExponentialBackoffScale
    /// Methods that may be sent twice: not POST, PATCH and QUERY.
    public static let defaultRetryableHTTPMethods = RetryRules.defaultRetryableHTTPMethods
    /// What may be over soon: 408, 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes = RetryRules.defaultRetryableHTTPStatusCodes
    /// Where Alamofire lists `URLError` codes.
    public static let defaultRetryableFailures: Set<TransferFailure.Kind> = [
        .connectTimedOut, .idleTimedOut, .totalTimedOut, .unresolvedHost, .unresolvedProxy, .cannotConnect,
        .proxyRefused, .connectionLost, .truncated, .malformedResponse, .undecodableBody, .secureConnectionFailed,
    ]

    /// What it decides by.
    public let rules: RetryRules
    /// The failures of transfers that another attempt may not meet; `nil` where ``RetryRules/isRetryable`` alone knows.
    public let retryableFailures: Set<TransferFailure.Kind>?

    /// How often a request is tried again after its first attempt.
    public var retryLimit: UInt { rules.retryLimit }
    /// By how much each delay is longer than the one before.
    public var exponentialBackoffBase: UInt { rules.exponentialBackoffBase }
    /// The first delay, in seconds.
    public var exponentialBackoffScale: Double { rules.exponentialBackoffScale }
    /// Methods of requests that may be sent again.
    public var retryableHTTPMethods: Set<HTTPMethod> { rules.retryableHTTPMethods }
    /// Statuses that another attempt may not meet.
    public var retryableHTTPStatusCodes: Set<Int> { rules.retryableHTTPStatusCodes }

    /// - Parameters:
    ///   - jitter: The part of a delay that is left to chance, from 0 to 1.
    ///   - maximumRetryAfter: A server's `Retry-After` is obeyed up to so many seconds; 0 does not listen to it.
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

    /// A policy that decides by rules of the caller's own.
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
            retryAfter: request.attemptTask?.response?.retryAfter,
            now: .now
        )
        completion(.retryWithDelay(delay))
    }

    /// Whether the failure is one that another attempt may not meet, however many there were.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        // Not the response of an earlier attempt, where an adapter refused this one.
        let status = request.attemptTask?.response?.statusCode
        return rules.shouldRetry(method: request.request?.method, status: status, failure: error)
    }
}

extension RequestInterceptor where Self == RetryPolicy {
    /// A policy with every default.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// - Parameters:
    ///   - jitter: The part of a delay that is left to chance, from 0 to 1.
    ///   - maximumRetryAfter: A server's `Retry-After` is obeyed up to so many seconds; 0 does not listen to it.
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
