import Dispatch
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
        progress.begin(0) { "a" }
        progress.begin(on: DispatchQueue(label: "progress"))
        try await terminal.isWritten.waitUntilOpen()
        // Would wait for the terminal, too.
        progress.update(ProgressSample(now: 1, phase: .receiving, bytes: 1), of: 0)
        progress.end(0, url: "a", path: nil, status: .success)
        #expect(!terminal.isRead.isOpen)
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
