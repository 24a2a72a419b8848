internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// An interceptor that decides whether to retry.
///
/// The printer also uses it: a response that a retry replaces must not be shown.
final class RetryRule: RequestInterceptor {
    /// A planned retry.
    struct NextAttempt: Sendable {
        let error: any Error
        /// The delay in seconds.
        let delay: Double
        /// The number of the retry, starting with 1.
        let number: Int
        let response: HTTPURLResponse?
        /// The expectation that the response does not meet, as a sentence; `nil` if its status is the reason.
        var unmet: String?
        let cause: Cause

        /// The reason without the values of the response, which is the same for each failure of the kind.
        enum Cause: Equatable, Sendable {
            /// The option of an expectation with its argument.
            case expectation(String)
            case status(Int)
            case failure(RetryConditions.Failure)
        }
    }

    private struct State {
        var retries = 0
        /// Whether output was written that a retry would repeat.
        var hasWrittenOutput = false
        /// Whether the next attempt continues the output: the response is an event stream.
        var continuesOutput = false
        /// Whether the server supports reconnections after the end of an event stream.
        var mayReconnect = false
        /// The delay in seconds that an event stream has set.
        var reconnectionTime: Double?
        /// The decision about the current response: made once.
        var decision: Decision?
        /// Whether the response was ended before its end, as it is judged.
        var isStopped = false
        /// Whether the output is complete, although the transfer may have failed.
        var isEnded = false
        /// The reason why the last possible retry was refused.
        var refusal: String?
    }

    private enum Decision {
        /// Retry after a number of seconds.
        case retry(after: Double)
        /// No retry.
        ///
        /// - Parameter reason: The reason for the user, as the end of a sentence.
        case doNotRetry(reason: String? = nil)

        var delay: Double? { if case .retry(let delay) = self { delay } else { nil } }
        var reason: String? { if case .doNotRetry(let reason) = self { reason } else { nil } }
    }

    private let plan: RetryPlan
    private let method: HTTPMethod
    /// Whether the server recognizes a request that it has already processed, or its repetition has no effect.
    private let isIdempotent: Bool
    /// Whether the sent part of the body can be sent again.
    private let isRepeatable: Bool
    /// The printer's queue: a retry decided there comes after the output of the failed attempt.
    private let queue: CallbackQueue
    private let now: @Sendable () -> Double
    /// Returns the expectation that a completely received response does not meet.
    private let unmet: @Sendable (HTTPURLResponse) -> UnmetExpectation?
    /// Whether a body may make a response final, so that no retry is decided before its end.
    private let mayBeFatal: Bool
    /// Whether the server recognizes the part that it has, so that it is not processed twice.
    private let mayRepeat: @Sendable () -> Bool
    private let start: Double
    private let state = Mutex(State())
    private let notify: @Sendable (_ request: Request, _ next: NextAttempt) -> Void

    init(
        _ plan: RetryPlan,
        of request: RequestPlan,
        on queue: CallbackQueue,
        now: @escaping @Sendable () -> Double,
        mayBeFatal: Bool = false,
        unmet: @escaping @Sendable (HTTPURLResponse) -> UnmetExpectation?,
        mayRepeat: @escaping @Sendable () -> Bool = { false },
        notify: @escaping @Sendable (_ request: Request, _ next: NextAttempt) -> Void
    ) {
        self.plan = plan
        (method, isIdempotent) = (request.method, request.isIdempotent)
        isRepeatable = request.body.isRepeatable
        self.queue = queue
        self.now = now
        self.mayBeFatal = mayBeFatal
        self.unmet = unmet
        self.mayRepeat = mayRepeat
        self.notify = notify
        start = now()
    }

    /// Whether a retry replaces this response, so that its body is not shown.
    ///
    /// - Parameter isUnmet: Whether its header does not meet an expectation.
    func replaces(_ response: HTTPURLResponse, isUnmet: Bool = false) -> Bool {
        guard plan.limit > 0, covers(response) || isUnmet && plan.includesExpectations else { return false }
        if mayBeFatal, awaitsBody { return false }
        return state.withLock { state in
            let decision = state.decision ?? self.decision(on: response, state)
            state.refusal = decision.reason
            state.decision = decision
            return decision.delay != nil
        }
    }

    /// Whether a retry may replace a response because of its body, which is shown only after its end.
    var awaitsBody: Bool {
        plan.includesExpectations && mayBeSentTwice && isRepeatable
            && state.withLock { $0.retries < plan.limit && !$0.hasWrittenOutput }
    }

    /// A note with the reason why a retryable failure was not retried, or not once more; `nil` if it is obvious.
    var refusalNote: String? {
        state.withLock { state in
            state.refusal.map { "not retried\(state.retries > 0 ? " again" : ""): \($0)" }
        }
    }

    /// Records that the final response does not meet an expectation, and why it was not retried.
    func recordUnmetExpectation() {
        guard plan.includesExpectations, plan.limit > 0 else { return }
        state.withLock { $0.refusal = $0.refusal ?? reasonNotRepeatable }
    }

