import AlamofireCompat
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Monitors that were written for Alamofire, with the methods that are named after URLSession's delegate's.
@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
    @Test func `a monitor of Alamofire receives the events of a data request`() async throws {
        try await withServer { request in
            switch request.path {
            case "/upload": .ok("done")
            case "/": .redirect(to: "/body")
            default: .ok("hello").header("Cache-Control", "max-age=60")
            }
        } _: { server in
            let monitor = DelegateMonitor()
            let configuration = URLSessionConfiguration.af.default
            configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
            let session = Session(configuration: configuration, eventMonitors: [monitor])
            _ = try await session.upload(Data(count: 10), to: server.url("/upload")).serializingData().value
            _ = try await session.request(server.url("/")).serializingData().value
            try await eventually("both are over") { monitor.count("completed nil") == 2 }
            #expect(
                Set(monitor.events).isSuperset(of: [
                    "sent 10 10 10", "redirected 302 /body", "response 200", "data 5", "metrics 2 true", "caches 5",
                    "completed nil",
                ]), "\(monitor.events)")
            #expect(monitor.count("metrics 2 true") == 1 && monitor.count("metrics 1 true") == 1)
            let order = monitor.events.filter { $0.hasPrefix("metrics") || $0.hasPrefix("completed") }
            #expect(order == ["metrics 1 true", "completed nil", "metrics 2 true", "completed nil"])
        }
    }

    @Test func `a monitor of Alamofire receives the events of a download`() async throws {
        let folder = try ScratchFolder()
        let monitor = DelegateMonitor()
        let transport = ScriptedTransport()
        let session = Session(transport: transport, eventMonitors: [monitor])
        let file = URL(filePath: folder.file("f"))
        let first = session.download("http://scripted.test/", to: { _, _ in (file, []) })
        let task = first.serializingDownloadedFileURL()
        let broken = try await transport.exchange(1)
        broken.receiveHead(200, headers: ["Content-Length": "9", "ETag": "\"1\""])
        broken.receive(Array("half".utf8))
        broken.finish(TransferFailure(.connectionLost, "gone"))
        let data = try #require(await task.response.resumeData)
        let second = session.download(resumingWith: data, to: { _, _ in (file, []) }).serializingDownloadedFileURL()
        let rest = try await transport.exchange(2)
        rest.receiveHead(206, headers: ["Content-Length": "7", "Content-Range": "bytes 2-8/9", "ETag": "\"1\""])
        rest.receive(Array("lf rest".utf8))
        rest.finish()
        _ = try await second.value
        try await eventually("both are over") { monitor.events.count { $0.hasPrefix("completed") } == 2 }
        #expect(
            monitor.events == [
                "wrote 4 4 9", "metrics 1 true", "completed URLError", "resumed 4 9", "wrote 7 9 9", "metrics 1 true",
                "completed nil", "finished downloading",
            ])
    }

    @Test func `a monitor of Alamofire receives challenges and the end of the session`() async throws {
        let monitor = DelegateMonitor()
        let login = DigestLogin(algorithm: nil)
        try await withServer {
            login.accepts($0) ? .ok("hello") : .status(401).header("WWW-Authenticate", login.challenge())
        } _: { server in
            let session = Session(eventMonitors: [monitor])
            let request = session.request(server.url())
            _ = try await request.authenticate(username: login.user, password: login.password).serializingData().value
            try await eventually("the request is over") { monitor.count("completed nil") == 1 }
            let method = NSURLAuthenticationMethodHTTPDigest
            #expect(monitor.events.first == "challenge \(method) \(login.realm) 127.0.0.1 401")
        }
        try await eventually("the session is over") { monitor.events.last == "invalid" }
    }

    @Test func `a monitor receives the event of a stream sent again`() async throws {
        try await withServer { request in
            request.path == "/" ? .redirect(to: "/again", status: 307) : .ok(request.text)
        } _: { server in
            let monitor = DelegateMonitor()
            let session = Session(eventMonitors: [monitor])
            let request = session.upload(Data("body".utf8), to: server.url("/"))
            #expect(try await request.serializingString().value == "body")
            try await eventually("it was told") { monitor.count("new body") == 1 }
        }
    }

    @Test func `a monitor of one request receives its events, and none of URLSession's`() async throws {
        let monitor = DelegateMonitor()
        let others = DelegateMonitor()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [others])
        _ = try await session.request("http://scripted.test/").eventMonitor(monitor).serializingData().value
        try await eventually("both are over") { monitor.finishes == 1 && others.finishes == 1 }
        #expect(monitor.events.isEmpty)
        #expect(others.events == ["response 200", "data 1", "metrics 1 true", "completed nil"])
    }

    @Test func `a monitor of one download receives none of URLSession's events`() async throws {
        let folder = try ScratchFolder()
        let monitor = DelegateMonitor()
        try await withServer { _ in
            .bytes([UInt8](repeating: 65, count: 100_000))
        } _: { (server) async throws in
            let session = Session()
            let file = URL(filePath: folder.file("f"))
            let request = session.download(server.url(), to: { _, _ in (file, []) }).eventMonitor(monitor)
            _ = try await request.serializingDownloadedFileURL().value
            try await eventually("it is over") { monitor.finishes == 1 }
            #expect(monitor.events.isEmpty)
        }
    }

    @Test func `a structure is a monitor of the session if the session has one of its type`() async throws {
        let counter = CompletionCounter()
        for monitors in [[], [StructureMonitor(counter: counter)]] {
            let session = Session(
                transport: ScriptedTransport { $0.respond(200, body: "x") },
                eventMonitors: monitors
            )
            let own = DelegateMonitor()
            let request = session.request("http://scripted.test/").eventMonitor(StructureMonitor(counter: counter))
            _ = try await request.eventMonitor(own).serializingData().value
            try await eventually("it is over") { own.finishes == 1 }
            StructureMonitor.sharedQueue.sync {}
            #expect((counter.count == 0) == monitors.isEmpty)
        }
    }

    @Test func `the library's monitors are monitors of Alamofire`() {
        let monitors: [any EventMonitor] = [ClosureEventMonitor(), AlamofireNotifications(), DelegateMonitor()]
        let session = Session(transport: ScriptedTransport(), eventMonitors: monitors)
        #expect(session.eventMonitor?.monitors.count == 3)
        let alias: any Alamofire.EventMonitor = DelegateMonitor()
        #expect(alias is DelegateMonitor)
    }
}

