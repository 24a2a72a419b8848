import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ClosureEventMonitorTests {
    static let url = "http://scripted.test/"
    let journal = Journal()
    let queue = DispatchQueue(label: "closures")
    let monitor: ClosureEventMonitor

    init() {
        monitor = ClosureEventMonitor(queue: queue)
        monitor.noteAll(in: journal)
    }

    /// - Parameter concurrent: The prefix of events that another thread reports.
    nonisolated(nonsending) private func expect(
        _ events: [String],
        concurrent: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await journal.waitFor(events.count)
        queue.sync {}
        func isOrdered(_ event: String) -> Bool { concurrent.map { !event.hasPrefix($0) } ?? true }
        #expect(journal.all.filter(isOrdered) == events.filter(isOrdered), sourceLocation: sourceLocation)
        #expect(journal.all.sorted() == events.sorted(), sourceLocation: sourceLocation)
    }

    private static let start = ["resume", "createInitialURLRequest"]
    private static let transferEnd = ["finishCollectingMetrics", "gatherMetrics", "taskComplete"]

    @Test func `an upload with a redirect and a challenge reports all events in order`() async throws {
        let transport = ScriptedTransport { exchange in
            if exchange.transfer.url.text.hasSuffix("/next") {
                exchange.receiveHead(401, kind: .intermediate)
                exchange.send(5, of: 5)
                exchange.respond(200, body: "ab")
            } else {
                exchange.send(3, of: 5)
                exchange.send(5, of: 5)
                exchange.respond(307, headers: ["Location": "/next"])
            }
        }
        let session = Session(transport: transport, eventMonitors: [monitor])
        let request = session.upload(Data("hello".utf8), to: Self.url).validate(statusCode: [200])
        request.response(queue: queue) { _ in }
        let sent = ["sendBodyData 3 3 5", "sendBodyData 2 5 5"]
        let redirect = ["redirection 307 http://scripted.test/next", "needNewBodyStream"]
        let second = ["challenge 401", "sendBodyData 5 5 5", "receiveResponse 200", "receiveData ab"]
        let end = ["validate success", "completeTask", "finish", "parseResponse 2"]
        try await expect(
            Self.start + ["createUploadable", "createURLRequest", "createTask", "resumeTask"] + sent + redirect
                + second + Self.transferEnd + end
        )
    }

    @Test func `an upload of a stream reports the stream`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(204) }, eventMonitors: [monitor])
        session.upload(ScriptedStream([.bytes("x")]), to: Self.url).response(queue: queue) { _ in }
        try await expect(
            Self.start + [
                "createUploadable", "provideInputStream", "createURLRequest", "createTask", "resumeTask",
                "receiveResponse 204",
            ] + Self.transferEnd + ["completeTask", "finish", "parseResponse nil"]
        )
    }

    @Test func `the failure to create a body is reported`() async throws {
        struct Broken: UploadConvertible {
            func asURLRequest() throws -> URLRequest {
                try URLRequest(url: ClosureEventMonitorTests.url, method: .post)
            }
            func createUploadable() throws -> UploadRequest.Uploadable { throw AFError.explicitlyCancelled }
        }
        let session = Session(transport: ScriptedTransport(), eventMonitors: [monitor])
        session.upload(Broken()).response(queue: queue) { _ in }
        try await expect(Self.start + ["failToCreateUploadable", "finish", "parseResponse nil"])
    }

    @Test func `a resumed download reports its offset`() async throws {
        let transport = ScriptedTransport { exchange in
            if exchange.transfer.headers["Range"] != nil {
                let headers: HTTPHeaders = ["ETag": "\"a\"", "Content-Length": "4", "Content-Range": "bytes 2-5/6"]
                exchange.respond(206, headers: headers, body: "cdef")
            } else {
                exchange.receiveHead(200, headers: ["ETag": "\"a\"", "Content-Length": "6"])
                exchange.receive(Array("abcd".utf8))
                exchange.finish(TransferFailure(.connectionLost, "gone"))
            }
        }
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.file("f"))
        let retrier = CountingRetrier(limit: 1)
        let session = Session(transport: transport, interceptor: retrier, eventMonitors: [monitor])
        let request = session.download(Self.url, to: { _, _ in (file, []) }).validate()
        request.response(queue: queue) { _ in }
        let attempt = [
            "createInitialURLRequest", "adapt", "createURLRequest", "createTask", "resumeTask",
        ]
        let first = ["receiveResponse 200", "createDestinationURL f", "writeData 4 4 6", "receiveData abcd"]
        let second = [
            "receiveResponse 206", "createDestinationURL f", "resumeAtOffset 4 6", "writeData 4 6 6",
            "receiveData cdef",
        ]
        let failed = ["finishCollectingMetrics", "gatherMetrics", "taskComplete connectionLost", "completeTask error"]
        let end = [
            "validateFile success", "validateFile success", "finishDownloadingToURL", "finishDownloading f",
            "completeTask", "finish", "parseDownload f",
        ]
        try await expect(
            ["resume"] + attempt + first + failed + ["retrying"] + attempt + second + Self.transferEnd + end,
            concurrent: "receiveData"
        )
        #expect(try Data(contentsOf: file) == Data("abcdef".utf8))
    }

    @Test func `suspending, canceling and the end of the session are reported`() async throws {
        let transport = ScriptedTransport()
        var session: Session? = Session(transport: transport, eventMonitors: [monitor])
        let id = session.map { ObjectIdentifier($0) }
        let stream = try #require(session?.streamRequest(Self.url)).validate { _, _ in .success(()) }
        stream.responseStream(on: queue) { _ in }
        let exchange = try await transport.exchange()
        stream.suspend().resume()
        exchange.respond(200)
        let streamed = [
            "createURLRequest", "createTask", "resumeTask", "suspend", "suspendTask", "resume", "resumeTask",
            "receiveResponse 200",
        ]
        let ended = ["validateStream success", "completeTask", "finish"]
        let first = Self.start + streamed + Self.transferEnd + ended
        try await expect(first)
        let request = session?.request(Self.url).response(queue: queue) { _ in }
        _ = try await transport.exchange(2)
        request?.cancel()
        let cancelled = [
            "createURLRequest", "createTask", "resumeTask", "cancel", "cancelTask", "finishCollectingMetrics",
            "gatherMetrics", "taskComplete cancelled", "completeTask error", "finish", "parseResponse nil",
        ]
        try await expect(first + Self.start + cancelled)
        session = nil
        try await journal.waitFor(first.count + Self.start.count + cancelled.count + 1)
        #expect(journal.all.last == "invalid \(id.debugDescription)")
    }

    @Test func `failures to create and adapt requests are reported to closures`() async throws {
        let refusing = Adapter { $2(.failure(AFError.explicitlyCancelled)) }
        let session = Session(transport: ScriptedTransport(), interceptor: refusing, eventMonitors: [monitor])
        session.request("").response(queue: queue) { _ in }
        try await expect(["resume", "failToCreate", "finish", "parseResponse nil"])
        session.request(Self.url).response(queue: queue) { _ in }
        try await expect(
            ["resume", "failToCreate", "finish", "parseResponse nil"] + Self.start
                + ["failToAdapt", "finish", "parseResponse nil"])
    }

    @Test func `events of other components reach their closures`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, eventMonitors: [monitor])
        let request = session.request(Self.url).response(queue: queue) { _ in }
        _ = try await transport.exchange()
        let task = try #require(request.task)
        request.eventMonitor?.notify { $0.request(request, taskIsWaitingForConnectivity: task) }
        request.eventMonitor?.notify { $0.request(request, didFailTask: task, earlyWithError: .explicitlyCancelled) }
        try await eventually("both were told") {
            journal.count("waitingForConnectivity") == 1 && journal.count("failTaskEarly") == 1
        }
    }

    @Test func `a monitor receives no events while it observes none`() async throws {
        final class Switch: EventMonitor {
            let queue = DispatchQueue(label: "switch")
            let isOn = Atomic(false)
            let finished = Journal()
            var observesEvents: Bool { isOn.load(ordering: .relaxed) }
            func requestDidFinish(_ request: Request) { finished.note(request.request?.url?.path ?? "") }
        }
        let monitor = Switch()
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport, eventMonitors: [monitor])
        #expect(session.eventMonitor?.observesEvents == false)
        _ = try await session.request("http://scripted.test/before").serializingData().value
        monitor.isOn.store(true, ordering: .relaxed)
        #expect(session.eventMonitor?.observesEvents == true)
        _ = try await session.request("http://scripted.test/after").serializingData().value
        try await monitor.finished.waitFor(1)
        #expect(monitor.finished.all == ["/after"])
    }

    @Test func `chunks of bodies are reported only to monitors that observe them`() async throws {
        let others = ClosureEventMonitor(queue: queue)
        let heads = Journal()
        others.dataTaskDidReceiveResponse = { _, _, _ in heads.note("head") }
        others.requestDidFinish = { _ in heads.note("finish") }
        #expect(!others.observesBodies && monitor.observesBodies)
        let session = Session(
            transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [others, monitor])
        #expect(session.eventMonitor?.observesBodies == true)
        let request = session.request(Self.url)
        _ = try await request.serializingData().value
        try await heads.waitFor(2)
        #expect(heads.all == ["head", "finish"])
        others.dataTaskDidReceiveData = { _, _, data in heads.note("data \(data.count)") }
        #expect(others.observesBodies)
        _ = try await session.request(Self.url).serializingData().value
        try await heads.waitFor(5)
        #expect(heads.all.suffix(3) == ["head", "data 1", "finish"])
    }

    @Test func `a closure that is replaced is released without the lock`() {
        let monitor = ClosureEventMonitor()
        let releases = Journal()
        monitor.requestDidFinish = { [released = OnDeinit { releases.note("\(monitor.requestDidFinish == nil)") }] _ in
            released.run()
        }
        monitor.requestDidFinish = nil
        #expect(releases.all == ["true"])
    }

    @Test func `a subclass may override an event's method, and super calls the closure`() async throws {
        // `@unchecked` like its superclass; it adds no mutable state.
        final class Counting: ClosureEventMonitor, @unchecked Sendable {
            let journal = Journal()
            override func requestDidFinish(_ request: Request) {
                journal.note("finish")
                super.requestDidFinish(request)
            }
        }
        let counting = Counting(queue: queue)
        counting.requestDidFinish = { [journal = counting.journal] _ in journal.note("closure") }
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [counting])
        _ = try await session.request(Self.url).serializingData().value
        try await counting.journal.waitFor(2)
        #expect(counting.journal.all == ["finish", "closure"])
    }
}

