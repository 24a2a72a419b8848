public import FoundationEssentials
internal import Glibc

/// Which failures are worth another attempt, and when: the decisions of `RetryPolicy`, without clock or chance.
public struct RetryRules: Sendable {
    /// Three attempts in all.
    public static let defaultRetryLimit: UInt = 2
    /// Each delay is twice as long as the one before.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// Half a second before the second attempt.
    public static let defaultExponentialBackoffScale = 0.5
    /// Not POST, PATCH and QUERY: sending those twice may do a thing twice.
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [.delete, .get, .head, .options, .put, .trace]
    /// What may be over soon; not 429, as in Alamofire.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]

    /// How often a request is tried again after its first attempt.
    public var retryLimit: UInt
    /// By how much each delay is longer than the one before; at least 2.
    public var exponentialBackoffBase: UInt
    /// The first delay, in seconds.
    public var exponentialBackoffScale: Double
    /// Methods of requests that may be sent again.
    public var retryableHTTPMethods: Set<HTTPMethod>
    /// Statuses that another attempt may not meet.
    public var retryableHTTPStatusCodes: Set<Int>
    /// Whether an error, or what is beneath an `AFError`, may be over at the next attempt.
    public var isRetryable: @Sendable (any Error) -> Bool
    /// The part of a delay that is left to chance: 0, as in Alamofire, none; 1 all of it. It keeps clients that
    /// failed together from returning together.
    public var jitter: Double
    /// No delay of ours is longer, in seconds.
    public var maximumDelay: Double
    /// A server's `Retry-After` is obeyed up to so many seconds; 0 does not listen to it, as in Alamofire.
    public var maximumRetryAfter: Double

    /// Rules; the defaults are Alamofire's, but for `maximumRetryAfter`.
    public init(
        retryLimit: UInt = Self.defaultRetryLimit,
        exponentialBackoffBase: UInt = Self.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = Self.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = Self.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = Self.defaultRetryableHTTPStatusCodes,
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

    /// Whether a failure of this kind is worth another attempt, however many there were.
    ///
    /// The method must be allowed; then either the status or the failure decides.
    public func shouldRetry(method: HTTPMethod?, status: Int?, failure: any Error) -> Bool {
        guard let method, retryableHTTPMethods.contains(method) else { return false }
        if let status, retryableHTTPStatusCodes.contains(status) { return true }
        return isRetryable(failure) || failure.asAFError?.underlyingError.map(isRetryable) == true
    }

    /// The seconds to wait before an attempt.
    ///
    /// - Parameters:
    ///   - retryCount: The attempts after the first that were made already.
    ///   - random: From 0 up to 1; decides the part that is left to chance.
    public func delay(forRetry retryCount: Int, random: Double) -> Double {
        let whole = pow(Double(exponentialBackoffBase), Double(retryCount)) * exponentialBackoffScale
        return min(whole, maximumDelay) * (1 - jitter * random)
    }

    /// The seconds to wait before an attempt that a server wants later: the longer of its wish and our own delay.
    public func delay(forRetry retryCount: Int, random: Double, retryAfter: RetryAfter?, now: Date) -> Double {
        let wish = min(retryAfter?.delay(from: now) ?? 0, maximumRetryAfter)
        return max(delay(forRetry: retryCount, random: random), wish)
    }
}
