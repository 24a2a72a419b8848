import Testing

@testable import AFRequests

struct LifecycleTests {
    /// A phase of a request, with a lifecycle that has reached it.
    enum Phase: CaseIterable, Sendable {
        case idle, preparing, transferring, validating, deciding, waiting, serializing, decidingOnSerializer, done

        var lifecycle: Lifecycle {
            var life = Lifecycle()
            if self == .idle { return life }
            _ = life.resume()
            if self == .preparing { return life }
            _ = life.prepared(0)
            if self == .transferring { return life }
            _ = life.taskEnded()
            if self == .validating { return life }
            let fails = self == .deciding || self == .waiting
            _ = life.validated(hasError: fails)
            if self == .waiting { _ = life.decided(1, retries: true) }
            if self == .decidingOnSerializer { _ = life.serializerFailed() }
            if self == .done { _ = life.serializersRan() }
            return life
        }
    }

    @Test func `a request passes all phases in order`() {
        var life = Lifecycle()
        #expect(life.state == .initialized)
        #expect(life.resume() == .prepare)
        #expect(life.state == .resumed)
        #expect(life.prepared(0) == true)
        #expect(life.taskEnded() == true)
        #expect(life.validated(hasError: false) == .serialize)
        #expect(life.serializersRan() == true)
        #expect(life.state == .finished)
        #expect(life.isDone)
    }

    // The table of states: the calls in each state and their results

    @Test(arguments: [Phase.idle, .preparing, .transferring, .deciding, .waiting, .serializing])
    func `an unfinished request can be suspended and resumed`(phase: Phase) {
        var life = phase.lifecycle
        let isRunning = phase == .transferring
        #expect(life.suspend() == isRunning)
        #expect(life.state == .suspended)
        #expect(life.suspend() == false)
        #expect(life.resume() == (phase == .idle ? .prepare : isRunning ? .resumeTask : .none))
        #expect(life.state == .resumed)
        #expect(life.resume() == .none)
    }

    @Test(arguments: Phase.allCases)
    func `canceling ends every waiting phase immediately`(phase: Phase) {
        var life = phase.lifecycle
        let action = life.cancel()
        switch phase {
        case .transferring: #expect(action == .endTask)
        case .validating, .serializing, .done: #expect(action == .none)
        case .decidingOnSerializer: #expect(action == .serialize(isFirst: false))
        case .idle, .preparing, .deciding, .waiting: #expect(action == .serialize(isFirst: true))
        }
        #expect(life.state == (phase == .done ? .finished : .cancelled))
        #expect(life.cancel() == .none)
    }

    @Test(arguments: Phase.allCases)
    func `a canceled request stays canceled`(phase: Phase) {
        guard phase != .done else { return }
        var life = phase.lifecycle
        _ = life.cancel()
        #expect(life.resume() == .none)
        #expect(life.suspend() == false)
        _ = life.taskEnded()
        #expect(life.validated(hasError: true) != .askRetriers)
        _ = life.serializersRan()
        #expect(life.state == .cancelled)
        #expect(life.isDone)
    }

    @Test func `a finished request ignores calls`() {
        var life = Phase.done.lifecycle
        #expect(life.resume() == .none)
        #expect(life.suspend() == false)
        #expect(life.cancel() == .none)
        #expect(life.state == .finished)
    }

    // Retrying

    @Test func `a failed attempt asks the retriers, waits and restarts`() {
        var life = Phase.validating.lifecycle
        #expect(life.validated(hasError: true) == .askRetriers)
        #expect(life.decided(1, retries: true) == .wait)
        #expect(life.retryIsDue() == true)
        #expect(life.retryCount == 1)
        #expect(life.prepared(1) == true)
    }

    @Test func `the next exchange is an attempt, but not a retry`() {
        var life = Phase.waiting.lifecycle
        #expect(life.retryIsDue(isRetry: false) == true)
        #expect(life.retryCount == 0 && life.attempt == 1)
        #expect(life.prepared(0) == false)
        #expect(life.prepared(1) == true)
    }

