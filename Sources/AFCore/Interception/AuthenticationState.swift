/// What an ``AuthenticationInterceptor`` knows and decides, without lock, clock or callback.
///
///     idle ─► refreshing ─► idle, with a new credential
///                 └───────► failed ─► idle, with the next request or credential
struct AuthenticationState<Credential: AuthenticationCredential & Sendable> {
    typealias Adaptation = @Sendable (Result<Credential, any Error>) -> Void
    typealias Retry = @Sendable (RetryResult) -> Void

    /// How often the credential may be refreshed.
    struct Limit {
        let interval: Duration
        let attempts: Int
    }

    enum Step {
        /// Use the credential.
        case apply(Credential)
        case retry(RetryResult)
        case fail(any Error)
        /// Whoever asked is called later.
        case wait
        /// Whoever asked waits; ask the authenticator, and hand its answer over with the number.
        case refresh(Credential, number: Int)
        case release(Release)
    }

    /// Those who waited, and what they waited for.
    struct Release {
        let adaptations: [Adaptation]
        let retries: [Retry]
        let result: Result<Credential, any Error>

        func callAsFunction() {
            for adaptation in adaptations { adaptation(result) }
            let verdict: RetryResult =
                switch result {
                case .success: .retry
                case .failure(let error): .doNotRetryWithError(error)
                }
            for retry in retries { retry(verdict) }
        }
    }

    private enum Phase {
        case idle
        case refreshing(Refresh)
        /// The last refresh failed, and nobody has tried since.
        case failed(any Error)
    }

    private struct Refresh {
        let number: Int
        /// Whether requests on their way out wait: not where a server refused the credential, as one of them may be
        /// the authenticator's own.
        let holdsRequests: Bool
        /// Of the credential that is refreshed.
        let version: Int
    }

    var credential: Credential? {
        didSet {
            version += 1
            if case .failed = phase { phase = .idle }
        }
    }
    /// Changes with the credential.
    private(set) var version = 0
    private let limit: Limit?
    private var phase = Phase.idle
    private var refreshCount = 0
    /// When credentials were refreshed, as far as that counts for the limit.
    private var refreshes: [ContinuousClock.Instant] = []
    private var adaptations: [Adaptation] = []
    private var retries: [Retry] = []

    init(credential: Credential?, limit: Limit?) {
        self.credential = credential
        self.limit = limit
    }

    /// A request wants a credential.
    mutating func adapt(at now: ContinuousClock.Instant, _ waiter: @escaping Adaptation) -> Step {
        if case .refreshing(let refresh) = phase, refresh.holdsRequests {
            adaptations.append(waiter)
            return .wait
        }
        guard let credential else { return .fail(AuthenticationError.missingCredential) }
        if case .refreshing = phase { return .apply(credential) }
        guard credential.requiresRefresh else {
            phase = .idle
            return .apply(credential)
        }
        adaptations.append(waiter)
        return refresh(credential, holdsRequests: true, at: now)
    }

    /// A server refused the credential of this version.
    mutating func retry(
        _ refusedVersion: Int,
        at now: ContinuousClock.Instant,
        _ waiter: @escaping Retry
    ) -> Step {
        guard let credential, refusedVersion == version else { return .retry(.retry) }
        switch phase {
        case .failed(let error): return .retry(.doNotRetryWithError(error))
        case .refreshing:
            retries.append(waiter)
            return .wait
        case .idle:
            retries.append(waiter)
            return refresh(credential, holdsRequests: false, at: now)
        }
    }

    /// The authenticator has answered; `nil` if no caller waits for that answer any more.
    ///
    /// A new credential that requires a refresh itself goes on no request that waits: it is refreshed as well, as often
    /// as the limit allows.
    mutating func refreshed(
        _ number: Int,
        _ result: Result<Credential, any Error>,
        at now: ContinuousClock.Instant
    ) -> Step? {
        guard case .refreshing(let refresh) = phase, refresh.number == number else { return nil }
        phase = .idle
        // A credential that was set or removed during the refresh replaces the result.
        if refresh.version == version {
            switch result {
            case .success(let new): credential = new
            case .failure(let error):
                phase = .failed(error)
                return .release(release(.failure(error)))
            }
        }
        guard let credential else { return .release(release(.failure(AuthenticationError.missingCredential))) }
        if credential.requiresRefresh, !adaptations.isEmpty {
            return self.refresh(credential, holdsRequests: true, at: now)
        }
        return .release(release(.success(credential)))
    }

    private mutating func refresh(
        _ credential: Credential,
        holdsRequests: Bool,
        at now: ContinuousClock.Instant
    ) -> Step {
        if let limit {
            refreshes.removeAll { $0 < now - limit.interval }
            guard refreshes.count < limit.attempts else {
                phase = .failed(AuthenticationError.excessiveRefresh)
                return .release(release(.failure(AuthenticationError.excessiveRefresh)))
            }
            refreshes.append(now)
        }
        refreshCount += 1
        phase = .refreshing(Refresh(number: refreshCount, holdsRequests: holdsRequests, version: version))
        return .refresh(credential, number: refreshCount)
    }

    private mutating func release(_ result: Result<Credential, any Error>) -> Release {
        defer { (adaptations, retries) = ([], []) }
        return Release(adaptations: adaptations, retries: retries, result: result)
    }
}
