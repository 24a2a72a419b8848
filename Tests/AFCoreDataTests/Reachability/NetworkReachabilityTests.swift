import AFCore
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NetworkReachabilityTests {
    /// Each test runs in its own network namespace, and configures its links.
    @Suite(.enabled(if: NetworkNamespace.isAllowed, "the kernel refuses a network namespace (unshare --net)"))
    struct InNetworksOfTheirOwn {
        private let wired = "ethernetOrWiFi"
        private let mobile = "cellular"

        /// Adds a link with a peer and an address.
        private func addLink(_ name: String, _ address: String, to network: NetworkNamespace) async throws {
            try await network.ip("link", "add", name, "type", "veth", "peer", "name", "\(name)-far")
            try await network.ip("link", "set", "\(name)-far", "up")
            try await network.ip("address", "add", address, "dev", name)
            try await network.ip("link", "set", name, "up")
        }

        @Test func `a machine is reachable with a link, an address and a default route`() async throws {
            let network = try NetworkNamespace(running: .networkProbe())
            #expect(try await network.lines(1) == ["notReachable"])
            try await addLink("eth9", "192.0.2.2/24", to: network)
            try await network.ip("route", "add", "default", "via", "192.0.2.1")
            #expect(try await network.lines(2) == ["notReachable", wired])
            // A second address does not change the status; losing the carrier does.
            try await network.ip("address", "add", "192.0.2.3/24", "dev", "eth9")
            try await network.ip("link", "set", "eth9-far", "down")
            #expect(try await network.lines(3) == ["notReachable", wired, "notReachable"])
            // A change that is undone before the manager looks is not reported: each is awaited.
            try await network.ip("link", "set", "eth9-far", "up")
            #expect(try await network.lines(4).last == wired)
            try await network.ip("route", "del", "default")
            #expect(try await network.lines(5).last == "notReachable")
        }

        @Test func `the preferred route decides the type of the network`() async throws {
            let network = try NetworkNamespace(running: .networkProbe())
            _ = try await network.lines(1)
            try await addLink("wwan9", "198.51.100.2/24", to: network)
            try await network.ip("route", "add", "default", "via", "198.51.100.1", "metric", "700")
            #expect(try await network.lines(2).last == mobile)
            try await addLink("eth9", "192.0.2.2/24", to: network)
            try await network.ip("route", "add", "default", "via", "192.0.2.1", "metric", "100")
            #expect(try await network.lines(3).last == wired)
            try await network.ip("link", "set", "eth9", "down")
            #expect(try await network.lines(4).last == mobile)
        }

        @Test func `an IPv6-only network is reachable`() async throws {
            let network = try NetworkNamespace(running: .networkProbe())
            _ = try await network.lines(1)
            try await network.ip("link", "add", "eth9", "type", "veth", "peer", "name", "far")
            try await network.ip("link", "set", "far", "up")
            try await network.ip("link", "set", "eth9", "up")
            try await network.ip("-6", "address", "add", "2001:db8::2/64", "dev", "eth9", "nodad")
            try await network.ip("-6", "route", "add", "default", "via", "2001:db8::1")
            #expect(try await network.lines(2).last == wired)
        }

        @Test func `an address is reachable if the kernel has a route to it`() async throws {
            let network = try NetworkNamespace(running: .networkProbe("203.0.113.9"))
            _ = try await network.lines(1)
            try await addLink("eth9", "192.0.2.2/24", to: network)
            try await network.ip("route", "add", "203.0.113.0/24", "via", "192.0.2.1")
            #expect(try await network.lines(2) == ["notReachable", wired])
            try await network.ip("route", "replace", "unreachable", "203.0.113.9")
            #expect(try await network.lines(3).last == "notReachable")
        }

        @Test(arguments: ["127.0.0.1", "localhost"])
        func `this machine is reachable if its loopback interface is up`(host: String) async throws {
            let network = try NetworkNamespace(running: .networkProbe(host))
            #expect(try await network.lines(1) == ["notReachable"])
            try await network.ip("link", "set", "lo", "up")
            #expect(try await network.lines(2) == ["notReachable", wired])
        }
    }

    // With the real network of this machine

    @Test func `the properties of a manager agree with its status`() throws {
        let manager = try #require(NetworkReachabilityManager())
        let status = manager.status
        #expect(status != .unknown)
        #expect(manager.isReachable == (status != .notReachable))
        #expect(manager.isReachableOnEthernetOrWiFi == (status == .reachable(.ethernetOrWiFi)))
        #expect(manager.isReachableOnCellular == (status == .reachable(.cellular)))
        #expect(NetworkReachabilityManager.default != nil)
        let loopback = try #require(NetworkReachabilityManager(host: "127.0.0.1"))
        #expect(loopback.status == .reachable(.ethernetOrWiFi))
        #expect(loopback.isReachable)
    }

    @Test(arguments: ["", " ", "a b", "http://a.test", "a.test/path", "[::1", "user@a.test"])
    func `a manager for an invalid host is nil`(host: String) {
        #expect(NetworkReachabilityManager(host: host) == nil)
    }

    @Test(arguments: ["a.test", "192.0.2.1", "::1", "[2001:db8::1]"])
    func `names and addresses are valid hosts`(host: String) {
        #expect(NetworkReachabilityManager(host: host) != nil)
    }

    @Test func `a listener receives the status immediately, on its queue, and nothing after it is stopped`()
        async throws
    {
        let manager = try #require(NetworkReachabilityManager(host: "127.0.0.1"))
        let queue = DispatchQueue(label: "listener")
        let journal = Journal()
        #expect(
            manager.startListening(onQueue: queue) { status in
                dispatchPrecondition(condition: .onQueue(queue))
                journal.note("\(status == .reachable(.ethernetOrWiFi))")
            }
        )
        try await journal.waitFor(1)
        let second = Journal()
        manager.startListening(onQueue: queue) { _ in second.note("told") }
        try await second.waitFor(1)
        manager.stopListening()
        #expect(journal.all == ["true"])
        #expect(second.all == ["told"])
    }

    @Test func `a listener that is stopped before its first call is not called`() async throws {
        let manager = try #require(NetworkReachabilityManager())
        let queue = DispatchQueue(label: "listener")
        let journal = Journal()
        queue.suspend()
        manager.startListening(onQueue: queue) { _ in journal.note("told") }
        manager.reachabilityQueue.sync {}
        manager.stopListening()
        queue.resume()
        queue.sync {}
        #expect(journal.all.isEmpty)
    }

    @Test func `a manager with a listener is deallocated, and leaks no descriptors`() async {
        await #expect(processExitsWith: .success) {
            let left = try await ProcessResources.leaks {
                weak let manager = try await NetworkReachabilityTests.listened()
                try await eventually("the manager is gone") { manager == nil }
            }
            #expect(left == [])
        }
    }

    @Test func `concurrent listeners leak no descriptors`() async {
        await #expect(processExitsWith: .success) {
            let left = try await ProcessResources.leaks {
                let manager = try #require(NetworkReachabilityManager())
                DispatchQueue.concurrentPerform(iterations: 64) { _ in
                    manager.startListening(onQueue: .global()) { _ in }
                }
                manager.stopListening()
            }
            #expect(left == [])
        }
    }

    /// Returns a manager that has called a listener.
    fileprivate static func listened() async throws -> NetworkReachabilityManager {
        let manager = try #require(NetworkReachabilityManager())
        let told = Gate()
        manager.startListening(onQueue: .global()) { _ in told.open() }
        try await told.waitUntilOpen()
        return manager
    }
}
