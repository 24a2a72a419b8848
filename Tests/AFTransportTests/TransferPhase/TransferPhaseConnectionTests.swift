import AFHTTP
import CCurl
import Testing

@testable import AFTransport

/// Connections, repeated requests and pauses.
struct TransferPhaseConnectionTests {
    @Test func `a request starts on any number of connections that are not established`() throws {
        var phase = try TransferPhase.ready(.post, body: [1])
        for _ in 0..<3 {
            #expect(phase.startRequest() == .start)
            phase.openSocket()
            #expect(!phase.isConnectedToServer)
            #expect(!phase.hasReachedServer)
        }
        phase.connected()
        #expect(phase.isConnectedToServer)
        #expect(phase.hasReachedServer)
    }

    @Test func `a repeated request needs its body again`() throws {
        for body in [nil, [1]] as [[UInt8]?] {
            var phase = try TransferPhase.connected(.put, body: body)
            #expect(phase.startRequest() == (body == nil ? .start : .rewindBody))
            phase.openSocket()
            #expect(phase.hasReachedServer)
            #expect(!phase.isConnectedToServer)
            #expect(phase.failure == nil)
        }
    }

    @Test func `a request without a response is repeated only if it is idempotent`() throws {
        for method in [.post, .patch, HTTPMethod(rawValue: "LOCK")] as [HTTPMethod] {
            var phase = try TransferPhase.connected(method, body: [1])
            #expect(phase.startRequest() == .refuse)
            #expect(phase.failure?.kind == .connectionLost)
        }
        var put = try TransferPhase.connected(.put, body: [1])
        #expect(put.startRequest() == .rewindBody)
        var keyed = try TransferPhase.connected(.post, body: [1], headers: ["Idempotency-Key": "1"])
        #expect(keyed.startRequest() == .rewindBody)
        // After any header, another request is due: a round of authentication, or one without Expect.
        var answered = try TransferPhase.connected(.post, body: [1])
        try answered.receive(100)
        #expect(answered.startRequest() == .rewindBody)
        // The server has not processed it.
        for code in [7, 13, UInt32.max] {
            var reset = try TransferPhase.connected(.post, body: [1])
            reset.receiveReset(code)
            #expect(reset.startRequest() == .rewindBody)
        }
    }

