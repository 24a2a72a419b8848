/// The state machine of an ``AuthenticationInterceptor``, without locks, clocks and callbacks.
///
///     idle ─► refreshing ─► idle, with a new credential
///                 └───────► failed ─► idle, with the next request or credential
struct AuthenticationState<Credential: AuthenticationCredential & Sendable>: OrderedState {
    static var runsProgram: Bool { true }

    typealias Adaptation = @Sendable (Result<Credential, any Error>) -> Void
    typealias Retry = @Sendable (RetryResult) -> Void

    /// The limit on refreshes.
    struct Limit {
        let interval: Duration
        let attempts: Int
    }

    /// The action for a request that needs a credential.
    enum AdaptAction {
        case apply(Credential)
        case fail(any Error)
        /// The closure is called later.
        case wait
        /// The closure is called by the release.
        case refresh(RefreshAction)
    }

    /// The action after a server rejected a credential.
    enum RetryAction {
        case finish(RetryResult)
        /// The closure is called later.
        case wait
        /// The closure is called by the release.
        case refresh(RefreshAction)
    }

    /// The action of a refresh.
    enum RefreshAction {
        /// Refresh the credential and pass the result with the number.
        case start(Credential, number: Int)
        case release(Release)
    }

    /// Waiting closures and their result.
    struct Release {
        let adaptations: [Adaptation]
        let retries: [Retry]
        let result: Result<Credential, any Error>

        func callAsFunction() {
            for adaptation in adaptations { adaptation(result) }
            let result: RetryResult =
                switch result {
                case .success: .retry
                case .failure(let error): .doNotRetryWithError(error)
                }
            for retry in retries { retry(result) }
        }
    }

    private enum Phase {
        case idle
        case refreshing(Refresh)
        /// The last refresh failed, and no other was started since.
        case failed(any Error)
    }

    private struct Refresh {
        let number: Int
        /// Whether outgoing requests wait: not after a server rejected the credential, as one of them may be the
        /// authenticator's own.
        let holdsRequests: Bool
        /// The version of the credential that is refreshed.
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
    /// The times of recent refreshes that count toward the limit.
    private var refreshes: [ContinuousClock.Instant] = []
    private var adaptations: [Adaptation] = []
    private var retries: [Retry] = []

    init(credential: Credential?, limit: Limit?) {
        self.credential = credential
        self.limit = limit
    }

    /// Decides about a request that needs a credential.
    mutating func adapt(at now: ContinuousClock.Instant, _ waiter: @escaping Adaptation) -> AdaptAction {
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
        return .refresh(refresh(credential, holdsRequests: true, at: now))
    }

    /// Decides after a server rejected the credential of a version.
    mutating func retry(
        _ refusedVersion: Int,
        at now: ContinuousClock.Instant,
        _ waiter: @escaping Retry
    ) -> RetryAction {
        guard let credential, refusedVersion == version else { return .finish(.retry) }
        switch phase {
        case .failed(let error): return .finish(.doNotRetryWithError(error))
        case .refreshing:
            retries.append(waiter)
            return .wait
        case .idle:
            retries.append(waiter)
            return .refresh(refresh(credential, holdsRequests: false, at: now))
        }
    }

    /// Processes the result of a refresh; `nil` if no caller waits for it any more.
    ///
    /// A new credential that requires a refresh is not applied, but refreshed too, as often as the limit allows.
    mutating func refreshed(
        _ number: Int,
        _ result: Result<Credential, any Error>,
        at now: ContinuousClock.Instant
    ) -> RefreshAction? {
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
    ) -> RefreshAction {
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
        return .start(credential, number: refreshCount)
    }

    private mutating func release(_ result: Result<Credential, any Error>) -> Release {
        defer { (adaptations, retries) = ([], []) }
        return Release(adaptations: adaptations, retries: retries, result: result)
    }
}