/// Implements the events of Alamofire 5 that are named after URLSession's, as an app has them.
private final class DelegateMonitor: EventMonitor {
    let queue = DispatchQueue(label: "org.example.delegateMonitor")
    private let journal = Mutex<[String]>([])
    private let finished = Mutex(0)

    var events: [String] { journal.withLock(\.self) }
    /// The number of requests that have finished.
    var finishes: Int { finished.withLock(\.self) }

    func count(_ event: String) -> Int { events.count { $0 == event } }

    private func note(_ event: String) { journal.withLock { $0.append(event) } }

    func requestDidFinish(_ request: Request) { finished.withLock { $0 += 1 } }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note(error == nil ? "invalid" : "invalid \(String(describing: error))")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        let space = challenge.protectionSpace
        let status = (challenge.failureResponse as? FoundationNetworking.HTTPURLResponse)?.statusCode ?? 0
        note("challenge \(space.authenticationMethod) \(space.realm ?? "") \(space.host) \(status)")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("sent \(bytesSent) \(totalBytesSent) \(totalBytesExpectedToSend)")
    }

    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) { note("new body") }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        note("redirected \(response.statusCode) \(request.url?.path ?? "")")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        note("metrics \(metrics.transactionMetrics.count) \(metrics.taskInterval.duration >= 0)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("completed \(error.map { $0 is URLError ? "URLError" : "\($0)" } ?? "nil")")
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) { note("waits") }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {
        note("response \(response.statusCode)")
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data \(data.count)")
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    ) {
        note("caches \(proposedResponse.data.count)")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        note("resumed \(fileOffset) \(expectedTotalBytes)")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        note("wrote \(bytesWritten) \(totalBytesWritten) \(totalBytesExpectedToWrite)")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        note("finished downloading")
    }
}

private final class CompletionCounter: Sendable {
    private let completions = Mutex(0)

    var count: Int { completions.withLock(\.self) }

    func noteCompletion() { completions.withLock { $0 += 1 } }
}

private struct StructureMonitor: EventMonitor {
    static let sharedQueue = DispatchQueue(label: "org.example.structureMonitor")

    let counter: CompletionCounter
    var queue: DispatchQueue { Self.sharedQueue }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        counter.noteCompletion()
    }
}
