import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// The hints about responses and failed transfers.
@Suite(.timeLimit(.minutes(5))) struct FailureHintTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a pipe that delivers nothing is not the server's fault`() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // Opened for both, so that neither end waits for the other.
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("post", server.url(), "@\(pipe)", "--timeout", "300ms")
            #expect(run.status == 2)
            #expect(
                run.errors == """
                    afcli: error: '\(pipe)' delivered no data for 300.0 ms
                      check the program that writes it, or increase --timeout; 0 waits without limit

                    """)
        }
    }
}