    /// The reason why the request cannot be sent twice; `nil` if it can.
    private var reasonNotRepeatable: String? {
        guard mayBeSentTwice else { return "\(method.rawValue) is not idempotent; --retry-unsafe retries it" }
        return isRepeatable ? nil : Self.readOnce
    }

    /// The remaining seconds of `--wait`; `nil` without it.
    var remainingWait: Double? { plan.wait.map { max(0, $0 - (now() - start)) } }

    /// Records that the transfer is ended now, and that the response is judged like a complete one.
    func recordStop() { state.withLock { $0.isStopped = true } }

    /// Records that the output is complete: nothing is repeated.
    func recordEnd() { state.withLock { $0.isEnded = true } }

    func recordOutput() { state.withLock { $0.hasWrittenOutput = true } }

    /// Records that the response is an event stream, whose output the next attempt continues.
    ///
    /// - Parameters:
    ///   - mayReconnect: Whether the next attempt also follows an end of the stream without a failure.
    ///   - time: The delay in seconds that the stream has set; `nil` if it has set none.
    func recordEventStream(mayReconnect: Bool, time: Double?) {
        state.withLock { ($0.continuesOutput, $0.mayReconnect, $0.reconnectionTime) = (true, mayReconnect, time) }
    }

    /// Records that the response is no part of an event stream.
    func recordEndOfEvents() { state.withLock { ($0.continuesOutput, $0.mayReconnect) = (false, false) } }

    /// Fails a response that a retry replaces. Any other response is final, regardless of its status.
    func validate(_ response: HTTPURLResponse, isUnmet: Bool) -> Result<Void, any Error> {
        guard replaces(response, isUnmet: isUnmet) else { return .success(()) }
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
        let (isStopped, isEnded) = state.withLock { state in
            defer { state.isStopped = false }
            return (state.isStopped, state.isEnded)
        }
        if isEnded { return completion(.doNotRetry) }
        let error = isStopped ? UnexpectedBody() : error
        let next = (request as? SegmentRequest).map { nextAttempt(of: $0, error) } ?? nextAttempt(of: request, error)
        guard let next else { return completion(.doNotRetry) }
        notify(request, next)
        completion(.retryWithDelay(next.delay))
    }

    /// Returns the next attempt of a segment, which is retried independently.
    private func nextAttempt(of segment: SegmentRequest, _ error: any Error) -> NextAttempt? {
        let response = error.asAFError?.responseCode == nil ? nil : segment.response
        if let response, !covers(response) { return nil }
        let state = State(retries: segment.retryCount)
        let decision =
            response.map { self.decision(on: $0, state) }
            ?? self.decision(on: error, segment.refusedTunnel(error), state)
        guard let delay = decision?.delay else { return nil }
        return NextAttempt(
            error: error, delay: delay, number: segment.retryCount + 1, response: response,
            cause: cause(of: error, response))
    }

    private func nextAttempt(of request: Request, _ error: any Error) -> NextAttempt? {
        state.withLock { state in
            let hasStatus = error.asAFError?.responseCode != nil
            let response = hasStatus || condition(of: error) == .expect ? request.response : nil
            if isEnd(error), !state.mayReconnect { return nil }
            let unmet = response.flatMap { covers($0) && !mayBeFatal ? nil : self.unmet($0) }
            let decided = state.decision.take()?.delay
            let decision =
                decided.map { .retry(after: $0) }
                ?? (response == nil
                    ? self.decision(on: error, request.refusedTunnel(error), state)
                    : self.decision(on: response, unmet, state))
            if decided == nil { state.refusal = decision?.reason ?? state.refusal }
            guard let delay = decision?.delay else { return nil }
            state.retries += 1
            let reason = isEnd(error) ? "the event stream has ended" : unmet?.sentence
            let cause = unmet?.option.map(NextAttempt.Cause.expectation) ?? cause(of: error, response)
            return NextAttempt(
                error: error, delay: delay, number: state.retries, response: response, unmet: reason, cause: cause)
        }
    }

    /// Returns the decision about a response whose body was awaited; `nil` if it is not retryable.
    private func decision(on response: HTTPURLResponse?, _ unmet: UnmetExpectation?, _ state: State) -> Decision? {
        guard let response else { return nil }
        if unmet?.isFatal == true { return .doNotRetry() }
        return covers(response) || unmet != nil && plan.includesExpectations ? decision(on: response, state) : nil
    }

    private func cause(of error: any Error, _ response: HTTPURLResponse?) -> NextAttempt.Cause {
        response.map { .status($0.statusCode) } ?? .failure(condition(of: error))
    }

    private func isEnd(_ error: any Error) -> Bool { error.asAFError?.underlyingError is EndedEventStream }

    private var rules: RetryRules {
        RetryRules(
            exponentialBackoffScale: 1,
            jitter: 0.5,
            maximumDelay: 60,
            isRetryable: { _ in false }
        )
    }

