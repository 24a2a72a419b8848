/// The settings for retries.
struct RetryPlan: Sendable {
    let limit: Int
    /// The seconds between attempts; `nil` for increasing delays.
    let delay: Double?
    /// The seconds after the first attempt in which a retry may start.
    let totalTime: Double?
    /// The seconds after the first attempt at which the run ends.
    private let end: Double?
    let includesUnsafe: Bool
    private let typedConditions: RetryConditions?

    var conditions: RetryConditions { typedConditions ?? .default }

    /// The maximum accepted `Retry-After` in seconds: the user's limit, or one hour; with a longer one the response is
    /// final.
    var longestRetryAfter: Double { deadline?.seconds ?? 3600 }

    /// The seconds after the first attempt in which a retry must start, and the option that sets them.
    var deadline: (seconds: Double, option: String)? {
        [totalTime.map { ($0, "--retry-max-time") }, end.map { ($0, "--max-time") }].compactMap(\.self)
            .min { $0.0 < $1.0 }
    }

    init(_ typed: RetryArguments, end: Double?) {
        self.end = end
        limit = typed.limit ?? 0
        delay = typed.delay?.value
        totalTime = typed.totalTime?.value
        typedConditions = typed.conditions
        includesUnsafe = typed.includesUnsafe
    }
}
