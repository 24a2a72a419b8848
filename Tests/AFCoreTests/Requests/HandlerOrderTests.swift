import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

/// Events that are delivered before the response, on any queue.
@Suite(.timeLimit(.minutes(5))) struct HandlerOrderTests {
    private static let url = "http://scripted.test/"
    private static let runs = 50

    @Test func `progress on the session's queue is delivered before the response`() async throws {
        for _ in 0..<Self.runs {
            let journal = Journal()
            let transport = ScriptedTransport()
            let session = Session(transport: transport)
            let gate = Gate()
            session.request(Self.url)
                .uploadProgress(queue: session.rootQueue) { _ in journal.note("progress") }
                .downloadProgress(queue: session.rootQueue) { _ in journal.note("progress") }
                .response(queue: .global()) { _ in journal.note("response") }
            let exchange = try await transport.exchange()
            // Keeps the queue busy until the transfer is over.
            session.rootQueue.async { gate.block(atMost: Deadline.timeout) }
            exchange.send(5, of: 5)
            exchange.respond(200, headers: ["Content-Length": "5"], body: "hello")
            try await eventually("the transfer is over") { exchange.isFinished }
            gate.open()
            try await journal.waitFor(3)
            #expect(journal.all == ["progress", "progress", "response"])
        }
    }

    @Test func `resume data is delivered before the response`() async throws {
        for _ in 0..<Self.runs {
            let folder = try ScratchFolder()
            let journal = Journal()
            let transport = ScriptedTransport()
            let session = Session(transport: transport)
            let request = session.download(Self.url, to: { _, _ in (URL(filePath: folder.file("f")), []) })
                .response(queue: .global()) { _ in journal.note("response") }
            let exchange = try await transport.exchange()
            exchange.receiveHead(200, headers: ["Content-Length": "9", "ETag": "\"1\""])
            exchange.receive(Array("half".utf8))
            try await eventually("half of it came") { request.downloadProgress.completedUnitCount == 4 }
            request.cancel(byProducingResumeData: { data in
                // Leaves time for a response that does not wait for this closure.
                Gate().block(atMost: .milliseconds(1))
                journal.note(data == nil ? "nothing" : "resume data")
            })
            try await journal.waitFor(2)
            #expect(journal.all == ["resume data", "response"])
        }
    }
}
