import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Testing

@_spi(Requests) @testable import AFRequests

/// The calls of the program, the hops, and the end of an attempt.
struct AttemptStateTests {
    // The calls of the program

    @Test func `an attempt passes all states of a task`() throws {
        var attempt = try AttemptState.new()
        #expect(attempt.taskState == .suspended)
        #expect(attempt.set(.running, at: .second(1))?.name == "start")
        #expect(attempt.taskState == .running)
        #expect(attempt.set(.suspended, at: .second(1))?.name == "forward")
        #expect(attempt.taskState == .suspended)
        #expect(attempt.set(.running, at: .second(1))?.name == "forward")
        #expect(attempt.set(.canceled, at: .second(1))?.name == "forward")
        #expect(attempt.taskState == .canceling)
        #expect(attempt.finish(.failed(.cancelled), at: .second(2)).name == "complete cancelled")
        #expect(attempt.taskState == .completed)
    }

    @Test func `a call that changes nothing is ignored`() throws {
        var attempt = try AttemptState.started()
        #expect(attempt.set(.running, at: .second(1))?.name == nil)
        #expect(attempt.set(.suspended, at: .second(1))?.name == "forward")
        #expect(attempt.set(.suspended, at: .second(1))?.name == nil)
        #expect(attempt.set(.canceled, at: .second(1))?.name == "forward")
        for state in [ChainControl.State.running, .suspended, .canceled] {
            #expect(attempt.set(state, at: .second(1))?.name == nil)
        }
    }

    @Test func `an attempt that was suspended before its start starts when it is resumed`() throws {
        var attempt = try AttemptState.new()
        #expect(attempt.set(.suspended, at: .second(1))?.name == "forward")
        #expect(attempt.set(.suspended, at: .second(1))?.name == nil)
        #expect(attempt.nextCall()?.method == nil)
        #expect(attempt.set(.running, at: .second(1))?.name == "start")
    }

    @Test func `an attempt that is canceled before its start ends at once`() throws {
        for state in [nil, ChainControl.State.suspended] {
            var attempt = try AttemptState.new()
            if let state { _ = attempt.set(state, at: .second(1)) }
            let action = attempt.set(.canceled, at: .second(3))
            #expect(action?.name == "complete cancelled")
            #expect(action?.completion?.metrics.transactionMetrics.isEmpty == true)
            #expect(action?.completion?.metrics.taskInterval.duration == 0)
            #expect(attempt.taskState == .completed)
        }
    }