extension ClosureEventMonitor {
    /// Records every event with a short name.
    fileprivate func noteAll(in journal: Journal) {
        noteTransport(in: journal)
        noteRequests(in: journal)
        noteKinds(in: journal)
    }

    private func noteTransport(in journal: Journal) {
        sessionDidBecomeInvalidWithError = { id, _ in journal.note("invalid \(Optional(id).debugDescription)") }
        taskDidReceiveChallenge = { journal.note("challenge \($2.statusCode)") }
        taskDidSendBodyData = { journal.note("sendBodyData \($2) \($3) \($4)") }
        taskNeedNewBodyStream = { _, _ in journal.note("needNewBodyStream") }
        taskWillPerformHTTPRedirection = { _, _, response, request in
            journal.note("redirection \(response.statusCode) \(request.url?.absoluteString ?? "")")
        }
        taskDidFinishCollectingMetrics = { _, _, metrics in
            journal.note("finishCollectingMetrics" + (metrics.transactionMetrics.isEmpty ? " none" : ""))
        }
        taskDidComplete = { _, _, error in
            journal.note("taskComplete" + ((error as? TransferFailure).map { " \($0.kind.name)" } ?? ""))
        }
        taskIsWaitingForConnectivity = { _, _ in journal.note("waitingForConnectivity") }
        dataTaskDidReceiveResponse = { journal.note("receiveResponse \($2.statusCode)") }
        dataTaskDidReceiveData = { journal.note("receiveData \(String(decoding: $2, as: UTF8.self))") }
        downloadTaskDidFinishDownloadingToURL = { _, _, url in
            journal.note("finishDownloadingToURL" + (url.lastPathComponent == "f" ? " in place" : ""))
        }
        downloadTaskDidWriteData = { journal.note("writeData \($2) \($3) \($4)") }
        downloadTaskDidResumeAtOffset = { journal.note("resumeAtOffset \($2) \($3)") }
    }

