import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFRequests

/// A transport whose transfer the test drives on its own thread.
private final class DirectTransport: Transport {
    private final class Control: TransferControl {
        func cancel() {}
        func suspend() {}
        func resume() {}
        func drain() {}
    }

    let started = Mutex<(transfer: Transfer, sink: any TransferSink)?>(nil)

    func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        started.withLock { $0 = (transfer, sink) }
        return Control()
    }

    func cookies() async -> [HTTPCookie] { [] }
    func setCookies(_ cookies: [HTTPCookie]) {}
    func deleteAllCookies() {}
    func shutdown() {}
}

#if DEBUG
    /// The number of locks that a chunk of a response takes on its thread.
    @Suite(.timeLimit(.minutes(1))) struct ChunkLockTests {
        private static let chunk = [UInt8](repeating: 7, count: 128 << 10)

        /// Delivers chunks, and returns the number of locks that they take.
        private func locks(_ chunks: Int, _ sink: any TransferSink) -> Int {
            let before = orderedLockCount
            for _ in 0..<chunks { _ = Self.chunk.withUnsafeBytes { sink.receive($0) } }
            return orderedLockCount - before
        }

        @Test func `a chunk that is written takes four`() async throws {
            let folder = try ScratchFolder()
            let file = URL(filePath: folder.file("f"))
            let transport = DirectTransport()
            let session = Session(transport: transport)
            let request = session.download("http://127.0.0.1/f", to: { _, _ in (file, [.removePreviousFile]) })
            request.resume()
            try await eventually("the transfer has started") { transport.started.withLock { $0 != nil } }
            let started = transport.started.withLock { $0 }
            let (transfer, sink) = try #require(started)
            let response = HTTPURLResponse(
                url: URL(string: "http://127.0.0.1/f"), statusCode: 200, headers: ["Content-Length": "1000000000"])
            sink.receive(TransferHead(kind: .final, response: response))
            // The file is created beside the first ones, which are buffered.
            try await eventually("chunks are written") { locks(1, sink) == 4 }
            #expect(locks(50, sink) == 4 * 50)
            request.cancel()
            // Otherwise, the request and its session retain each other.
            sink.finish(TransferOutcome(failure: nil, metrics: TransactionMetrics(transfer)))
            transport.started.withLock { $0 = nil }
        }
    }
#endif
