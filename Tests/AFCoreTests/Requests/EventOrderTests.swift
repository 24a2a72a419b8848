import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventOrderTests {
    static let url = "http://scripted.test/"

    @Test func `a data request reports its events in order`() async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        _ = try await session.request(Self.url).validate().serializingData().value
        try await monitor.expect([
            "didResume", "didCreateInitialURLRequest", "didCreateURLRequest", "didCreateTask", "didResumeTask",
            "didReceiveResponse 200", "didGatherMetrics", "didValidate", "didValidate", "didCompleteTask", "didFinish",
            "didParseResponse",
        ])
    }

    @Test func `adapting, retrying and redirecting are reported`() async throws {
        let monitor = Recorder()
        let transport = ScriptedTransport()
        let chain = Interceptor(
            adapters: [Adapter { $2(.success($0)) }],
            retriers: [CountingRetrier(limit: 1)]
        )
        let session = Session(transport: transport, interceptor: chain, eventMonitors: [monitor])
        let task = session.request(Self.url).serializingData()
        try await transport.exchange(1).respond(302, headers: ["Location": "/next"])
        try await transport.exchange(2).finish(TransferFailure(.connectionLost, "gone"))
        try await transport.exchange(3).respond(200, body: "x")
        _ = try await task.value
        let attempt = [
            "didCreateInitialURLRequest", "didAdapt", "didCreateURLRequest", "didCreateTask", "didResumeTask",
        ]
        try await monitor.expect(
            ["didResume"] + attempt
                + ["willFollowRedirect", "didGatherMetrics", "didCompleteTask error", "isRetrying"] + attempt
                + ["didReceiveResponse 200", "didGatherMetrics", "didCompleteTask", "didFinish", "didParseResponse"]
        )
    }

    @Test func `an upload reports its body before its request is ready`() async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        _ = try await session.upload(Data("x".utf8), to: Self.url).serializingData().value
        try await monitor.expect([
            "didResume", "didCreateInitialURLRequest", "didCreateUploadable", "didCreateURLRequest", "didCreateTask",
            "didResumeTask", "didReceiveResponse 200", "didGatherMetrics", "didCompleteTask", "didFinish",
            "didParseResponse",
        ])
    }

    @Test func `a download reports its destination and its completion`() async throws {
        let monitor = Recorder()
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.file("f"))
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        _ = try await session.download(Self.url, to: { _, _ in (file, []) }).validate()
            .serializingDownloadedFileURL().value
        try await monitor.expect([
            "didResume", "didCreateInitialURLRequest", "didCreateURLRequest", "didCreateTask", "didResumeTask",
            "didReceiveResponse 200", "didCreateDestinationURL", "didGatherMetrics", "didValidate", "didValidate",
            "didFinishDownloading", "didCompleteTask", "didFinish", "didParseResponse",
        ])
    }

    @Test func `a stream reports its events in order`() async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        let request = session.streamRequest(Self.url).validate { _, _ in .success(()) }
        request.responseStream(on: DispatchQueue(label: "stream")) { _ in }
        try await monitor.expect([
            "didResume", "didCreateInitialURLRequest", "didCreateURLRequest", "didCreateTask", "didResumeTask",
            "didReceiveResponse 200", "didGatherMetrics", "didValidate", "didCompleteTask", "didFinish",
        ])
    }

    @Test func `suspend and cancel events of the request precede those of its task`() async throws {
        let monitor = Recorder()
        let transport = ScriptedTransport()
        let session = Session(transport: transport, eventMonitors: [monitor])
        let request = session.request(Self.url)
        let task = request.serializingData()
        _ = try await transport.exchange()
        request.suspend().resume().cancel()
        _ = await task.response
        try await monitor.expect([
            "didResume", "didCreateInitialURLRequest", "didCreateURLRequest", "didCreateTask", "didResumeTask",
            "didSuspend", "didSuspendTask", "didResume", "didResumeTask", "didCancel", "didCancelTask",
            "didGatherMetrics", "didCompleteTask error", "didFinish", "didParseResponse",
        ])
    }

    @Test(arguments: [Session.RequestSetup.lazy, .eager])
    func `a task suspended before its start reports its suspension once`(setup: Session.RequestSetup) async throws {
        let monitor = Recorder()
        let held = Mutex<(@Sendable () -> Void)?>(nil)
        let adapter = Adapter { request, _, completion in
            held.withLock { $0 = { completion(.success(request)) } }
        }
        let session = Session(
            transport: ScriptedTransport { $0.respond(200, body: "x") },
            requestSetup: setup,
            interceptor: adapter,
            eventMonitors: [monitor]
        )
        let request = session.request(Self.url)
        let task = request.serializingData()
        try await eventually("the adapter was asked") { held.withLock { $0 != nil } }
        request.suspend()
        held.withLock(\.self)?()
        try await eventually("the task was suspended") { monitor.journal.all.last == "didSuspendTask" }
        request.suspend().resume()
        _ = try await task.value
        try await eventually("it is over") { monitor.journal.all.last == "didParseResponse" }
        let events = monitor.journal.all.filter { $0.hasSuffix("Task") }
        #expect(events == ["didCreateTask", "didSuspendTask", "didResumeTask", "didCompleteTask"])
    }

    @Test func `a download without a destination reports its file, too`() async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        let file = try await session.download(Self.url).serializingDownloadedFileURL().value
        try FileManager.default.removeItem(at: file)
        try await eventually("it is over") { monitor.journal.all.last == "didParseResponse" }
        #expect(monitor.journal.count("didCreateDestinationURL") == 1)
    }

    @Test func `failures to create and adapt requests are reported`() async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport(), eventMonitors: [monitor])
        _ = await session.request("").serializingData().response
        try await monitor.expect(["didResume", "didFailToCreateURLRequest", "didFinish", "didParseResponse"])
        let second = Recorder()
        let refusing = Session(
            transport: ScriptedTransport(),
            interceptor: Adapter { $2(.failure(Refused())) },
            eventMonitors: [second]
        )
        _ = await refusing.request(Self.url).serializingData().response
        try await second.expect([
            "didResume", "didCreateInitialURLRequest", "didFailToAdapt", "didFinish", "didParseResponse",
        ])
    }

    @Test(arguments: ["invalid_url", "ftp://scripted.test/"], [Session.RequestSetup.lazy, .eager])
    func `a URL that cannot be sent is reported as a failure to create the request`(
        url: String,
        setup: Session.RequestSetup
    ) async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport(), requestSetup: setup, eventMonitors: [monitor])
        let error = await session.request(url).serializingData().response.error
        #expect(error?.isCreateURLRequestError == true)
        try await eventually("it is over") { monitor.journal.all.last == "didParseResponse" }
        // An eager request is created before or after it is resumed.
        #expect(
            monitor.journal.all.filter { $0 != "didResume" } == [
                "didCreateInitialURLRequest", "didFailToCreateURLRequest", "didFinish", "didParseResponse",
            ])
    }

    @Test func `an adapted URL that cannot be sent is reported as a failure to create the request`() async throws {
        let monitor = Recorder()
        let adapter = Adapter { _, _, completion in
            completion(Result { try URLRequest(url: "ftp://scripted.test/", method: .get) })
        }
        let session = Session(transport: ScriptedTransport(), interceptor: adapter, eventMonitors: [monitor])
        _ = await session.request(Self.url).serializingData().response
        try await monitor.expect([
            "didResume", "didCreateInitialURLRequest", "didAdapt", "didFailToCreateURLRequest", "didFinish",
            "didParseResponse",
        ])
    }

    @Test func `interim responses are reported`() async throws {
        let monitor = Recorder()
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead(103, kind: .informational)
            exchange.respond(200, body: "x")
        }
        let session = Session(transport: transport, eventMonitors: [monitor])
        _ = try await session.request(Self.url).serializingData().value
        try await eventually("it was told") { monitor.journal.all.contains("didReceiveInterim 103") }
    }

    @Test func `a request without handlers is finished when its end is reported`() async throws {
        let states = Mutex<[Request.State]>([])
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "states"))
        monitor.requestDidFinish = { request in states.withLock { $0.append(request.state) } }
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        for _ in 0..<200 { session.request(Self.url).resume() }
        try await eventually("all are over") { states.withLock(\.count) == 200 }
        #expect(states.withLock(\.self).allSatisfy { $0 == .finished })
    }

    @Test func `a canceled request without handlers is canceled when its end is reported`() async throws {
        let states = Mutex<[Request.State]>([])
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "states"))
        monitor.requestDidFinish = { request in states.withLock { $0.append(request.state) } }
        let session = Session(transport: ScriptedTransport(), eventMonitors: [monitor])
        for _ in 0..<50 { session.request(Self.url).resume().cancel() }
        try await eventually("all are over") { states.withLock(\.count) == 50 }
        #expect(states.withLock(\.self).allSatisfy { $0 == .cancelled })
    }

    @Test func `the end of a request is reported once, also if handlers are added later`() async throws {
        let monitor = Recorder()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        let request = session.request(Self.url).resume()
        try await eventually("it is over") { monitor.journal.all.contains("didFinish") }
        _ = try await request.serializingData().value
        try await eventually("it was parsed") { monitor.journal.all.contains("didParseResponse") }
        #expect(monitor.journal.all.suffix(2) == ["didFinish", "didParseResponse"])
        #expect(monitor.journal.count("didFinish") == 1)
    }

    @Test func `every monitor receives all events on its own queue`() async throws {
        let monitors = [Recorder(), Recorder()]
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: monitors)
        _ = try await session.request(Self.url).serializingData().value
        for monitor in monitors { try await monitor.journal.waitFor(10) }
        #expect(monitors[0].journal.all == monitors[1].journal.all)
    }
}

