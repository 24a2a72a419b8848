import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Testing

@_spi(Requests) @testable import AFRequests

/// The header, the decision about a redirect, and the bodies before and after it.
struct AttemptRedirectTests {
    @Test(arguments: [200, 204, 404, 500])
    func `a header that is no redirect is reported`(status: Int) throws {
        var attempt = try AttemptState.started()
        #expect(attempt.receiveHead(.final(status)).name == "report")
        #expect(attempt.response?.statusCode == status)
        #expect(attempt.decide(nil, at: .second(1)).name == "none")
        #expect(attempt.receiveBody(1) == .deliver)
        #expect(attempt.isFinal)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a header that may be a redirect is evaluated`(status: Int) throws {
        var attempt = try AttemptState.started()
        #expect(attempt.receiveHead(.final(status)).name == "evaluate")
    }

    @Test func `every header is evaluated if hosts are reached over TLS only`() throws {
        var hop = try Hop.test()
        hop.secure(by: HSTSStore())
        var attempt = try AttemptState.started(hop)
        #expect(attempt.receiveHead(.final(200)).name == "evaluate")
    }

    // The body of the final response

    @Test func `the body waits until the header was reported`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(200))
        #expect(attempt.receiveBody(1) == .pause)
        #expect(!attempt.isFinal)
        #expect(attempt.decide(nil, at: .second(1)).name == "drain")
        #expect(attempt.receiveBody(1) == .deliver)
    }

    @Test func `the decision about the codings waits until the header was reported`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(200))
        #expect(attempt.decodesBody() == .wait)
        #expect(attempt.decide(nil, at: .second(1)).name == "drain")
        #expect(attempt.decodesBody() == .ask)
    }

    @Test func `bytes without a header end the transfer`() throws {
        var attempt = try AttemptState.started()
        #expect(attempt.receiveBody(1) == .stop)
        #expect(attempt.decodesBody() == .decode)
    }

    // The body of a redirect

    @Test func `the body of a redirect is discarded up to a limit`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(302))
        let action = attempt.decide(.success(try .test("http://a.test/next", number: 1)), at: .second(1))
        #expect(action.name == "discard 1")
        #expect(!attempt.isFinal)
        #expect(attempt.decodesBody() == .decode)
        #expect(attempt.receiveBody(AttemptState.discardLimit) == .discard(isLast: false))
        #expect(attempt.receiveBody(1) == .discard(isLast: true))
    }

    @Test func `the body of a redirect continues after the decision`() throws {
        var attempt = try AttemptState.started()
        _ = attempt.receiveHead(.final(302))
        attempt.askHandler()
        #expect(attempt.receiveBody(1) == .pause)
        #expect(attempt.acceptReply(about: 0) == true)
        let action = attempt.decide(.success(try .test("http://a.test/next", number: 1)), at: .second(1))
        #expect(action.name == "discard 1, drain")
    }

    @Test func `the failure of a redirect's body is irrelevant`() throws {
        for kind in [nil, TransferFailure.Kind.stopped, .cancelled, .truncated, .idleTimedOut] {
            var attempt = try AttemptState.redirected()
            #expect(attempt.finish(.ended(kind), at: .second(2)).name == "follow")
        }
    }

    @Test func `the end of the session or of the time ends an attempt even after a redirect`() throws {
        for kind in [TransferFailure.Kind.shutDown, .totalTimedOut] {
            var attempt = try AttemptState.redirected()
            #expect(attempt.finish(.failed(kind), at: .second(2)).name == "complete \(kind.name)")
        }
    }

    @Test func `a rejected redirect ends with its failure`() throws {
        for kind in [nil, TransferFailure.Kind.stopped, .cancelled, .shutDown] {
            var attempt = try AttemptState.started()
            _ = attempt.receiveHead(.final(302))
            let refusal = RedirectFailure(reason: .downgrade)
            #expect(attempt.decide(.failure(refusal), at: .second(1)).name == "discard 1")
            let completion = attempt.finish(.ended(kind), at: .second(2)).completion
            #expect((completion?.failure?.error.underlyingError as? RedirectFailure) == refusal)
            #expect(completion?.metrics.transactionMetrics.count == 1)
        }
    }

    // The handler

    @Test func `the first reply of a handler counts`() throws {
        var attempt = try AttemptState.deciding()
        #expect(attempt.acceptReply(about: 0) == true)
        #expect(attempt.acceptReply(about: 0) == false)
        #expect(attempt.decide(nil, at: .second(1)).name == "none")
        #expect(attempt.acceptReply(about: 0) == false)
    }

    @Test func `a reply about an earlier hop is ignored`() throws {
        var hop = try Hop.test()
        hop.number = 1
        var attempt = try AttemptState.started(hop)
        _ = attempt.receiveHead(.final(302))
        attempt.askHandler()
        #expect(attempt.acceptReply(about: 0) == false)
        #expect(attempt.acceptReply(about: 1) == true)
    }

    @Test func `a reply after the cancellation is ignored`() throws {
        var attempt = try AttemptState.deciding()
        #expect(attempt.set(.canceled, at: .second(1))?.name == "forward")
        #expect(attempt.acceptReply(about: 0) == false)
    }

    @Test func `the end of a transfer waits for the handler`() throws {
        var attempt = try AttemptState.deciding()
        #expect(attempt.finish(.successful, at: .second(1)).name == "wait")
        #expect(attempt.taskState == .running)
        _ = attempt.acceptReply(about: 0)
        #expect(attempt.decide(nil, at: .second(3)).name == "end: complete")
        #expect(attempt.taskState == .completed)
    }

    @Test func `the end of a transfer waits until the reply was reported`() throws {
        var attempt = try AttemptState.deciding()
        _ = attempt.acceptReply(about: 0)
        #expect(attempt.finish(.successful, at: .second(1)).name == "wait")
        let action = attempt.decide(.success(try .test("http://a.test/next", number: 1)), at: .second(1))
        #expect(action.name == "end: follow")
    }

    @Test func `a failure while the handler decides follows its decision`() throws {
        var attempt = try AttemptState.deciding()
        #expect(attempt.finish(.failed(.connectionLost), at: .second(1)).name == "wait")
        _ = attempt.acceptReply(about: 0)
        #expect(attempt.decide(nil, at: .second(1)).name == "end: complete connectionLost")
    }

    @Test func `some failures do not wait for the handler`() throws {
        for kind in [TransferFailure.Kind.cancelled, .shutDown, .totalTimedOut] {
            var attempt = try AttemptState.deciding()
            #expect(attempt.finish(.failed(kind), at: .second(1)).name == "complete \(kind.name)")
            #expect(attempt.acceptReply(about: 0) == false)
        }
    }

    @Test func `canceling ends an attempt whose transfer has ended before the decision`() throws {
        var attempt = try AttemptState.deciding()
        _ = attempt.finish(.successful, at: .second(1))
        let action = attempt.set(.canceled, at: .second(2))
        #expect(action?.name == "complete cancelled")
        #expect(action?.completion?.metrics.transactionMetrics.count == 1)
        #expect(attempt.acceptReply(about: 0) == false)
    }

    @Test func `a transfer that ends after the cancellation does not wait for the handler`() throws {
        var attempt = try AttemptState.deciding()
        _ = attempt.set(.canceled, at: .second(1))
        #expect(attempt.finish(.successful, at: .second(2)).name == "complete cancelled")
    }

    @Test func `a cancellation while the reply is reported leaves the end to it`() throws {
        var attempt = try AttemptState.deciding()
        _ = attempt.acceptReply(about: 0)
        #expect(attempt.finish(.successful, at: .second(1)).name == "wait")
        #expect(attempt.set(.canceled, at: .second(1))?.name == "forward")
        #expect(attempt.decide(nil, at: .second(1)).name == "end: complete")
    }
}
