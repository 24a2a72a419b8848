import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFRequests

/// The number of locks that a chunk of a response takes.
@Suite(.timeLimit(.minutes(1)), .serialized) struct ChunkLockTests {
    private static let chunk = [UInt8](repeating: 7, count: 128 << 10)

    /// Returns the number of locks between the first chunks and the end of further ones.
    private func locks(
        chunks: Int,
        _ start: (Session) -> DownloadRequest
    ) async throws -> Int {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = start(session)
        request.resume()
        let exchange = try await transport.exchange()
        exchange.receiveHead(headers: ["Content-Length": "\((chunks + 16) * Self.chunk.count)"])
        // The file is created beside the first ones, which are buffered.
        for _ in 0..<15 { exchange.receive(Self.chunk) }
        try await eventually("the file is written") {
            !exchange.isPaused && request.downloadProgress.completedUnitCount == 15 * Int64(Self.chunk.count)
        }
        exchange.receive(Self.chunk)
        let received = { (count: Int) in request.downloadProgress.completedUnitCount == Int64(count * Self.chunk.count)
        }
        try await eventually("a chunk is written") { received(16) }
        let before = orderedLockCount.load(ordering: .relaxed)
        for _ in 0..<chunks { exchange.receive(Self.chunk) }
        // Asking for the progress takes a lock, too.
        try await Task.sleep(for: .milliseconds(300))
        let taken = orderedLockCount.load(ordering: .relaxed) - before
        #expect(received(16 + chunks))
        exchange.finish()
        return taken
    }

    @Test func `a chunk that is written takes four`() async throws {
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.file("f"))
        let taken = try await locks(chunks: 50) {
            $0.download("http://127.0.0.1/f", to: { _, _ in (file, [.removePreviousFile]) })
        }
        #expect(taken == 4 * 50)
    }
}
