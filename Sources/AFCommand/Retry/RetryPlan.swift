/// When a failed request is tried again.
struct RetryPlan: Sendable {
    let limit: Int
    /// Seconds between tries; `nil` for waits that grow.
    let delay: Double?
    /// Seconds after the first try in which another may begin.
    let totalTime: Double?
    /// Seconds after the first try after which nothing goes on at all.
    private let end: Double?
    let includesUnsafe: Bool
    private let typedConditions: RetryConditions?

    var conditions: RetryConditions { typedConditions ?? .default }

    /// Seconds that a server may ask to be left alone: without a limit of the user's, what asks for more than an hour is
    /// taken at its word now.
    var longestWish: Double { [totalTime, end].compactMap(\.self).min() ?? 3600 }

    init(_ typed: RetryArguments, end: Double?) {
        self.end = end
        limit = typed.limit ?? 0
        delay = typed.delay?.value
        totalTime = typed.totalTime?.value
        typedConditions = typed.conditions
        includesUnsafe = typed.includesUnsafe
    }
}