    @Test func `a request created for another's failure asks the retriers first`() {
        var life = Lifecycle()
        #expect(life.resumeWithFailure() == true)
        #expect(life.state == .resumed)
        #expect(life.resumeWithFailure() == false)
        #expect(life.decided(1, retries: true) == .wait)
        #expect(life.retryIsDue() == true)
        #expect(life.retryCount == 1)
        life = Lifecycle()
        _ = life.cancel()
        #expect(life.resumeWithFailure() == false)
    }

    @Test func `a failure that is not retried is passed to the serializers`() {
        var life = Phase.deciding.lifecycle
        #expect(life.decided(1, retries: false) == .serialize(isFirst: true))
        #expect(life.retryCount == 0)
    }

    @Test func `a failed preparation asks the retriers, unless its error is permanent`() {
        var life = Phase.preparing.lifecycle
        #expect(life.failedToPrepare(0) == .askRetriers)
        life = Phase.preparing.lifecycle
        #expect(life.failedToPrepare(0, isLasting: true) == .serialize)
    }

    @Test func `a serializer's failure may cause another attempt`() {
        var life = Phase.serializing.lifecycle
        #expect(life.serializerFailed() == true)
        #expect(life.decided(1, retries: true) == .wait)
        #expect(life.retryIsDue() == true)
    }

    @Test func `after a serializer's final failure the others run, and the request finishes once`() {
        var life = Phase.decidingOnSerializer.lifecycle
        #expect(life.decided(1, retries: false) == .serialize(isFirst: false))
        #expect(life.serializersRan() == true)
    }

    @Test func `a serializer of a canceled request does not ask retriers`() {
        var life = Phase.serializing.lifecycle
        _ = life.cancel()
        #expect(life.serializerFailed() == false)
    }

    // Late and repeated decisions

    @Test func `a retry decision is used once, and only for the latest failure`() {
        var life = Phase.deciding.lifecycle
        #expect(life.decided(1, retries: true) == .wait)
        #expect(life.decided(1, retries: true) == .none)
        _ = life.retryIsDue()
        _ = life.prepared(1)
        _ = life.taskEnded()
        _ = life.validated(hasError: true)
        #expect(life.decided(1, retries: true) == .none)
        #expect(life.decided(2, retries: false) == .serialize(isFirst: true))
    }

    @Test func `a request created for an earlier attempt is ignored`() {
        var life = Phase.waiting.lifecycle
        _ = life.retryIsDue()
        #expect(life.prepared(0) == false)
        #expect(life.failedToPrepare(0) == .none)
        #expect(life.prepared(1) == true)
        #expect(life.prepared(1) == false)
    }

    @Test func `a delay that ends after canceling starts nothing`() {
        var life = Phase.waiting.lifecycle
        #expect(life.cancel() == .serialize(isFirst: true))
        #expect(life.retryIsDue() == false)
    }

    // Set-up, late serializers, the session's end

    @Test func `an eager request prepares before it is resumed, and its task waits`() {
        var life = Lifecycle()
        #expect(life.prepareEarly() == true)
        #expect(life.prepareEarly() == false)
        #expect(life.prepared(0) == true)
        #expect(life.state == .initialized)
        #expect(life.resume() == .resumeTask)
    }

    @Test func `an eager request resumed while it prepares is prepared once`() {
        var life = Lifecycle()
        _ = life.prepareEarly()
        #expect(life.resume() == .none)
        #expect(life.prepared(0) == true)
        #expect(life.state == .resumed)
    }

    @Test func `a serializer added after the end uses the response`() {
        var life = Phase.done.lifecycle
        #expect(life.serializerAdded() == true)
        #expect(life.state == .resumed)
        #expect(life.serializersRan() == true)
        #expect(life.state == .finished)
    }

    @Test func `a serializer added before the end waits for it`() {
        for phase in Phase.allCases where phase != .done {
            var life = phase.lifecycle
            #expect(life.serializerAdded() == false)
        }
    }

    @Test(arguments: Phase.allCases)
    func `the session's end ends waiting requests`(phase: Phase) {
        var life = phase.lifecycle
        let action = life.sessionEnded()
        switch phase {
        case .transferring: #expect(action == .endTask)
        case .validating, .serializing, .done: #expect(action == .none)
        case .decidingOnSerializer: #expect(action == .serialize(isFirst: false))
        case .idle, .preparing, .deciding, .waiting: #expect(action == .serialize(isFirst: true))
        }
    }
}
