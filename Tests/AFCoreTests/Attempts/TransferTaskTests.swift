import AFCore
import AFHTTP
import Synchronization
import TestSupport
import Testing

@_spi(Requests) @testable import AFRequests

/// The references between a request, its task and the transport.
@Suite(.timeLimit(.minutes(5))) struct TransferTaskTests {
    /// Cancels the task instead of replying, and keeps the closure.
    private final class KeepingHandler: RedirectHandler {
        let completions = Mutex<[@Sendable (URLRequest?) -> Void]>([])

        func task(
            _ task: TransferTask,
            willBeRedirectedTo request: URLRequest,
            for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completions.withLock { $0.append(completion) }
            task.cancel()
        }
    }

    @Test func `a task that is not used is released`() throws {
        let session = Session(transport: ScriptedTransport(), startRequestsImmediately: false)
        let request = session.request("http://scripted.test/")
        weak let task = session.makeTask(for: request, hop: try .test())
        #expect(task == nil)
        #expect(request.tasks.isEmpty)
    }

    @Test func `a redirect handler that keeps its closure does not retain the request`() async throws {
        let transport = ScriptedTransport { $0.respond(302, headers: ["Location": "/there"]) }
        let handler = KeepingHandler()
        let session = Session(transport: transport, redirectHandler: handler)
        weak let request = await canceledRequest(of: session)
        try await eventually("the request is released") { request == nil }
        #expect(handler.completions.withLock(\.count) == 1)
    }

    private func canceledRequest(of session: Session) async -> DataRequest {
        let request = session.request("http://scripted.test/")
        #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        return request
    }
}
