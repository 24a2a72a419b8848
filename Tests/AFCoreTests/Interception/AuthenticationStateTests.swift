import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFRequests

struct AuthenticationStateTests {
    private typealias State = AuthenticationState<BearerToken>
    private let now = ContinuousClock.now
    private let journal = Journal()

    private func state(_ token: BearerToken? = BearerToken(name: "old"), attempts: Int = 5) -> State {
        State(credential: token, limit: .init(interval: .seconds(30), attempts: attempts))
    }

    /// Records the result that a request receives.
    private func adaptation(_ name: String) -> State.Adaptation {
        { [journal] result in
            switch result {
            case .success(let token): journal.note("\(name) gets \(token.name)")
            case .failure(let error): journal.note("\(name) fails: \(error)")
            }
        }
    }

    private func retry(_ name: String) -> State.Retry {
        { [journal] verdict in
            switch verdict {
            case .retry: journal.note("\(name) retries")
            case .doNotRetryWithError(let error): journal.note("\(name) fails: \(error)")
            default: journal.note("\(name): \(verdict)")
            }
        }
    }

    private func refreshNumber(_ action: State.AdaptAction) throws -> Int {
        guard case .refresh(let refresh) = action else { throw Unexpected(action: "\(action)") }
        return try refreshNumber(refresh)
    }

    private func refreshNumber(_ action: State.RetryAction) throws -> Int {
        guard case .refresh(let refresh) = action else { throw Unexpected(action: "\(action)") }
        return try refreshNumber(refresh)
    }

    private func refreshNumber(_ action: State.RefreshAction) throws -> Int {
        guard case .start(_, let number) = action else { throw Unexpected(action: "\(action)") }
        return number
    }

    /// Reports the authenticator's result, and calls the waiting requests.
    private func settle(_ state: inout State, _ number: Int, _ result: Result<BearerToken, any Error>) {
        guard case .release(let release)? = state.refreshed(number, result, at: now) else {
            Issue.record("no request is released")
            return
        }
        release()
    }

    private struct Unexpected: Error { let action: String }

    private func name(_ action: State.AdaptAction) -> String {
        switch action {
        case .apply(let token): "apply \(token.name)"
        case .fail(let error): "fail: \(error)"
        case .wait: "wait"
        case .refresh(let refresh): name(refresh)
        }
    }

    private func name(_ action: State.RetryAction) -> String {
        switch action {
        case .finish(.retry): "retry"
        case .finish(let result): "\(result)"
        case .wait: "wait"
        case .refresh(let refresh): name(refresh)
        }
    }

    private func name(_ action: State.RefreshAction) -> String {
        switch action {
        case .start(let token, _): "refresh \(token.name)"
        case .release: "release"
        }
    }

    @Test func `a valid credential is applied to the request, and without one the request fails`() {
        var good = state()
        #expect(name(good.adapt(at: now, adaptation("a"))) == "apply old")
        var none = state(nil)
        #expect(name(none.adapt(at: now, adaptation("a"))) == "fail: \(AuthenticationError.missingCredential)")
    }

    @Test func `requests wait while a credential that requires it is refreshed`() throws {
        var state = state(BearerToken(name: "old", requiresRefresh: true))
        let number = try refreshNumber(state.adapt(at: now, adaptation("first")))
        #expect(name(state.adapt(at: now, adaptation("second"))) == "wait")
        #expect(name(state.retry(state.version, at: now, retry("third"))) == "wait")
        settle(&state, number, .success(BearerToken(name: "new")))
        #expect(journal.all == ["first gets new", "second gets new", "third retries"])
        #expect(name(state.adapt(at: now, adaptation("fourth"))) == "apply new")
    }

