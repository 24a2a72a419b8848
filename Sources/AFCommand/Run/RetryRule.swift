internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Decides about another try, for the core that makes it and for the printer that must not show what will be replaced.
final class RetryRule: RequestInterceptor {
    private let plan: RetryPlan
    private let method: HTTPMethod
    private let rules: RetryRules
    private let now: @Sendable () -> Double
    private let start: Double
    /// Whether something reached the output that another try would repeat.
    private let hasShown = Mutex(false)
    private let notify: @Sendable (_ error: any Error, _ delay: Double, _ attempt: Int) -> Void

    init(
        _ plan: RetryPlan,
        method: HTTPMethod,
        now: @escaping @Sendable () -> Double,
        notify: @escaping @Sendable (_ error: any Error, _ delay: Double, _ attempt: Int) -> Void
    ) {
        self.plan = plan
        self.method = method
        self.now = now
        self.notify = notify
        start = now()
        rules = RetryRules(
            exponentialBackoffScale: 1,
            jitter: 0.5,
            maximumDelay: 60,
            maximumRetryAfter: plan.totalTime ?? 3600,
            isRetryable: { _ in false }
        )
    }

    /// Whether a response with this status would be tried again, so that its body is not the answer.
    func replaces(_ response: HTTPURLResponse, after retries: Int) -> Bool {
        plan.conditions.statuses.contains(response.statusCode) && delay(after: retries, response) != nil
    }

    func noteShown() { hasShown.withLock { $0 = true } }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard covers(error), !hasShown.withLock(\.self),
            let delay = delay(after: request.retryCount, request.response)
        else { return completion(.doNotRetry) }
        notify(error, delay, request.retryCount + 1)
        completion(.retryWithDelay(delay))
    }

    /// Seconds until the next try; `nil` where there is none.
    private func delay(after retries: Int, _ response: HTTPURLResponse?) -> Double? {
        guard retries < plan.limit, method.isIdempotent || plan.includesUnsafe else { return nil }
        let wish = response?.retryAfter
        let delay =
            plan.delay.map { max($0, wish?.delay(from: .now) ?? 0) }
            ?? rules.delay(forRetry: retries, random: .random(in: 0..<1), retryAfter: wish, now: .now)
        if let total = plan.totalTime, now() - start + delay > total { return nil }
        return delay
    }

    private func covers(_ error: any Error) -> Bool {
        guard let error = error.asAFError else { return false }
        if let status = error.responseCode { return plan.conditions.statuses.contains(status) }
        guard let failure = error.underlyingError as? TransferFailure else { return false }
        return RetryConditions.Failure(failure.kind).map(plan.conditions.failures.contains) ?? false
    }
}

extension RetryConditions.Failure {
    fileprivate init?(_ kind: TransferFailure.Kind) {
        switch kind {
        case .unresolvedHost, .unresolvedProxy, .cannotConnect, .proxyRefused: self = .connect
        case .connectionLost: self = .reset
        case .connectTimedOut, .idleTimedOut, .totalTimedOut: self = .timeout
        case .truncated: self = .truncated
        default: return nil
        }
    }
}
