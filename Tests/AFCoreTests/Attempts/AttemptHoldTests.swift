import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Testing

@_spi(Requests) @testable import AFRequests

/// The body and the end of a response that the owner has not accepted.
struct AttemptHoldTests {
    /// Returns the state after the header was reported to an owner that has not decided.
    private func held() throws -> AttemptState {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(200))
        attempt.hold()
        #expect(attempt.decide(nil, at: .second(1)).name == "none")
        return attempt
    }

    @Test func `the body waits until the header is accepted`() throws {
        var attempt = try held()
        #expect(attempt.receiveBody(1) == .pause)
        #expect(attempt.decodesBody() == .ask)
        #expect(attempt.release(isAccepted: true)?.name == "drain")
        #expect(attempt.receiveBody(1) == .deliver)
        #expect(attempt.release(isAccepted: true)?.name == nil)
        #expect(attempt.finish(.successful, at: .second(2)).name == "complete")
    }

    @Test func `a header may be accepted while it is being reported`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(200))
        attempt.hold()
        #expect(attempt.receiveBody(1) == .pause)
        #expect(attempt.release(isAccepted: true)?.name == nil)
        #expect(attempt.decide(nil, at: .second(1)).name == "drain")
        #expect(attempt.receiveBody(1) == .deliver)
    }

    @Test func `a body that waits for its header is not drained before it is accepted`() throws {
        var attempt = try AttemptState.deciding()
        #expect(attempt.receiveBody(1) == .pause)
        _ = attempt.acceptReply(about: 0)
        attempt.hold()
        #expect(attempt.decide(nil, at: .second(1)).name == "none")
        #expect(attempt.release(isAccepted: true)?.name == "drain")
    }

    @Test func `the body of a rejected response waits for the end of its transfer`() throws {
        for isReported in [false, true] {
            var attempt = try AttemptState.started()
            _ = attempt.receiveHead(.final(200))
            attempt.hold()
            if isReported { _ = attempt.decide(nil, at: .second(1)) }
            #expect(attempt.set(.canceled, at: .second(1))?.name == "forward")
            #expect(attempt.release(isAccepted: false)?.name == nil)
            if !isReported { _ = attempt.decide(nil, at: .second(1)) }
            #expect(attempt.receiveBody(1) == .pause)
            #expect(attempt.finish(.failed(.cancelled), at: .second(2)).name == "complete cancelled")
        }
    }

    @Test func `a successful end waits until the header is accepted`() throws {
        var attempt = try held()
        #expect(attempt.finish(.successful, at: .second(5)).name == "wait")
        #expect(attempt.taskState == .completed)
        guard case .complete(let completion) = attempt.release(isAccepted: true) else {
            Issue.record("not completed")
            return
        }
        #expect(completion.failure?.error == nil)
        // Without the time of the decision.
        #expect(completion.metrics.taskInterval.duration == 4)
        #expect(attempt.release(isAccepted: true)?.name == nil)
        #expect(attempt.set(.canceled, at: .second(6))?.name == nil)
    }

    @Test func `an end before the header was reported waits, too`() throws {
        var attempt = try AttemptState.deciding()
        #expect(attempt.finish(.successful, at: .second(1)).name == "wait")
        _ = attempt.acceptReply(about: 0)
        attempt.hold()
        #expect(attempt.decide(nil, at: .second(1)).name == "end: wait")
        #expect(attempt.release(isAccepted: true)?.name == "complete")
    }

    @Test func `canceling releases the end of a transfer, which is not canceled any more`() throws {
        var attempt = try held()
        _ = attempt.finish(.successful, at: .second(2))
        for state in [ChainControl.State.suspended, .running] {
            #expect(attempt.set(state, at: .second(3))?.name == nil)
        }
        #expect(attempt.set(.canceled, at: .second(3))?.name == "release: complete")
        #expect(attempt.release(isAccepted: false)?.name == nil)
    }

    @Test func `a failure, and the end of a canceled transfer, need no decision`() throws {
        var attempt = try held()
        #expect(attempt.finish(.failed(.connectionLost), at: .second(2)).name == "complete connectionLost")
        #expect(attempt.release(isAccepted: true)?.name == nil)
        attempt = try held()
        _ = attempt.set(.canceled, at: .second(2))
        #expect(attempt.finish(.successful, at: .second(2)).name == "complete")
    }

    @Test func `only a header that is being reported can be held`() throws {
        var attempt = try AttemptState.started()
        attempt.hold()
        _ = attempt.receiveHead(.final(200))
        _ = attempt.decide(nil, at: .second(1))
        attempt.hold()
        #expect(attempt.receiveBody(1) == .deliver)
    }
}

extension AttemptState.ReleaseAction {
    fileprivate var name: String {
        switch self {
        case .drain: "drain"
        case .complete(let completion): completion.name
        }
    }
}