/// Records the names of events.
private final class Recorder: EventMonitor {
    let queue = DispatchQueue(label: "recorder")
    let journal = Journal()

    nonisolated(nonsending) func expect(_ events: [String], sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        try await journal.waitFor(events.count)
        queue.sync {}
        #expect(journal.all == events, sourceLocation: sourceLocation)
    }

    private func check(_ event: String) {
        dispatchPrecondition(condition: .onQueue(queue))
        journal.note(event)
    }

    func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead) {
        check("didReceiveInterim \(head.response.statusCode)")
    }
    func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
        check("didReceiveResponse \(response.statusCode)")
    }
    func request(
        _ request: Request, task: TransferTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) { check("willFollowRedirect") }
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        check("didCreateInitialURLRequest")
    }
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        check("didFailToCreateURLRequest")
    }
    func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest) {
        check("didAdapt")
    }
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError) {
        check("didFailToAdapt")
    }
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { check("didCreateURLRequest") }
    func request(_ request: Request, didCreateTask task: TransferTask) { check("didCreateTask") }
    func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) { check("didGatherMetrics") }
    func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
        check(error == nil ? "didCompleteTask" : "didCompleteTask error")
    }
    func requestIsRetrying(_ request: Request) { check("isRetrying") }
    func requestDidFinish(_ request: Request) { check("didFinish") }
    func requestDidResume(_ request: Request) { check("didResume") }
    func request(_ request: Request, didResumeTask task: TransferTask) { check("didResumeTask") }
    func requestDidSuspend(_ request: Request) { check("didSuspend") }
    func request(_ request: Request, didSuspendTask task: TransferTask) { check("didSuspendTask") }
    func requestDidCancel(_ request: Request) { check("didCancel") }
    func request(_ request: Request, didCancelTask task: TransferTask) { check("didCancelTask") }
    func request(
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult
    ) { check("didValidate") }
    func request(
        _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        fileURL: URL?, withResult result: Request.ValidationResult
    ) { check("didValidate") }
    func request(
        _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) { check("didValidate") }
    func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
        check("didParseResponse")
    }
    func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>) {
        check("didParseResponse")
    }
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        check("didCreateUploadable")
    }
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) { check("didCreateDestinationURL") }
    func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: TransferTask?, with result: Result<URL, AFError>
    ) { check("didFinishDownloading") }
}
