import AFCore
import AFFoundation
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NotificationTests {
    @Test func `Foundation's notification center receives the events of requests`() async throws {
        let requests = RequestNotificationCenter()
        let center = NotificationCenter()
        let observation = center.postRequestNotifications(from: requests)
        let heard = Mutex<[String]>([])
        let names: [Notification.Name] = [.requestDidResume, .requestDidCompleteTask, .requestDidFinish]
        let tokens = names.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let path = notification.request?.request?.url?.path ?? ""
                heard.withLock { $0.append("\(notification.name.rawValue.split(separator: ".").last ?? "") \(path)") }
            }
        }
        let session = Session(
            transport: ScriptedTransport { $0.respond(200, body: "x") },
            eventMonitors: [AlamofireNotifications(center: requests)]
        )
        _ = await session.request("http://scripted.test/a").serializingData().response
        try await eventually("it is over") { heard.withLock(\.count) == 3 }
        #expect(heard.withLock { Set($0.dropFirst()) } == ["didCompleteTask /a", "didFinish /a"])

        requests.removeObserver(observation)
        _ = await session.request("http://scripted.test/b").serializingData().response
        try await remains("nothing more is heard") { heard.withLock(\.count) == 3 }
        for token in tokens { center.removeObserver(token) }
    }

    @Test func `a notification of another object has no request`() {
        #expect(Notification(name: Notification.Name("other")).request == nil)
    }
}
