import AFCore
import AFFoundation
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct OperationTests {
    private func queue(width: Int = 1) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        return queue
    }

    @Test func `requests run one after the other, in the order of their operations`() async throws {
        try await withServer {
            .ok($0.path)
        } _: { server in
            let session = Session(startRequestsImmediately: false)
            let queue = queue()
            let operations = (0..<5).map { RequestOperation(session.request(server.url("/\($0)"))) }
            for operation in operations { queue.addOperation(operation) }
            try await eventually("all are over") { operations.allSatisfy(\.isFinished) }
            #expect(server.requests.map(\.path) == ["/0", "/1", "/2", "/3", "/4"])
            #expect(server.peakConnections == 1)
            #expect(operations.allSatisfy { $0.request.isFinished && !$0.isExecuting && $0.isAsynchronous })
        }
    }

    @Test func `an operation waits for its dependencies, including downloads and streams`() async throws {
        try await withServer {
            .ok($0.path)
        } _: { server in
            let session = Session(startRequestsImmediately: false)
            let first = RequestOperation(session.download(server.url("/first")))
            let second = RequestOperation(session.streamRequest(server.url("/second")))
            second.addDependency(first)
            let queue = queue(width: 4)
            queue.addOperation(second)
            queue.addOperation(first)
            try await eventually("both are over") { first.isFinished && second.isFinished }
            #expect(server.requests.map(\.path) == ["/first", "/second"])
            if let file = (first.request as? DownloadRequest)?.fileURL { try FileManager.default.removeItem(at: file) }
        }
    }

    @Test func `canceling an operation cancels its waiting or running request`() async throws {
        try await withSilentServer { server in
            let session = Session(startRequestsImmediately: false)
            let queue = queue()
            let running = RequestOperation(session.request(server.url("/running")))
            let waiting = RequestOperation(session.request(server.url("/waiting")))
            queue.addOperation(running)
            queue.addOperation(waiting)
            try await eventually("one is under way") { running.isExecuting && server.acceptedConnections == 1 }
            queue.cancelAllOperations()
            try await eventually("both are over") { running.isFinished && waiting.isFinished }
            #expect(running.request.error?.isExplicitlyCancelledError == true)
            #expect(waiting.request.error?.isExplicitlyCancelledError == true)
            #expect(server.acceptedConnections == 1)
        }
    }

    @Test func `handlers can be called on an operation queue`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let queue = queue()
        let callers = Mutex<[OperationQueue?]>([])
        session.streamRequest("http://scripted.test/").responseStream(on: CallbackQueue(queue)) { _ in
            callers.withLock { $0.append(OperationQueue.current) }
        }
        try await eventually("both events came") { callers.withLock(\.count) == 2 }
        #expect(callers.withLock { $0.allSatisfy { $0 === queue } })
    }
}
