import AFCore
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFReachability

@Suite(.timeLimit(.minutes(5))) struct OfflineRetrierTests {
    typealias Status = NetworkReachabilityManager.NetworkReachabilityStatus

    /// A network that the test switches on and off.
    private final class ScriptedMonitor: NetworkMonitoring {
        private struct State {
            var status: Status
            var startCount = 0
            var listener: (DispatchQueue, NetworkReachabilityManager.Listener)?
        }

        private let state: Mutex<State>

        init(_ status: Status = .notReachable) { state = Mutex(State(status: status)) }

        var status: Status { state.withLock(\.status) }
        var startCount: Int { state.withLock(\.startCount) }
        var isListening: Bool { state.withLock { $0.listener != nil } }

        func become(_ status: Status) {
            let listener = state.withLock { state in
                state.status = status
                return state.listener
            }
            if let (queue, tell) = listener { queue.async { tell(status) } }
        }

        func startListening(
            onQueue queue: DispatchQueue,
            onUpdatePerforming listener: @escaping NetworkReachabilityManager.Listener
        ) -> Bool {
            let status = state.withLock { state in
                state.listener = (queue, listener)
                state.startCount += 1
                return state.status
            }
            queue.async { listener(status) }
            return true
        }

        func stopListening() { state.withLock { $0.listener = nil } }
    }

    private static let unreachable = TransferFailure(.cannotConnect, "no way", osErrorNumber: 101)

    /// Fails as on a machine without a network until the monitor reports one.
    private func transport(_ monitor: ScriptedMonitor) -> ScriptedTransport {
        ScriptedTransport { exchange in
            if monitor.status == .notReachable {
                exchange.finish(Self.unreachable)
            } else {
                exchange.respond(200, body: "there")
            }
        }
    }

    private func retrier(
        _ monitor: ScriptedMonitor,
        wait: DispatchTimeInterval = .seconds(30),
        suffices: @escaping @Sendable (Status.ConnectionType) -> Bool = { _ in true }
    ) -> OfflineRetrier {
        OfflineRetrier(monitor, suffices: suffices, wait, OfflineRetrier.defaultIsOfflineError)
    }

    @Test func `a request that failed without a network is retried once there is one`() async throws {
        let monitor = ScriptedMonitor()
        let transport = transport(monitor)
        let (events, journal) = (ClosureEventMonitor(queue: DispatchQueue(label: "events")), Journal())
        events.taskIsWaitingForConnectivity = { request, _ in journal.note(request.request?.url?.path ?? "") }
        let session = Session(transport: transport, interceptor: retrier(monitor), eventMonitors: [events])
        let tasks = (0..<5).map { session.request("http://scripted.test/\($0)").serializingString() }
        try await eventually("all have failed") { transport.exchanges.count { $0.isFinished } == 5 }
        try await journal.waitFor(5)
        #expect(journal.all.sorted() == ["/0", "/1", "/2", "/3", "/4"])
        try await eventually("a monitor listens") { monitor.isListening }
        try await remains("they wait") { transport.exchanges.count == 5 }
        monitor.become(.reachable(.cellular))
        for task in tasks { #expect(try await task.value == "there") }
        #expect(transport.exchanges.count == 10)
        try await eventually("the monitor has stopped") { !monitor.isListening }
    }

    @Test func `after the maximum wait the request fails with its first error`() async throws {
        let monitor = ScriptedMonitor()
        let transport = transport(monitor)
        let session = Session(transport: transport, interceptor: retrier(monitor, wait: .milliseconds(50)))
        let response = await session.request("http://scripted.test/").serializingString().response
        #expect(response.error?.underlyingError as? TransferFailure == Self.unreachable)
        #expect(transport.exchanges.count == 1)
        try await eventually("the monitor has stopped") { !monitor.isListening }
    }

    @Test func `after an unsuccessful wait another request waits again`() async throws {
        let monitor = ScriptedMonitor()
        let session = Session(transport: transport(monitor), interceptor: retrier(monitor, wait: .milliseconds(20)))
        for number in 1...2 {
            _ = await session.request("http://scripted.test/").serializingString().response
            #expect(monitor.startCount == number)
        }
    }

    @Test func `a network of another type does not end the wait`() async throws {
        let monitor = ScriptedMonitor()
        let transport = transport(monitor)
        let picky = retrier(monitor, suffices: { $0 == .ethernetOrWiFi })
        let session = Session(transport: transport, interceptor: picky)
        let task = session.request("http://scripted.test/").serializingString()
        try await eventually("a monitor listens") { monitor.isListening }
        monitor.become(.reachable(.cellular))
        try await remains("it waits") { transport.exchanges.count == 1 }
        monitor.become(.reachable(.ethernetOrWiFi))
        #expect(try await task.value == "there")
    }

    @Test func `an unreachable host on a reachable network is retried once`() async throws {
        let transport = ScriptedTransport { $0.finish(TransferFailure(.unresolvedHost, "no such host")) }
        let online = retrier(ScriptedMonitor(.reachable(.ethernetOrWiFi)))
        let session = Session(transport: transport, interceptor: online)
        let request = session.request("http://scripted.test/")
        _ = await request.serializingData().response
        #expect(transport.exchanges.count == 2)
    }

    @Test(arguments: [
        TransferFailure(.connectionLost, "gone"), TransferFailure(.cannotConnect, "refused", osErrorNumber: 111),
    ])
    func `other failures are not retried, and the monitor does not listen`(failure: TransferFailure) async throws {
        let monitor = ScriptedMonitor()
        let transport = ScriptedTransport { $0.finish(failure) }
        let session = Session(transport: transport, interceptor: retrier(monitor))
        let request = session.request("http://scripted.test/")
        _ = await request.serializingData().response
        #expect(transport.exchanges.count == 1)
        #expect(!monitor.isListening)
    }

    @Test func `a request that is canceled while it waits ends immediately, with its first error`() async throws {
        let monitor = ScriptedMonitor()
        let session = Session(transport: transport(monitor), interceptor: retrier(monitor))
        let request = session.request("http://scripted.test/")
        let task = request.serializingString()
        try await eventually("a monitor listens") { monitor.isListening }
        request.cancel()
        #expect(await task.response.error?.underlyingError as? TransferFailure == Self.unreachable)
        #expect(request.isCancelled)
    }

    @Test func `an address without a route is an offline error, and is not retried without a monitor`() async throws {
        let journal = Journal()
        let asking = OfflineRetrier(maximumWait: .milliseconds(10)) { error in
            journal.note("\(OfflineRetrier.defaultIsOfflineError(error))")
            return false
        }
        // The kernel rejects a connection to a broadcast address without a packet.
        let session = Session(interceptor: asking)
        _ = await session.request("http://255.255.255.255/").serializingData().response
        #expect(journal.all == ["true"])
        let deaf = OfflineRetrier(monitor: nil) { _ in
            journal.note("asked")
            return true
        }
        let request = session.request("http://255.255.255.255/", interceptor: deaf)
        _ = await request.serializingData().response
        #expect(request.retryCount == 0)
        #expect(journal.all == ["true", "true"])
        #expect(OfflineRetrier.defaultWait == .seconds(5))
    }

    @Test func `the predefined offline retriers are usable as interceptors`() async throws {
        let server = try LocalServer { _ in .ok("there") }
        let forms: [any RequestInterceptor] = [
            .offlineRetrier, .offlineRetrier(maximumWait: .seconds(1)),
            .offlineRetrier(requiredConnectionType: .ethernetOrWiFi),
            .offlineRetrier(prohibitedConnectionTypes: [.cellular]),
        ]
        for form in forms {
            let session = Session(interceptor: form)
            #expect(try await session.request(server.url()).serializingString().value == "there")
        }
    }
}
