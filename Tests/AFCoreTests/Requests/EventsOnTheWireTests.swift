import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// The events that the transport reports, against real servers.
@Suite(.timeLimit(.minutes(5))) struct EventsOnTheWireTests {
    /// The totals of the reported body chunks.
    private final class Sums: Sendable {
        struct State {
            var sent: Int64 = 0
            var lastSent: Int64 = 0
            var expected: Int64 = 0
            var received = Data()
            var written: Int64 = 0
        }

        let state = Mutex(State())
        var all: State { state.withLock { $0 } }

        func watch(_ monitor: ClosureEventMonitor) {
            monitor.taskDidSendBodyData = { [self] _, _, bytes, total, expected in
                state.withLock { sums in
                    sums.sent += bytes
                    (sums.lastSent, sums.expected) = (total, expected)
                }
            }
            monitor.dataTaskDidReceiveData = { [self] _, _, data in state.withLock { $0.received += data } }
            monitor.downloadTaskDidWriteData = { [self] _, _, bytes, _, _ in state.withLock { $0.written += bytes } }
        }
    }

    private let queue = DispatchQueue(label: "events")

    @Test func `the reported body chunks are complete, also after a redirect`() async throws {
        let body = [UInt8](repeating: 7, count: 300_000)
        let server = try LocalServer { request in
            request.path == "/next" ? .bytes(body) : .redirect(to: "/next", status: 307)
        }
        let (monitor, journal, sums) = (ClosureEventMonitor(queue: queue), Journal(), Sums())
        sums.watch(monitor)
        monitor.taskWillPerformHTTPRedirection = { _, _, response, request in
            journal.note("\(response.statusCode) \(request.url?.path ?? "")")
        }
        monitor.taskNeedNewBodyStream = { _, _ in journal.note("again") }
        let session = Session(eventMonitors: [monitor])
        let answer = try await session.upload(Data(count: 200_000), to: server.url()).serializingData().value
        queue.sync {}
        #expect(answer == Data(body))
        #expect(sums.all.received == answer)
        #expect(sums.all.lastSent == 200_000 && sums.all.expected == 200_000)
        let arrived = server.requests.reduce(0) { $0 + $1.bodyLength }
        #expect(sums.all.sent >= 200_000 && sums.all.sent >= Int64(arrived))
        #expect(journal.all == ["307 /next", "again"])
    }

    @Test func `a download reports every byte in its file`() async throws {
        let server = try LocalServer { _ in .bytes([UInt8](repeating: 7, count: 300_000)) }
        let (monitor, sums) = (ClosureEventMonitor(queue: queue), Sums())
        sums.watch(monitor)
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.file("f"))
        let session = Session(eventMonitors: [monitor])
        _ = try await session.download(server.url(), to: { _, _ in (file, []) }).serializingDownloadedFileURL().value
        queue.sync {}
        #expect(sums.all.written == 300_000 && sums.all.received.count == 300_000)
    }

    @Test func `a digest challenge is reported before the credentials are sent`() async throws {
        let server = try LocalServer { request in
            guard request["Authorization"] == nil else { return .ok("in") }
            return .status(401).header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        }
        let (monitor, journal) = (ClosureEventMonitor(queue: queue), Journal())
        monitor.taskDidReceiveChallenge = { journal.note("challenge \($2.statusCode)") }
        monitor.dataTaskDidReceiveResponse = { journal.note("response \($2.statusCode)") }
        monitor.taskDidComplete = { journal.note("complete" + ($2 == nil ? "" : " error")) }
        var configuration = SessionConfiguration.default
        configuration.authenticationKinds = [.digest]
        let session = Session(configuration: configuration, eventMonitors: [monitor])
        let request = session.request(server.url()).authenticate(username: "u", password: "p")
        #expect(try await request.serializingString().value == "in")
        queue.sync {}
        #expect(journal.all == ["challenge 401", "response 200", "complete"])
    }

    @Test func `a lost connection is reported as the transport's error`() async throws {
        let server = try LocalServer { _ in .reset }
        let (monitor, journal) = (ClosureEventMonitor(queue: queue), Journal())
        monitor.taskDidComplete = { journal.note(($2 as? TransferFailure)?.kind.name ?? "none") }
        monitor.requestDidCompleteTaskWithError = { journal.note("\($2?.isSessionTaskError == true)") }
        let policy = ConnectionLostRetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.001)
        let session = Session(interceptor: policy, eventMonitors: [monitor])
        let request = session.request(server.url())
        _ = await request.serializingData().response
        queue.sync {}
        #expect(journal.all == ["connectionLost", "true", "connectionLost", "true"])
        #expect(request.retryCount == 1)
    }
}
