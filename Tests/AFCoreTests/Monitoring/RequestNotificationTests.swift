import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestNotificationTests {
    static let url = "http://scripted.test/"
    let center = RequestNotificationCenter()
    let journal = Journal()

    private func session(_ transport: ScriptedTransport) -> Session {
        Session(transport: transport, eventMonitors: [AlamofireNotifications(center: center)])
    }

    private func note(_ name: RequestNotification.Name? = nil, of request: Request? = nil)
        -> RequestNotificationCenter.Observation
    {
        center.addObserver(forName: name, request: request) { [journal] notification in
            journal.note(String(notification.name.rawValue.split(separator: ".").last ?? ""))
        }
    }

    @Test func `the eight notification names are Alamofire's`() {
        let names = [
            Request.didResumeNotification, Request.didSuspendNotification, Request.didCancelNotification,
            Request.didFinishNotification, Request.didResumeTaskNotification, Request.didSuspendTaskNotification,
            Request.didCancelTaskNotification, Request.didCompleteTaskNotification,
        ]
        let words = [
            "didResume", "didSuspend", "didCancel", "didFinish", "didResumeTask", "didSuspendTask", "didCancelTask",
            "didCompleteTask",
        ]
        #expect(names.map(\.rawValue) == words.map { "org.alamofire.notification.name.request.\($0)" })
    }

    @Test func `the notifications of a request are posted in order`() async throws {
        let transport = ScriptedTransport()
        let session = session(transport)
        _ = note()
        let request = session.request(Self.url)
        let task = request.serializingData()
        _ = try await transport.exchange()
        request.suspend().resume().cancel()
        _ = await task.response
        let words = [
            "didResume", "didResumeTask", "didSuspend", "didSuspendTask", "didResume", "didResumeTask", "didCancel",
            "didCancelTask", "didCompleteTask", "didFinish",
        ]
        try await journal.waitFor(words.count)
        #expect(journal.all == words)
    }

    @Test func `an observer receives the notifications and objects it registered for, until it is removed`()
        async throws
    {
        let session = session(ScriptedTransport { $0.respond(200, body: "x") })
        let requests = (0..<2).map { _ in session.request(Self.url) }
        #expect(!center.isObserved)
        let observation = note(Request.didFinishNotification, of: requests[1])
        #expect(center.isObserved)
        for request in requests { _ = try await request.serializingData().value }
        try await journal.waitFor(1)
        center.removeObserver(observation)
        #expect(!center.isObserved)
        center.post(RequestNotification(name: Request.didFinishNotification, request: requests[1]))
        #expect(journal.all == ["didFinish"])
    }

    @Test func `an observer is called on its queue`() async throws {
        let queue = DispatchQueue(label: "observer")
        let request = session(ScriptedTransport()).request(Self.url)
        var observation: RequestNotificationCenter.Observation?
        await withCheckedContinuation { waiter in
            observation = center.addObserver(queue: queue) { notification in
                dispatchPrecondition(condition: .onQueue(queue))
                #expect(notification.request == request)
                waiter.resume()
            }
            center.post(RequestNotification(name: Request.didResumeNotification, request: request))
        }
        // The observation retains the request, whose session's monitor retains the center.
        observation.map(center.removeObserver)
    }

    /// Returns a task that waits for the first notification with this name.
    private func first(_ name: RequestNotification.Name, of request: Request) -> Task<RequestNotification?, Never> {
        let notifications = center.notifications(named: name, request: request)
        return Task { await notifications.first { _ in true } }
    }

    @Test func `the observation of a loop over notifications ends with the loop`() async throws {
        let request = session(ScriptedTransport()).request(Self.url)
        let loop = first(Request.didCancelNotification, of: request)
        center.post(RequestNotification(name: Request.didResumeNotification, request: request))
        center.post(RequestNotification(name: Request.didCancelNotification, request: request))
        #expect(await loop.value?.name == Request.didCancelNotification)
        try await eventually("there is no observer") { !center.isObserved }
    }

    @Test func `a session posts to the shared center unless it is created without monitors`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url)
        let finished = RequestNotificationCenter.default.notifications(
            named: Request.didFinishNotification, request: request)
        _ = try await request.serializingData().value
        for await notification in finished {
            #expect(notification.request === request)
            break
        }
        let silent = Session(transport: ScriptedTransport(), eventMonitors: [])
        #expect(silent.eventMonitor == nil)
    }
}
