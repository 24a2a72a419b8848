internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Decides about another try, for the core that makes it and for the printer that must not show what will be replaced.
final class RetryRule: RequestInterceptor {
    /// Another try that is going to be made.
    struct NextTry: Sendable {
        let error: any Error
        /// In seconds.
        let delay: Double
        /// 1 for the first try after the first attempt.
        let number: Int
        let response: HTTPURLResponse?
    }

    private struct State {
        var retries = 0
        /// Whether something reached the output that another try would repeat.
        var hasShown = false
        /// Of the response at hand: decided once, and binding.
        var verdict: Verdict?
    }

    private struct Verdict {
        /// Seconds until the try that replaces the response; `nil` where it is the answer.
        let delay: Double?
    }

    private let plan: RetryPlan
    private let method: HTTPMethod
    /// Whether what was sent of the body can be sent again.
    private let isRepeatable: Bool
    /// The printer's: what came before a failure has been seen to once the retry is decided there.
    private let queue: CallbackQueue
    private let now: @Sendable () -> Double
    private let start: Double
    private let state = Mutex(State())
    private let notify: @Sendable (_ request: Request, _ next: NextTry) -> Void

    init(
        _ plan: RetryPlan,
        of request: RequestPlan,
        on queue: CallbackQueue,
        now: @escaping @Sendable () -> Double,
        notify: @escaping @Sendable (_ request: Request, _ next: NextTry) -> Void
    ) {
        self.plan = plan
        method = request.method
        isRepeatable = !request.body.isStreamed
        self.queue = queue
        self.now = now
        self.notify = notify
        start = now()
    }

    /// Whether another try replaces this response, so that its body is not the answer.
    func replaces(_ response: HTTPURLResponse) -> Bool {
        guard plan.limit > 0, covers(response) else { return false }
        return state.withLock { state in
            let mayRepeat = !state.hasShown && isRepeatable
            let verdict = state.verdict ?? Verdict(delay: mayRepeat ? delay(after: state.retries, response) : nil)
            state.verdict = verdict
            return verdict.delay != nil
        }
    }

    /// In seconds: a server that wants more than that without a limit of the user's is taken at its word now.
    private static let longestWait = 3600.0

    func noteShown() { state.withLock { $0.hasShown = true } }

    /// Fails an answer that another try replaces. Any other is the answer, whatever its status: to be shown and judged.
    func validate(_ response: HTTPURLResponse) -> Result<Void, any Error> {
        guard replaces(response) else { return .success(()) }
        return .failure(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: response.statusCode)))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        queue.async { self.decide(request, error, completion) }
    }

    private func decide(
        _ request: Request,
        _ error: any Error,
        _ completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let next = (request as? SegmentRequest).map { nextTry(of: $0, error) } ?? nextTry(of: request, error)
        guard let next else { return completion(.doNotRetry) }
        notify(request, next)
        completion(.retryWithDelay(next.delay))
    }

    /// Each segment has its tries: it says nothing of the others.
    private func nextTry(of segment: SegmentRequest, _ error: any Error) -> NextTry? {
        let response = error.asAFError?.responseCode == nil ? nil : segment.response
        guard response.map(covers) ?? covers(error), let delay = delay(after: segment.retryCount, response) else {
            return nil
        }
        return NextTry(error: error, delay: delay, number: segment.retryCount + 1, response: response)
    }

    private func nextTry(of request: Request, _ error: any Error) -> NextTry? {
        state.withLock { state in
            let decided = state.verdict.take()?.delay
            guard let delay = decided ?? (covers(error) && !state.hasShown ? delay(after: state.retries, nil) : nil)
            else { return nil }
            state.retries += 1
            let response = decided == nil ? nil : request.response
            return NextTry(error: error, delay: delay, number: state.retries, response: response)
        }
    }

    private var rules: RetryRules {
        RetryRules(
            exponentialBackoffScale: 1,
            jitter: 0.5,
            maximumDelay: 60,
            isRetryable: { _ in false }
        )
    }

    /// Seconds until the next try; `nil` where there is none.
    private func delay(after retries: Int, _ response: HTTPURLResponse?) -> Double? {
        guard retries < plan.limit, method.isIdempotent || plan.includesUnsafe else { return nil }
        let wish = response?.retryAfter?.delay(from: .now) ?? 0
        let own = plan.delay ?? rules.delay(forRetry: retries, random: .random(in: 0..<1))
        let delay = max(own, wish)
        // Coming back before the server wants it would only be one more failure.
        if now() - start + delay > plan.totalTime ?? .infinity || wish > plan.totalTime ?? Self.longestWait {
            return nil
        }
        return delay
    }

    private func covers(_ response: HTTPURLResponse) -> Bool { plan.conditions.statuses.contains(response.statusCode) }

    private func covers(_ error: any Error) -> Bool {
        guard let failure = error.asAFError?.underlyingError as? TransferFailure else { return false }
        guard let condition = RetryConditions.Failure(failure.kind) else { return false }
        return plan.conditions.failures.contains(condition) && (isRepeatable || condition == .connect)
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
