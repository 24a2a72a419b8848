import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TerminalTests {
    @Test func `a program on a terminal has the requested size`() async throws {
        let program = shell("test -t 0 && test -t 1 && test -t 2 && stty size")
        let result = try await program.onTerminal(.init(columns: 100, rows: 30)).run()
        #expect(result.screenText == "30 100\r\n")
        #expect(result.status == 0)
    }

    @Test func `single streams may be on the terminal`() async throws {
        var program = shell("test ! -t 1 && test -t 2 && echo out && echo error >&2")
        program.errors = .terminal
        let result = try await program.run()
        #expect(result.text == "out\n")
        #expect(result.screenText == "error\r\n")
    }

    @Test func `typed text is read, and Ctrl-C interrupts`() async throws {
        let program = try shell("read name; echo \"hello $name\"; exec cat").onTerminal().start()
        program.write("you\n")
        try await program.waitForText("hello you\r\n")
        program.write("\u{3}")
        let result = try await program.waitForEnd()
        #expect(result.signal == SIGINT)
        #expect(result.screenText.contains("^C"))
    }

    @Test func `a program is notified when its terminal is resized`() async throws {
        let script = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.01; done"
        let program = try shell(script).onTerminal().start()
        try await program.waitForText("ready")
        program.resizeTerminal(.init(columns: 40, rows: 10))
        #expect(try await program.waitForEnd().screenText.hasSuffix("10 40\r\n"))
    }

    @Test func `a prompt on the controlling terminal is answered without a standard stream`() async throws {
        var program = shell("read answer </dev/tty; echo \"$answer\"")
        program.terminal = .init()
        let running = try program.start()
        running.write("42\n")
        #expect(try await running.waitForEnd().text == "42\n")
    }
}