    private func noteRequests(in journal: Journal) {
        requestDidCreateInitialURLRequest = { _, _ in journal.note("createInitialURLRequest") }
        requestDidFailToCreateURLRequestWithError = { _, _ in journal.note("failToCreate") }
        requestDidAdaptInitialRequestToAdaptedRequest = { _, _, _ in journal.note("adapt") }
        requestDidFailToAdaptURLRequestWithError = { _, _, _ in journal.note("failToAdapt") }
        requestDidCreateURLRequest = { _, _ in journal.note("createURLRequest") }
        requestDidCreateTask = { _, _ in journal.note("createTask") }
        requestDidGatherMetrics = { _, _ in journal.note("gatherMetrics") }
        requestDidFailTaskEarlyWithError = { _, _, _ in journal.note("failTaskEarly") }
        requestDidCompleteTaskWithError = { journal.note("completeTask" + ($2 == nil ? "" : " error")) }
        requestIsRetrying = { _ in journal.note("retrying") }
        requestDidFinish = { _ in journal.note("finish") }
        requestDidResume = { _ in journal.note("resume") }
        requestDidResumeTask = { _, _ in journal.note("resumeTask") }
        requestDidSuspend = { _ in journal.note("suspend") }
        requestDidSuspendTask = { _, _ in journal.note("suspendTask") }
        requestDidCancel = { _ in journal.note("cancel") }
        requestDidCancelTask = { _, _ in journal.note("cancelTask") }
    }

    private func noteKinds(in journal: Journal) {
        requestDidValidateRequestResponseDataWithResult = { journal.note("validate \($4.word)") }
        requestDidParseResponse = { journal.note("parseResponse \($1.data.map { "\($0.count)" } ?? "nil")") }
        requestDidValidateRequestResponseWithResult = { journal.note("validateStream \($3.word)") }
        requestDidCreateUploadable = { _, _ in journal.note("createUploadable") }
        requestDidFailToCreateUploadableWithError = { _, _ in journal.note("failToCreateUploadable") }
        requestDidProvideInputStream = { _, _ in journal.note("provideInputStream") }
        requestDidFinishDownloadingUsingTaskWithResult = { _, _, result in
            journal.note("finishDownloading \((try? result.get().lastPathComponent) ?? "error")")
        }
        requestDidCreateDestinationURL = { journal.note("createDestinationURL \($1.lastPathComponent)") }
        requestDidValidateRequestResponseFileURLWithResult = { journal.note("validateFile \($4.word)") }
        requestDidParseDownloadResponse = { journal.note("parseDownload \($1.fileURL?.lastPathComponent ?? "nil")") }
    }
}

extension Request.ValidationResult {
    fileprivate var word: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        }
    }
}
