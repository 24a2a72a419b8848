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
        /// Why there was no other try at the last occasion for one.
        var refusal: String?
    }

    private enum Verdict {
        /// Seconds until the try that replaces the failure, or the response.
        case again(after: Double)
        /// - Parameter reason: Where the user may wonder, as the end of a sentence.
        case enough(reason: String? = nil)

        var delay: Double? { if case .again(let delay) = self { delay } else { nil } }
        var reason: String? { if case .enough(let reason) = self { reason } else { nil } }
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
            let verdict = state.verdict ?? self.verdict(on: response, state)
            state.refusal = verdict.reason
            state.verdict = verdict
            return verdict.delay != nil
        }
    }

    /// Why what was worth another try was not tried again, where nothing else tells; the end of a sentence.
    var refusal: String? { state.withLock(\.refusal) }

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
        if let response, !covers(response) { return nil }
        let state = State(retries: segment.retryCount)
        let verdict = response.map { self.verdict(on: $0, state) } ?? self.verdict(on: error, state)
        guard let delay = verdict?.delay else { return nil }
        return NextTry(error: error, delay: delay, number: segment.retryCount + 1, response: response)
    }

    private func nextTry(of request: Request, _ error: any Error) -> NextTry? {
        state.withLock { state in
            let decided = state.verdict.take()?.delay
            let verdict = decided.map { .again(after: $0) } ?? self.verdict(on: error, state)
            if decided == nil { state.refusal = verdict?.reason ?? state.refusal }
            guard let delay = verdict?.delay else { return nil }
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

    /// Of a response that is worth another try.
    private func verdict(on response: HTTPURLResponse, _ state: State) -> Verdict {
        guard state.retries < plan.limit, !state.hasShown else { return .enough() }
        guard mayBeSentTwice else {
            return .enough(reason: "a \(method.rawValue) is sent again with --retry-unsafe only")
        }
        guard isRepeatable else { return .enough(reason: Self.readOnce) }
        let wish = response.retryAfter?.delay(from: .now) ?? 0
        guard let delay = delay(after: state.retries, wish: wish) else {
            return .enough(reason: wish > 0 ? "the server asks for a wait of \(HumanUnits.duration(wish))" : nil)
        }
        return .again(after: delay)
    }

    /// Of a failure; `nil` where it is not worth another try.
    private func verdict(on error: any Error, _ state: State) -> Verdict? {
        guard let condition = condition(of: error), plan.conditions.failures.contains(condition) else { return nil }
        // The hint beneath the error tells of the rest.
        guard state.retries < plan.limit, !state.hasShown, mayBeSentTwice else { return .enough() }
        guard isRepeatable || condition == .connect else { return .enough(reason: Self.readOnce) }
        return delay(after: state.retries).map { .again(after: $0) } ?? .enough()
    }

    private static let readOnce =
        "the body came from standard input or a pipe, which is read only once; put it into a file: --raw @FILE"

    private var mayBeSentTwice: Bool { method.isIdempotent || plan.includesUnsafe }

    /// Seconds until the next try; `nil` where that would come too late.
    ///
    /// - Parameter wish: The server's, in seconds.
    private func delay(after retries: Int, wish: Double = 0) -> Double? {
        let own = plan.delay ?? rules.delay(forRetry: retries, random: .random(in: 0..<1))
        let delay = max(own, wish)
        // Coming back before the server wants it would only be one more failure.
        return now() - start + delay > plan.totalTime ?? .infinity || wish > plan.longestWish ? nil : delay
    }

    private func covers(_ response: HTTPURLResponse) -> Bool { plan.conditions.statuses.contains(response.statusCode) }

    private func condition(of error: any Error) -> RetryConditions.Failure? {
        (error.asAFError?.underlyingError as? TransferFailure).flatMap { RetryConditions.Failure($0.kind) }
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