    @Test func `an attempt that has ended ignores calls`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.finish(.successful, at: .second(2))
        for state in [ChainControl.State.running, .suspended, .canceled] {
            #expect(attempt.set(state, at: .second(3))?.name == nil)
        }
        #expect(attempt.taskState == .completed)
    }

    @Test func `an attempt ends once`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(200))
        _ = attempt.decide(nil, at: .second(1))
        #expect(attempt.finish(.successful, at: .second(2)).completion?.metrics.transactionMetrics.count == 1)
        for outcome in [TransferOutcome.successful, .failed(.cancelled), .failed(.shutDown)] {
            #expect(attempt.finish(outcome, at: .second(3)).name == "none")
        }
        #expect(attempt.receiveHead(.final(302)).name == "none")
        #expect(attempt.response?.statusCode == 200)
        var held = try AttemptState.started()
        _ = held.receiveHead(.final(200))
        held.hold()
        _ = held.decide(nil, at: .second(1))
        #expect(held.finish(.successful, at: .second(2)).name == "wait")
        #expect(held.finish(.failed(.cancelled), at: .second(3)).name == "none")
        guard case .complete(let completion)? = held.release(isAccepted: true) else {
            Issue.record("the attempt does not end")
            return
        }
        #expect(completion.name == "complete")
        #expect(completion.metrics.transactionMetrics.count == 1)
        #expect(held.finish(.successful, at: .second(3)).name == "none")
    }

    @Test func `an attempt without a transfer ends with its failure`() throws {
        var attempt = try AttemptState.new()
        _ = attempt.set(.running, at: .second(1))
        _ = attempt.beginHop(at: .second(1))
        let error = AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: "a.test"))
        let completion = attempt.end(.trust(error), at: .second(2))
        #expect(completion.failure?.error.isServerTrustEvaluationError == true)
        #expect(completion.metrics.transactionMetrics.isEmpty)
    }

    // Metrics

    @Test func `the metrics last from the first start to the end`() throws {
        var attempt = try AttemptState.started(at: 10)
        _ = attempt.receiveHead(.final(200))
        _ = attempt.decide(nil, at: .second(11))
        let completion = attempt.finish(.successful, at: .second(15)).completion
        #expect(completion?.failure == nil)
        #expect(completion?.metrics.taskInterval.start == AttemptState.Time.second(10).date)
        #expect(completion?.metrics.taskInterval.duration == 5)
        #expect(completion?.metrics.transactionMetrics.count == 1)
    }

    @Test func `a clock that is set back does not make an interval negative`() throws {
        var attempt = try AttemptState.started(at: 10)
        let completion = attempt.finish(.failed(.connectionLost), at: .second(5)).completion
        #expect(completion?.metrics.taskInterval.duration == 0)
    }

    // Hops

    @Test func `a hop starts with the time since the first one, and without the progress of the one before`() throws {
        var attempt = try AttemptState.started(at: 10)
        #expect(attempt.didSend(5) == 5)
        _ = attempt.receiveHead(.final(302))
        let next = try Hop.test("http://a.test/next", number: 1)
        _ = attempt.decide(.success(next), at: .second(11))
        guard case .follow(let hop, let metrics) = attempt.finish(.successful, at: .second(12)) else {
            Issue.record("not followed")
            return
        }
        #expect(attempt.follow(hop, after: metrics, at: .second(12))?.name == nil)
        #expect(attempt.hop.url.text == "http://a.test/next")
        #expect(attempt.sentBytes == 0)
        #expect(attempt.response?.statusCode == 302)
        let start = attempt.beginHop(at: .second(13))
        #expect(start.elapsedTime == 3)
        #expect(start.number == 2)
        _ = attempt.receiveHead(.final(200))
        _ = attempt.decide(nil, at: .second(14))
        let completion = attempt.finish(.successful, at: .second(15)).completion
        #expect(completion?.metrics.transactionMetrics.count == 2)
        #expect(completion?.metrics.taskInterval.duration == 5)
    }

    @Test func `the first hop starts at once`() throws {
        var attempt = try AttemptState.new()
        _ = attempt.set(.running, at: .second(10))
        let start = attempt.beginHop(at: .second(11))
        #expect(start.elapsedTime == 0)
        #expect(start.number == 1)
        #expect(start.hop.number == 0)
    }

    @Test func `an attempt that is canceled between two hops ends with the first`() throws {
        var attempt = try AttemptState.redirected()
        guard case .follow(let hop, let metrics) = attempt.finish(.successful, at: .second(2)) else {
            Issue.record("not followed")
            return
        }
        #expect(attempt.set(.canceled, at: .second(2))?.name == "forward")
        let end = attempt.follow(hop, after: metrics, at: .second(3))
        #expect(end?.name == "complete cancelled")
        #expect(end?.metrics.transactionMetrics.count == 1)
        #expect(attempt.taskState == .completed)
    }

    @Test func `an attempt that is suspended between two hops suspends the second`() throws {
        var attempt = try AttemptState.redirected()
        guard case .follow(let hop, let metrics) = attempt.finish(.successful, at: .second(2)) else {
            Issue.record("not followed")
            return
        }
        _ = attempt.set(.suspended, at: .second(2))
        #expect(attempt.follow(hop, after: metrics, at: .second(3))?.name == nil)
        let start = attempt.beginHop(at: .second(3))
        #expect(attempt.register(NoControl(), as: start.number)?.method == .suspend)
    }

    // Sending

    @Test func `a body that is sent again counts from its first byte`() throws {
        var attempt = try AttemptState.started()
        #expect(attempt.didSend(10) == 10)
        #expect(attempt.didSend(25) == 15)
        #expect(attempt.didSend(25) == 0)
        // An authentication round.
        #expect(attempt.didSend(7) == 7)
        #expect(attempt.sentBytes == 7)
    }

    // Authentication

    @Test func `the server's first challenge is recorded with the credential`() throws {
        var attempt = try AttemptState.started()
        let storage = URLCredentialStorage()
        var hop = try Hop.test()
        hop.credential = URLCredential(user: "u", password: "p", persistence: .forSession)
        let login = AuthenticationOptions(credential: try #require(hop.credential))
        attempt.authenticate(try #require(CredentialRecorder(login, of: hop, storage: storage)))
        for (kind, status) in [(TransferHead.Kind.tunnel, 407), (.informational, 103), (.intermediate, 407)] {
            #expect(attempt.receiveHead(.of(kind, status)).name == "reportInterim")
        }
        #expect(attempt.receiveHead(.of(.intermediate, 401, ["Realm": "1"])).name == "reportInterim")
        #expect(attempt.receiveHead(.of(.intermediate, 401, ["Realm": "2"])).name == "reportInterim")
        guard case .report(let authentication) = attempt.receiveHead(.final(200)) else {
            Issue.record("not reported")
            return
        }
        #expect(authentication?.challenge?.headers["Realm"] == "1")
    }

    @Test func `nothing is recorded without a credential`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.of(.intermediate, 401))
        guard case .report(let authentication) = attempt.receiveHead(.final(401)) else {
            Issue.record("not reported")
            return
        }
        #expect(authentication?.challenge == nil)
    }
}
