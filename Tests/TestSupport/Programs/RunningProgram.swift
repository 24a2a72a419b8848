internal import Glibc

/// A running program, killed when it is deallocated.
public final class RunningProgram: Sendable {
    public let processIdentifier: Int32
    private let supervisor: ProgramSupervisor
    private let thread: JoinableThread
    private let ended = Gate()
    private let description: String

    init(_ program: Program) throws {
        description = ([program.path] + program.arguments).joined(separator: " ")
        supervisor = try ProgramSupervisor(program)
        processIdentifier = supervisor.process
        thread = try JoinableThread { [supervisor, ended] in
            supervisor.run()
            ended.open()
        }
    }

    deinit {
        supervisor.signal(SIGKILL)
        thread.join()
    }

    /// Sends a signal; without effect after the program's end.
    public func signal(_ number: Int32) {
        supervisor.signal(number)
    }

    /// Sends SIGINT, like Ctrl-C.
    public func interrupt() { signal(SIGINT) }

    /// Sends SIGTERM, like `kill`.
    public func terminate() { signal(SIGTERM) }

    /// Sends SIGKILL, which a program cannot handle.
    public func kill() { signal(SIGKILL) }

    /// Sends SIGTERM, after five seconds SIGKILL, and returns when the program has ended.
    public func stop() {
        terminate()
        blockUntilEnded()
    }

    /// Blocks the thread until the program has ended; kills it after five seconds.
    func blockUntilEnded() {
        ended.block(atMost: .seconds(5))
        if ended.isOpen { return }
        kill()
        ended.block(atMost: Deadline.timeout)
    }

    /// Writes to standard input, which must be ``Program/Input/pipe``, or to the terminal.
    public func write(_ text: String) {
        supervisor.write(Array(text.utf8))
    }

    /// Ends standard input after the written bytes.
    public func closeInput() {
        supervisor.closeInput()
    }

    /// Changes the terminal's size and sends SIGWINCH.
    public func resizeTerminal(_ size: Program.TerminalSize) {
        supervisor.resizeTerminal(size)
    }

    /// The standard output so far.
    public var text: String { String(decoding: supervisor.captured.output, as: UTF8.self) }

    /// The standard error so far.
    public var errorText: String { String(decoding: supervisor.captured.errors, as: UTF8.self) }

    /// The terminal output so far.
    public var screenText: String { String(decoding: supervisor.captured.screen, as: UTF8.self) }

    public var hasEnded: Bool { supervisor.result != nil }

    /// Returns when the program has ended.
    ///
    /// - Throws: ``DeadlinePassed`` after killing the program at the limit.
    public nonisolated(nonsending) func waitForEnd(
        within limit: Duration = Deadline.timeout
    ) async throws -> ProgramResult {
        do {
            try await eventually("\(description) ends\(outputSoFar)", within: limit) { hasEnded }
        } catch {
            kill()
            throw error
        }
        guard let result = supervisor.result else { throw SystemFailure("wait", errorNumber: ECHILD) }
        return result
    }

    /// Returns when standard output, standard error or the terminal contains the text.
    ///
    /// - Throws: ``DeadlinePassed`` at the limit, or if the program ends without the text.
    public nonisolated(nonsending) func waitForText(
        _ text: String,
        within limit: Duration = Deadline.timeout
    ) async throws {
        func shows() -> Bool { [self.text, errorText, screenText].contains { $0.contains(text) } }
        try await eventually("\(description) shows \(text.debugDescription)\(outputSoFar)", within: limit) {
            hasEnded || shows()
        }
        guard shows() else {
            throw DeadlinePassed(
                awaited: "\(description) shows \(text.debugDescription); it has ended\(outputSoFar)", limit: limit)
        }
    }

    /// The output so far, for failure messages.
    private var outputSoFar: String {
        let texts = [text, errorText, screenText].filter { !$0.isEmpty }.map { String($0.suffix(2000)) }
        return texts.isEmpty ? "; it has written nothing" : "; it has written:\n" + texts.joined(separator: "\n---\n")
    }
}