    @Test func `a new credential that requires a refresh is refreshed before it is applied`() throws {
        var state = state(BearerToken(name: "old", requiresRefresh: true), attempts: 2)
        let first = try refreshNumber(state.adapt(at: now, adaptation("waiting")))
        let newer = BearerToken(name: "newer", requiresRefresh: true)
        let again = state.refreshed(first, .success(newer), at: now)
        let second = try refreshNumber(#require(again))
        #expect(name(state.adapt(at: now, adaptation("late"))) == "wait")
        #expect(name(state.retry(state.version, at: now, retry("refused"))) == "wait")
        #expect(journal.all.isEmpty)
        // A third refresh would exceed the limit.
        settle(&state, second, .success(newer))
        let error = AuthenticationError.excessiveRefresh
        #expect(journal.all == ["waiting fails: \(error)", "late fails: \(error)", "refused fails: \(error)"])
    }

    @Test func `during a refresh for a rejection, requests are sent with the old credential`() throws {
        var state = state()
        _ = try refreshNumber(state.retry(state.version, at: now, retry("refused")))
        #expect(name(state.adapt(at: now, adaptation("on its way"))) == "apply old")
        #expect(name(state.retry(state.version, at: now, retry("refused too"))) == "wait")
    }

    @Test func `a request rejected with an earlier credential is retried immediately`() {
        var state = state()
        let version = state.version
        state.credential = BearerToken(name: "new")
        #expect(name(state.retry(version, at: now, retry("late"))) == "retry")
    }

    @Test func `a failed refresh fails waiting requests, and rejected ones until the next adaptation`() throws {
        var state = state()
        let number = try refreshNumber(state.retry(state.version, at: now, retry("a")))
        _ = state.retry(state.version, at: now, retry("b"))
        settle(&state, number, .failure(Refused()))
        #expect(journal.all == ["a fails: Refused()", "b fails: Refused()"])
        guard case .finish(.doNotRetryWithError(let error)) = state.retry(state.version, at: now, retry("c")) else {
            Issue.record("another refresh")
            return
        }
        #expect(error is Refused)
        #expect(name(state.adapt(at: now, adaptation("d"))) == "apply old")
        #expect(name(state.retry(state.version, at: now, retry("d"))) == "refresh old")
    }

    @Test func `a credential set after a failed refresh clears the failure`() throws {
        var state = state()
        let number = try refreshNumber(state.retry(state.version, at: now, retry("a")))
        settle(&state, number, .failure(Refused()))
        state.credential = BearerToken(name: "typed")
        #expect(name(state.retry(state.version, at: now, retry("b"))) == "refresh typed")
    }

    @Test(arguments: [BearerToken(name: "typed"), nil])
    func `a credential set during a refresh has priority over its result`(typed: BearerToken?) throws {
        var state = state()
        let number = try refreshNumber(state.retry(state.version, at: now, retry("a")))
        state.credential = typed
        settle(&state, number, .success(BearerToken(name: "new")))
        #expect(state.credential == typed)
        #expect(journal.all == [typed == nil ? "a fails: \(AuthenticationError.missingCredential)" : "a retries"])
    }

    @Test func `a repeated result of a refresh is ignored`() throws {
        var state = state()
        let number = try refreshNumber(state.retry(state.version, at: now, retry("a")))
        #expect(state.refreshed(number, .success(BearerToken(name: "new")), at: now) != nil)
        #expect(state.refreshed(number, .success(BearerToken(name: "newer")), at: now) == nil)
        let second = try refreshNumber(state.retry(state.version, at: now, retry("b")))
        #expect(state.refreshed(number, .success(BearerToken(name: "newer")), at: now) == nil)
        #expect(state.refreshed(second, .success(BearerToken(name: "third")), at: now) != nil)
        #expect(state.credential?.name == "third")
    }

    @Test func `a request fails without a refresh after the limit of refreshes in the window`() throws {
        var state = state(attempts: 2)
        for time in [0, 29] {
            let step = state.retry(state.version, at: now + .seconds(time), retry("early"))
            settle(&state, try refreshNumber(step), .success(BearerToken(name: "new")))
        }
        let third = state.retry(state.version, at: now + .seconds(30), retry("third"))
        guard case .refresh(.release(let release)) = third else {
            Issue.record("a third refresh")
            return
        }
        release()
        #expect(journal.all.last == "third fails: \(AuthenticationError.excessiveRefresh)")
        // The next request clears the failure; the first refresh is now outside the window.
        #expect(name(state.adapt(at: now, adaptation("next"))) == "apply new")
        #expect(name(state.retry(state.version, at: now + .seconds(31), retry("fourth"))) == "refresh new")
    }

    @Test func `without a window the number of refreshes is unlimited`() throws {
        var state = State(credential: BearerToken(name: "old"), limit: nil)
        for _ in 0..<100 {
            let step = state.retry(state.version, at: now, retry("again"))
            settle(&state, try refreshNumber(step), .success(BearerToken(name: "new")))
        }
        #expect(journal.count("again retries") == 100)
    }
}
