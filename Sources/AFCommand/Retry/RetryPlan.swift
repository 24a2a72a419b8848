/// The settings for retries.
struct RetryPlan: Sendable {
    let limit: Int
    /// The seconds between attempts; `nil` for increasing delays.
    let delay: Double?
    /// The seconds after the first attempt in which a retry may start.
    let totalTime: Double?
    /// The seconds after the first attempt at which everything ends.
    private let end: Double?
    let includesUnsafe: Bool
    private let typedConditions: RetryConditions?

    var conditions: RetryConditions { typedConditions ?? .default }

    /// The maximum accepted `Retry-After` in seconds: the user's limit, or one hour; with a longer one the response is
    /// final.
    var longestRetryAfter: Double { [totalTime, end].compactMap(\.self).min() ?? 3600 }

    init(_ typed: RetryArguments, end: Double?) {
        self.end = end
        limit = typed.limit ?? 0
        delay = typed.delay?.value
        totalTime = typed.totalTime?.value
        typedConditions = typed.conditions
        includesUnsafe = typed.includesUnsafe
    }
}
