import AFCore
import FoundationEssentials
import Testing

@testable import AFWebSockets

struct WebSocketPingsTests {
    @Test func `each ping has another payload`() {
        var pings = WebSocketPings()
        #expect(Set(pings.add(3)).count == 3)
    }

    @Test func `a pong answers its ping and the earlier ones, once`() {
        var pings = WebSocketPings()
        let payloads = pings.add(3)
        #expect(pings.answered(by: payloads[1]).map(\.payload) == Array(payloads[...1]))
        #expect(pings.answered(by: payloads[0]).isEmpty)
        #expect(pings.answered(by: payloads[2]).map(\.payload) == [payloads[2]])
    }

    @Test func `a pong that nothing asked for answers no ping`() {
        var pings = WebSocketPings()
        let payloads = pings.add(1)
        #expect(pings.answered(by: [1, 2]).isEmpty)
        #expect(pings.removeAll().map(\.payload) == payloads)
    }

    @Test func `a ping that was not sent is removed, unless it has a response`() {
        var pings = WebSocketPings()
        let first = pings.add(at: .now) { _ in }
        let second = pings.add(at: .now) { _ in }
        #expect(pings.remove(first) == true)
        #expect(pings.remove(first) == false)
        #expect(pings.answered(by: second.payload).map(\.payload) == [second.payload])
        #expect(pings.remove(second) == false)
    }

    @Test func `the end of a connection removes all pings, and payloads are not used again`() {
        var pings = WebSocketPings()
        let payloads = pings.add(2)
        #expect(pings.removeAll().map(\.payload) == payloads)
        #expect(pings.removeAll().isEmpty)
        #expect(!payloads.contains(pings.add(1)[0]))
    }

    @Test func `an interval in which nothing is received follows an unanswered ping`() {
        var pings = WebSocketPings()
        #expect(pings.startInterval() == false)
        pings.endInterval()
        #expect(pings.startInterval() == false)
        #expect(pings.startInterval() == true)
        #expect(pings.startInterval() == true)
        pings.endInterval()
        #expect(pings.startInterval() == false)
    }
}

extension WebSocketPings {
    /// Adds pings and returns their payloads.
    fileprivate mutating func add(_ count: Int) -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        for _ in 0..<count { payloads.append(add(at: .now) { _ in }.payload) }
        return payloads
    }
}
