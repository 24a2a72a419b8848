import Glibc
import Testing

@testable import AFTransport

struct ResolverThrottleTests {
    @Test func `the number of lookups is limited, and others wait in order`() {
        let gate = Gate(capacity: 2)
        #expect(gate.admit(1, "a"))
        #expect(gate.admit(2, "b"))
        #expect(!gate.admit(3, "c"))
        #expect(!gate.admit(4, "d"))
        #expect(gate.found(1) == [3])
        #expect(gate.ended(2, isStillLookingUp: false) == [4])
        #expect(gate.lookupCount == 2)
    }

    @Test func `a recently resolved name needs no slot`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        #expect(gate.found(1) == [])
        #expect(gate.admit(2, "b"))
        #expect(gate.admit(3, "a", at: 49))
        #expect(!gate.admit(4, "a", at: 51))
    }

    @Test func `a resolved name is known only for its group and port`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        _ = gate.found(1)
        #expect(gate.admit(2, "a", group: 2))
        #expect(!gate.admit(3, "a", port: 81))
    }

    @Test func `all transfers that wait for a name continue when it is resolved`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        for number: UInt in 2...4 { #expect(!gate.admit(number, number == 3 ? "b" : "a")) }
        #expect(gate.found(1) == [2, 4, 3])
    }

    @Test func `one name does not occupy all slots`() {
        let gate = Gate(capacity: 4, capacityPerName: 2)
        #expect(gate.admit(1, "a"))
        #expect(gate.admit(2, "a"))
        #expect(!gate.admit(3, "a"))
        #expect(gate.admit(4, "b"))
        #expect(gate.ended(1, isStillLookingUp: false) == [3])
    }

    @Test func `a transfer that ends while waiting is removed from the queue`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        #expect(!gate.admit(2, "b"))
        #expect(!gate.admit(3, "c"))
        #expect(gate.ended(2, isStillLookingUp: false) == [])
        #expect(gate.found(1) == [3])
    }

    @Test func `a lookup that outlives its transfer keeps its slot until it ends`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        #expect(gate.ended(1, isStillLookingUp: true) == [])
        #expect(!gate.admit(2, "b"))
        #expect(gate.lookupEnded() == [2])
        #expect(gate.lookupCount == 1)
    }

    @Test func `names take turns, each transfer of a name in order`() {
        let gate = Gate(capacity: 2)
        #expect(gate.admit(1, "a"))
        #expect(gate.admit(2, "b"))
        for number: UInt in 3...7 { #expect(!gate.admit(number, number == 5 || number == 7 ? "b" : "a")) }
        let released = [1, 2, 3, 5, 4].map { gate.ended($0, isStillLookingUp: false) }
        #expect(released == [[3], [5], [4], [7], [6]])
    }

    @Test func `a name whose waiting transfers ended has one turn like any other`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        for number: UInt in 2...4 {
            #expect(!gate.admit(number, "b"))
            if number < 4 { #expect(gate.ended(number, isStillLookingUp: false) == []) }
        }
        #expect(!gate.admit(5, "c"))
        #expect(!gate.admit(6, "b"))
        let released = [1, 4, 5].map { gate.ended($0, isStillLookingUp: false) }
        #expect(released == [[4], [5], [6]])
    }

    /// Returns the processor time of this thread in seconds for one unresolvable name and a number of transfers.
    private func effort(of count: UInt) -> Double {
        let start = processorTime()
        let gate = Gate(capacity: 64)
        for number in 1...count { _ = gate.admit(number, number.isMultiple(of: 2) ? "a" : "b") }
        for number in 1...count { _ = gate.ended(number, isStillLookingUp: false) }
        #expect(gate.lookupCount == 0)
        return processorTime() - start
    }

    /// Sixteen times as many take 16 times as long, or 256 times if each step looks at all of them.
    @Test func `the cost does not grow quadratically with the number of transfers`() {
        #expect(effort(of: 8_000) < 80 * effort(of: 500))
    }

    @Test func `reporting a resolved name twice has no effect`() {
        let gate = Gate(capacity: 1)
        #expect(gate.admit(1, "a"))
        #expect(!gate.admit(2, "b"))
        #expect(gate.found(1) == [2])
        #expect(gate.found(1) == [])
        #expect(gate.ended(1, isStillLookingUp: true) == [])
        #expect(gate.lookupCount == 1)
    }
}

private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A `ResolverThrottle` with numbers for transfers, strings for names and seconds for times.
private final class Gate {
    private var gate: ResolverThrottle

    init(capacity: Int, capacityPerName: Int = 6) {
        gate = ResolverThrottle(capacity: capacity, capacityPerName: capacityPerName)
    }

    var lookupCount: Int { gate.lookupCount }

    func admit(_ number: UInt, _ host: String, group: UInt32 = 1, port: Int = 80, at seconds: UInt64 = 0) -> Bool {
        let name = ResolverThrottle.Name(group: group, host: host, port: port)
        return gate.admit(TransferID(number: number), name, now: seconds * 1_000_000_000)
    }

    func found(_ number: UInt) -> [UInt] { gate.found(TransferID(number: number), now: 0).map(\.number) }

    func ended(_ number: UInt, isStillLookingUp: Bool) -> [UInt] {
        gate.ended(TransferID(number: number), isStillLookingUp: isStillLookingUp).map(\.number)
    }

    func lookupEnded() -> [UInt] { gate.lookupEnded().map(\.number) }
}
