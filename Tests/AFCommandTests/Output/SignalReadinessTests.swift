import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// When a run begins to listen for signals.
struct SignalReadinessTests {
    @Test(arguments: ["--output", "--report", "--cookie-jar"])
    func `no request is sent before signals are handled`(option: String) async throws {
        let folder = try ScratchFolder()
        let early = Mutex<[Int]>([])
        try await withServer { _ in
            .ok("answer").header("Set-Cookie", "a=b")
        } _: { server in
            var world = ToolWorld()
            world.onListening = {
                // Enough time for a premature request to arrive: its absence has no event.
                usleep(200_000)
                early.withLock { $0.append(server.requests.count) }
            }
            let run = await runTool(option, folder.file("f"), server.url(), in: world)
            #expect(run.status == 0, "\(run.errors)")
            #expect(early.withLock(\.self) == [0])
            #expect(server.requests.count == 1)
            #expect(folder.has("f"))
        }
    }
}
