public import FoundationEssentials
internal import Glibc

/// The decisions of `RetryPolicy`, without clock and randomness.
public struct RetryRules: Sendable {
    /// The maximum number of retries.
    public var retryLimit: UInt
    /// The factor between delays; at least 2.
    public var exponentialBackoffBase: UInt
    /// The first delay in seconds.
    public var exponentialBackoffScale: Double
    /// The methods of requests that are retried.
    public var retryableHTTPMethods: Set<HTTPMethod>
    /// The status codes that are retried.
    public var retryableHTTPStatusCodes: Set<Int>
    /// Whether an error, or the error below an `AFError`, is temporary.
    public var isRetryable: @Sendable (any Error) -> Bool
    /// The random part of a delay, from 0, as in Alamofire, to 1. It keeps clients that failed together apart.
    public var jitter: Double
    /// The maximum delay of the rules in seconds.
    public var maximumDelay: Double
    /// The maximum `Retry-After`, or reset of a rate limit, in seconds that is honored; 0 ignores the fields, as in
    /// Alamofire.
    public var maximumRetryAfter: Double

    /// Creates rules; the defaults are those of ``RetryPolicy``.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        jitter: Double = 0,
        maximumDelay: Double = .infinity,
        maximumRetryAfter: Double = 60,
        isRetryable: @escaping @Sendable (any Error) -> Bool
    ) {
        precondition(exponentialBackoffBase >= 2, "The base of an exponential back-off must be at least 2.")
        precondition((0...1).contains(jitter), "Jitter is a fraction between 0 and 1.")
        self.retryLimit = retryLimit
        self.exponentialBackoffBase = exponentialBackoffBase
        self.exponentialBackoffScale = exponentialBackoffScale
        self.retryableHTTPMethods = retryableHTTPMethods
        self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
        self.jitter = jitter
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.isRetryable = isRetryable
    }

    /// Whether the failure is retryable, regardless of the number of retries: the method must be allowed, and the status or
    /// the failure decides.
    public func shouldRetry(method: HTTPMethod?, status: Int?, failure: any Error) -> Bool {
        guard let method, retryableHTTPMethods.contains(method) else { return false }
        if let status, retryableHTTPStatusCodes.contains(status) { return true }
        return isRetryable(failure) || failure.asAFError?.underlyingError.map(isRetryable) == true
    }

    /// Returns the seconds to wait before a retry.
    ///
    /// - Parameters:
    ///   - retryCount: The number of earlier retries.
    ///   - random: A random number from 0 up to 1 for the random part.
    public func delay(forRetry retryCount: Int, random: Double) -> Double {
        let exponential = pow(Double(exponentialBackoffBase), Double(retryCount)) * exponentialBackoffScale
        return min(exponential, maximumDelay) * (1 - jitter * random)
    }

    /// Returns the seconds to wait before a retry: the longer of the rules' delay and the server's `Retry-After`.
    public func delay(forRetry retryCount: Int, random: Double, retryAfter: RetryAfter?, now: Date) -> Double {
        let requested = min(retryAfter?.delay(from: now) ?? 0, maximumRetryAfter)
        return max(delay(forRetry: retryCount, random: random), requested)
    }
}