    @Test func `a request that a connection does not process is sent again`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        for _ in 0..<19 {
            phase.receiveReset(.max)
            #expect(phase.end(CURLE_GOT_NOTHING) == .startRound)
            phase.startRound()
            #expect(phase.startRequest() == .rewindBody)
            phase.connected()
        }
        phase.receiveReset(.max)
        #expect(phase.end(CURLE_GOT_NOTHING) == .finish(CURLE_GOT_NOTHING))
        let failure = phase.cause(of: CurlReport(code: CURLE_GOT_NOTHING))
        #expect(failure.reason == .streamRefused)
        #expect(failure.detail == "the server did not process the request (GOAWAY)")
    }

    @Test func `a request is not repeated after its response`() throws {
        var phase = try TransferPhase.connected()
        try phase.receive(200, ["Content-Length": "4"])
        try phase.receive("body")
        #expect(phase.startRequest() == .refuse)
        #expect(phase.failure == nil)
    }

    @Test func `a response is truncated if libcurl would repeat its request`() throws {
        var phase = try TransferPhase.connected()
        phase.receiveFrame(4, isLast: false)
        try phase.receive(200, version: "HTTP/2")
        try phase.receive("half")
        phase.receiveReset(13)
        #expect(phase.startRequest() == .refuse)
        #expect(phase.failure?.kind == .truncated)
        #expect(phase.failure?.detail.hasSuffix("(HTTP_1_1_REQUIRED)") == true)
    }

    @Test func `a request on a refused stream is repeated once`() throws {
        var phase = try TransferPhase.connected()
        phase.receiveReset(7)
        #expect(phase.startRequest() == .start)
        phase.connected()
        // The frames were those of the earlier stream.
        #expect(phase.stream == nil)
        phase.receiveReset(7)
        #expect(phase.startRequest() == .refuse)
        #expect(phase.failure?.kind == .connectionLost)
        #expect(phase.failure?.reason == .streamRefused)
        #expect(phase.failure?.detail.hasSuffix("(REFUSED_STREAM)") == true)
    }

    @Test func `resets with other codes do not count as refusals`() throws {
        var phase = try TransferPhase.connected()
        for code in [0, 2, 8, 13] as [UInt32] {
            phase.receiveReset(code)
            #expect(phase.startRequest() == .start)
        }
    }

    @Test func `each request of a transfer may be refused once`() throws {
        var phase = try TransferPhase.connected(.put, body: [1]) { $0.expectContinue = .always }
        phase.receiveReset(7)
        try phase.receive(417)
        _ = try phase.decideRefusal(isRewound: true, isAtEnd: false)
        _ = phase.startWithoutExpect()
        phase.receiveReset(7)
        #expect(phase.startRequest() == .rewindBody)
    }

    @Test func `a reset after END_STREAM is none`() throws {
        var phase = try TransferPhase.connected()
        phase.receiveFrame(0, isLast: true)
        phase.receiveReset(8)
        #expect(phase.stream?.isReset == false)
    }

    // Pauses

    private let runs = TransferPhase.Directions(receives: true, sends: true)
    private let sendsOnly = TransferPhase.Directions(receives: false, sends: true)
    private let stands = TransferPhase.Directions(receives: false, sends: false)

    @Test func `libcurl is not paused before the connection is established`() throws {
        var phase = try TransferPhase.ready()
        #expect(phase.suspend() == nil)
        #expect(phase.isPaused)
        #expect(phase.resume() == nil)
        #expect(!phase.isPaused)
    }

    @Test func `each pause ends by itself`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        phase.fillSink()
        #expect(phase.suspend() == stands)
        phase.throttle(until: 5)
        phase.awaitBody()
        #expect(phase.resume() == TransferPhase.Directions(receives: false, sends: false))
        #expect(phase.bodyIsReady() == sendsOnly)
        #expect(phase.drain() == sendsOnly)
        #expect(phase.isPaused)
        #expect(phase.endThrottle(at: 4) == nil)
        #expect(phase.endThrottle(at: 5) == runs)
        #expect(!phase.isPaused)
    }

    @Test func `the end of a pause that is none changes nothing`() throws {
        var phase = try TransferPhase.connected()
        #expect(phase.resume() == nil)
        #expect(phase.drain() == nil)
        #expect(phase.bodyIsReady() == nil)
        #expect(phase.endThrottle(at: .max) == nil)
    }

    @Test func `a suspended transfer neither sends nor receives`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        #expect(phase.requestBody() == .read)
        try phase.receive(200)
        #expect(phase.suspend() == stands)
        #expect(phase.requestBody() == .pause)
        #expect(phase.offer([1]) == .pause)
    }

    @Test func `a silent request body is the cause of an idle timeout`() throws {
        let timeout = TransferFailure(.idleTimedOut, "there was no progress for 1 s")
        var phase = try TransferPhase.connected(.post, body: [1])
        #expect(phase.explained(timeout).reason == nil)
        phase.awaitBody()
        #expect(phase.explained(timeout).reason == .silentBody)
        #expect(phase.explained(timeout).detail == "there was no progress for 1 s in the request body")
        #expect(phase.explained(TransferFailure(.totalTimedOut, "late")).reason == nil)
        // An upgraded connection has no body.
        var upgrade = try TransferPhase.connected(upgrades: true)
        upgrade.awaitBody()
        #expect(upgrade.explained(timeout).reason == nil)
    }

    @Test func `only new bytes of a request body are progress`() throws {
        var phase = try TransferPhase.connected(.post, body: [1, 2])
        let changes = [0, 1, 1, 2, 0].map { phase.send($0) }
        #expect(changes == [false, true, false, true, true])
    }

    // Upgrades

    @Test func `an upgrade ends if the server closes the connection while libcurl waits for it`() throws {
        var phase = try TransferPhase.connected(upgrades: true)
        // The header is not sent.
        #expect(phase.endReading() == false)
        #expect(phase.requestBody() == .pause)
        #expect(phase.endReading() == true)
        #expect(phase.requestBody() == .end)
        #expect(phase.endReading() == false)
    }

    @Test func `an upgraded connection ends unless the transfer is paused`() throws {
        var phase = try TransferPhase.connected(upgrades: true)
        try phase.receive(101)
        phase.fillSink()
        #expect(phase.endReading() == false)
        _ = phase.drain()
        #expect(phase.endReading() == true)
        #expect(phase.requestBody() == .end)
    }

    @Test func `the end of reading is nothing to an ordinary request`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        phase.awaitBody()
        #expect(phase.endReading() == false)
        #expect(phase.requestBody() == .read)
    }
}
