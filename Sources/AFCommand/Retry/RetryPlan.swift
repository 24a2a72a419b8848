internal import AFHTTP

/// The settings for retries.
struct RetryPlan: Sendable {
    /// The maximum number of retries; `Int.max` if only the time is limited.
    let limit: Int
    /// The seconds between attempts; `nil` for increasing delays.
    let delay: Double?
    /// The seconds after the first attempt in which a retry may start.
    let totalTime: Double?
    /// The seconds after the first attempt at which the run ends.
    private let end: Double?
    let includesUnsafe: Bool
    /// The seconds in which the server must become reachable and meet the expectations; `nil` without `--wait`.
    let wait: Double?
    private let typedConditions: RetryConditions?
    /// Whether only responses that name the time of a retry are retried.
    let requiresRetryAfter: Bool

    /// The maximum number of retries after a status 429 without `--retry`.
    private static let rateLimitRetries = 10

    var conditions: RetryConditions { typedConditions ?? .default }

    /// The maximum accepted `Retry-After` in seconds: the user's limit, or one hour; with a longer one the response is
    /// final.
    var longestRetryAfter: Double { deadline?.seconds ?? 3600 }

    /// The seconds after the first attempt in which a retry must start, and the option that sets them.
    var deadline: (seconds: Double, option: String)? {
        [wait.map { ($0, "--wait") }, totalTime.map { ($0, "--retry-max-time") }, end.map { ($0, "--max-time") }]
            .compactMap(\.self).min { $0.0 < $1.0 }
    }

    /// Whether the time of a retry must be within the time limit, and not only the end of the attempt before it.
    let countsDelay: Bool

    /// Creates a plan.
    ///
    /// - Parameter obeysRateLimits: Whether a status 429 with the time of a retry is retried even without `--retry`.
    init(_ typed: RetryArguments, end: Double?, obeysRateLimits: Bool = false, countsDelay: Bool = true) {
        (self.end, self.countsDelay) = (end, countsDelay)
        let hasDeadline = typed.totalTime != nil || end != nil
        let repeatsUntilEnd = hasDeadline && typed.conditions?.failures.contains(.expect) == true
        wait = typed.wait?.value
        requiresRetryAfter = obeysRateLimits && typed.limit == nil && !repeatsUntilEnd && wait == nil
        limit =
            typed.limit ?? (repeatsUntilEnd || wait != nil ? .max : requiresRetryAfter ? Self.rateLimitRetries : 0)
        delay = typed.delay?.value
        totalTime = typed.totalTime?.value
        typedConditions =
            requiresRetryAfter ? RetryConditions(statuses: StatusList([.init(429)])) : typed.conditions
        includesUnsafe = typed.includesUnsafe
    }

    /// Whether a response that does not meet an expectation is retried.
    var includesExpectations: Bool { wait != nil || conditions.failures.contains(.expect) }

    /// Returns the delay before a retry, regardless of the server's; `nil` for increasing ones.
    func delay(forRetry number: Int) -> Double? {
        delay ?? wait.map { _ in min(1, 0.1 * Double(1 << min(number, 4))) }
    }

    /// Whether a request may be repeated.
    func mayRepeat(_ request: RequestPlan) -> Bool { includesUnsafe || request.isIdempotent }

    /// Checks that a request may be repeated for `--wait`.
    ///
    /// - Throws: ``UsageError`` with `--wait`.
    func check(_ request: RequestPlan) throws(UsageError) {
        if wait == 0 { throw UsageError("expected a duration above 0", argument: "--wait") }
        guard wait != nil, !mayRepeat(request) else { return }
        throw UsageError(
            "\(request.method.rawValue) is not idempotent", argument: "--wait", hint: "--retry-unsafe repeats it")
    }

    /// Checks that retries because of expectations are possible and end.
    ///
    /// - Throws: ``UsageError`` with `--retry-on`.
    func check(_ expectations: Expectations) throws(UsageError) {
        guard conditions.failures.contains(.expect), wait == nil else { return }
        if !expectations.requireResponse {
            let hint = "add one, such as --expect-json 'state==\"done\"'"
            throw UsageError("'expect' requires an expectation", argument: "--retry-on", hint: hint)
        }
        if limit == 0 {
            let hint = "add --retry, --retry-max-time or --max-time"
            throw UsageError("'expect' requires a limit", argument: "--retry-on", hint: hint)
        }
    }
}