    /// Returns the decision about a retryable response.
    private func decision(on response: HTTPURLResponse, _ state: State) -> Decision {
        guard state.retries < plan.limit, !state.hasWrittenOutput || state.continuesOutput else {
            return .doNotRetry()
        }
        if let reasonNotRepeatable { return .doNotRetry(reason: reasonNotRepeatable) }
        return retry(state, retryAfter: response.requestedDelay)
    }

    /// Returns the decision about a failure; `nil` if it is not retryable.
    ///
    /// - Parameter tunnel: The response of a proxy to CONNECT that caused the failure, and is judged like any other.
    private func decision(on error: any Error, _ tunnel: HTTPURLResponse?, _ state: State) -> Decision? {
        let condition = condition(of: error)
        guard tunnel.map({ covers($0) || plan.wait != nil }) ?? plan.conditions.include(condition) else { return nil }
        // No reason: the retry limit is reached, a body was shown, or the hint of the error names --retry-unsafe.
        // The server did not process the request (RFC 9113 §8.7): it is not sent twice.
        let isRefused = (error.asAFError?.underlyingError as? TransferFailure)?.reason == .streamRefused
        guard state.retries < plan.limit, !state.hasWrittenOutput || state.continuesOutput,
            mayBeSentTwice || isRefused
        else {
            return .doNotRetry()
        }
        let isUnsent = condition == .connect || condition == .lookup
        guard isRepeatable || isUnsent else { return .doNotRetry(reason: Self.readOnce) }
        return retry(state, retryAfter: tunnel?.requestedDelay ?? 0)
    }

    private static let readOnce =
        "the body came from standard input or a pipe, which is read only once; put it into a file: --raw @FILE"

    private var mayBeSentTwice: Bool { isIdempotent || plan.includesUnsafe || mayRepeat() }

    /// Returns the decision about the time of the next retry.
    ///
    /// - Parameter retryAfter: The server's `Retry-After`, or the reset of its rate limit, in seconds.
    private func retry(_ state: State, retryAfter: Double = 0) -> Decision {
        // An earlier retry than the server asks for would only fail again.
        if retryAfter > plan.longestRetryAfter {
            let limit = plan.deadline.map { " (\($0.option))" } ?? ""
            let (wait, longest) = (HumanUnits.duration(retryAfter), HumanUnits.duration(plan.longestRetryAfter))
            return .doNotRetry(reason: "the requested delay of \(wait) exceeds the limit of \(longest)\(limit)")
        }
        let requested = state.continuesOutput ? state.reconnectionTime : nil
        let own =
            plan.delay(forRetry: state.retries) ?? requested
            ?? rules.delay(forRetry: state.retries, random: .random(in: 0..<1))
        var delay = max(own, retryAfter)
        let elapsed = now() - start
        // The last attempt of --wait is at its end.
        if let wait = plan.wait, retryAfter <= 0, case let left = wait - elapsed, left > 0.05 {
            delay = min(delay, left)
        }
        if let deadline = plan.deadline, elapsed + (plan.countsDelay ? delay : 0) > deadline.seconds + 0.001 {
            let limit = "\(deadline.option) (\(HumanUnits.duration(deadline.seconds)))"
            return .doNotRetry(reason: "a wait of \(HumanUnits.duration(delay)) would end after \(limit)")
        }
        return .retry(after: delay)
    }

    private func covers(_ response: HTTPURLResponse) -> Bool {
        plan.conditions.statuses.contains(response.statusCode)
            && (!plan.requiresRetryAfter || response.earliestRetry() != nil)
    }

    private func condition(of error: any Error) -> RetryConditions.Failure {
        let cause = error.asAFError.map(\.underlyingError) ?? error
        if cause is UnexpectedBody { return .expect }
        if cause is EndedEventStream { return .reset }
        return (cause as? TransferFailure).map { RetryConditions.Failure($0.kind) } ?? .any
    }
}

extension Request {
    /// Returns the unsuccessful response of a proxy to CONNECT that is the cause of an error; `nil` for another cause.
    fileprivate func refusedTunnel(_ error: any Error) -> HTTPURLResponse? {
        guard (error.asAFError?.underlyingError as? TransferFailure)?.kind == .proxyRefused else { return nil }
        return lastHops.last?.earlierHeads.last { $0.kind == .tunnel && $0.response.statusCode >= 300 }?.response
    }
}

extension RetryConditions.Failure {
    fileprivate init(_ kind: TransferFailure.Kind) {
        switch kind {
        case .unresolvedHost, .unresolvedProxy: self = .lookup
        case .cannotConnect, .proxyRefused: self = .connect
        case .connectionLost: self = .reset
        case .connectTimedOut, .idleTimedOut, .totalTimedOut: self = .timeout
        case .truncated: self = .truncated
        default: self = .any
        }
    }
}

extension HTTPURLResponse {
    /// The delay in seconds that the server asks for. A date of `Retry-After` is by the clock of the server, which `Date` has.
    fileprivate var requestedDelay: Double {
        let now = headers.value(for: "Date").flatMap { HTTPDate(parsing: $0) }?.date ?? .now
        return earliestRetry(now: now)?.delay(from: now) ?? 0
    }
}
