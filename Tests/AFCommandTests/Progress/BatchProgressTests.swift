import AFCore
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite(.timeLimit(.minutes(5))) struct BatchProgressTests {
    private let world = ToolWorld()

    @Test func `a terminal without a reader does not delay the downloads`() async throws {
        let terminal = StalledOutput()
        defer { terminal.isRead.open() }
        var environment = world.environment
        environment.errors = terminal
        environment.errorTerminal = TerminalSize(columns: 80)
        let progress = BatchProgress(.always, of: 2, environment)
        progress.begin(0) { BatchProgress.Download(name: "a", attempts: [TransferProgress(completedUnitCount: 1)]) }
        progress.begin(on: DispatchQueue(label: "progress"))
        try await terminal.isWritten.waitUntilOpen()
        // Would wait for the terminal, too.
        progress.begin(1) { BatchProgress.Download(name: "b", attempts: []) }
        progress.end(0, url: "a", path: nil, status: .success)
        #expect(!terminal.isRead.isOpen)
    }

    @Test func `the bytes of a download count while it runs and after its end`() async throws {
        var environment = world.environment
        environment.errorTerminal = TerminalSize(columns: 80)
        let progress = BatchProgress(.always, of: 2, environment)
        let received = TransferProgress(completedUnitCount: 7, totalUnitCount: 10, resumedUnitCount: 2)
        progress.begin(0) { BatchProgress.Download(name: "a", attempts: [received]) }
        progress.begin(on: DispatchQueue(label: "progress"))
        try await eventually("the line shows its bytes") { world.errors.text.contains("0 of 2 files  5 B") }
        #expect(world.errors.text.contains("a 70 %"))
        progress.end(0, url: "a", path: "a", status: .success)
        try await eventually("the line shows its end") { world.errors.text.contains("1 of 2 files  5 B") }
        progress.end()
    }

    @Test func `the bytes of a failed attempt stay in the sum`() async throws {
        let folder = try ScratchFolder()
        let isShown = Gate()
        defer { isShown.open() }
        let isRepeated = Atomic(false)
        try await withServer { request in
            if request.path == "/held" {
                isShown.block(atMost: Deadline.timeout)
                return .ok("x")
            }
            if isRepeated.exchange(true, ordering: .relaxed) { return .status(503, "short") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n"
            return .raw(Array(head.utf8) + [UInt8](repeating: 1, count: 1_000_000))
        } _: { server in
            try folder.write("\(server.url("/cut"))\n\(server.url("/held"))\n", to: "list")
            let world = ToolWorld(variables: ["LANG": "C.UTF-8", "TERM": "xterm"], errorColumns: 120)
            async let run = runTool(
                "--input", folder.file("list"), "--create-dirs", "--output-dir", folder.file("out"), "--retry", "1",
                "--retry-delay", "0", in: world)
            try await eventually("the line shows the end of the first") {
                world.errors.text.contains("1 of 2 files (1 failed)  1.0 MB")
            }
            isShown.open()
            #expect(await run.status == 5)
        }
    }

    @Test func `the line is erased at the end and not drawn again`() {
        let line = ProgressLine(world.errors)
        line.draw("1 of 2 files")
        line.end()
        let text = world.errors.text
        line.draw("2 of 2 files")
        #expect(text.hasSuffix("\r\u{1B}[K"))
        #expect(world.errors.text == text)
    }
}

/// An output that accepts nothing before ``isRead`` is open.
private final class StalledOutput: ByteOutput {
    let isWritten = Gate()
    let isRead = Gate()

    func write(_ bytes: UnsafeRawBufferPointer) {
        isWritten.open()
        isRead.block(atMost: .seconds(20))
    }
}
