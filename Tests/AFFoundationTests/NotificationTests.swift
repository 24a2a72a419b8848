import AFCore
import AFFoundation
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NotificationTests {
    static let names: [Notification.Name] = [
        .requestDidResume, .requestDidSuspend, .requestDidCancel, .requestDidFinish, .requestDidResumeTask,
        .requestDidSuspendTask, .requestDidCancelTask, .requestDidCompleteTask,
    ]
    static let events = [
        "didResume", "didSuspend", "didCancel", "didFinish", "didResumeTask", "didSuspendTask", "didCancelTask",
        "didCompleteTask",
    ]
    let center = NotificationCenter()
    let journal = Journal()

    /// Writes the events and paths of all notifications to the journal; returns the observations.
    private func observe(_ center: NotificationCenter) -> [any NSObjectProtocol] {
        Self.names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { [journal] notification in
                let event = notification.name.rawValue.split(separator: ".").last ?? ""
                journal.note("\(event) \(notification.request?.request?.url?.path ?? "")")
            }
        }
    }

    @Test func `the eight notification names are Alamofire's`() {
        #expect(Self.names.map(\.rawValue) == Self.events.map { "org.alamofire.notification.name.request.\($0)" })
    }

    @Test func `the notifications of a request are posted in order, to the center of the monitor`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, eventMonitors: [AlamofireNotifications(center: center)])
        let tokens = observe(center)
        let request = session.request("http://scripted.test/a")
        let task = request.serializingData()
        _ = try await transport.exchange()
        request.suspend().resume().cancel()
        _ = await task.response
        let events = [
            "didResume", "didResumeTask", "didSuspend", "didSuspendTask", "didResume", "didResumeTask", "didCancel",
            "didCancelTask", "didCompleteTask", "didFinish",
        ]
        try await journal.waitFor(events.count)
        // The first one may be posted before the request has its URL.
        #expect(journal.all.map { String($0.split(separator: " ").first ?? "") } == events)
        #expect(journal.all.last == "didFinish /a")
        for token in tokens { center.removeObserver(token) }
    }

    @Test func `a session posts to the default center unless it has other monitors`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let finished = Journal()
        let token = NotificationCenter.default.addObserver(
            forName: .requestDidFinish, object: nil, queue: nil
        ) { notification in
            let url = notification.request?.request?.url
            if url?.host == "default-center.test" { finished.note(url?.path ?? "") }
        }
        let silent = Session(bridgedToFoundation: .default, transport: transport, eventMonitors: [])
        #expect(silent.eventMonitor == nil)
        _ = try await silent.request("http://default-center.test/silent").serializingData().value
        let session = Session(bridgedToFoundation: .default, transport: transport)
        _ = try await session.request("http://default-center.test/posted").serializingData().value
        try await finished.waitFor(1)
        #expect(finished.all == ["/posted"])
        NotificationCenter.default.removeObserver(token)
    }

    @Test func `a monitor observes no events before the first use of a name`() {
        // Other tests may have used one.
        let monitor = AlamofireNotifications()
        _ = Notification.Name.requestDidCancel
        #expect(monitor.observesEvents && !monitor.observesBodies)
    }

    @Test func `a notification of another object has no request`() {
        #expect(Notification(name: Notification.Name("other")).request == nil)
    }
}
