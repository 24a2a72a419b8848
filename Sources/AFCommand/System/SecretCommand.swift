internal import AFFormatting
internal import Glibc
internal import Synchronization

/// A program whose output is a secret, for `exec:COMMAND` and for the `credential_process` of an AWS profile.
///
/// It runs without a shell, reads from the terminal if there is one, and shares only standard error with this process.
struct SecretCommand {
    /// The expected output of the program.
    enum Output: Sendable {
        /// A secret, for `exec:`.
        case line
        /// The keys of an AWS profile as JSON, for `credential_process`.
        case keys
    }

    private let expected: Output
    private let words: [String]
    private let variables: Variables
    private let waits: WaitLimits

    /// Parses a command.
    ///
    /// - Throws: ``UsageError`` for a command that is empty or that only a shell can run.
    init(_ command: String, _ expected: Output, variables: Variables, waits: WaitLimits) throws(UsageError) {
        self.expected = expected
        do throws(UsageError) {
            words = try ShellWords.split(command, variables: variables)
        } catch {
            throw error.hinting("it runs without a shell; sh -c '...' runs one")
        }
        guard words.first?.isEmpty == false else {
            throw UsageError("expected a command, as in 'exec:pass show api'")
        }
        self.variables = variables
        self.waits = waits
    }

    /// The name for messages. The arguments may be secrets.
    private var name: String {
        switch expected {
        case .line: "exec:\(words[0])"
        case .keys: "credential_process: \(words[0])"
        }
    }

    /// Runs the program and returns its output; a line is without its end.
    ///
    /// - Throws: ``FileProblem`` if it cannot be started or fails, if it writes nothing or several lines, or if a limit
    ///   of the run ends the wait; then the program is terminated.
    func run() throws(FileProblem) -> [UInt8] {
        // If a signal ends this process meanwhile, the program is terminated first.
        let received = Received()
        let handler =
            waits.handlesSignals
            ? nil
            : SignalHandler(of: [SIGHUP, SIGINT, SIGQUIT, SIGTERM]) { [waits] number in
                received.signal.store(number, ordering: .releasing)
                waits.interrupt(.terminated)
            }
        defer {
            withExtendedLifetime(handler) {}
            let number = received.signal.load(ordering: .acquiring)
            if number != 0 {
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
        }
        return try outputOfProgram()
    }

    /// The signal that ends this process; 0 for none.
    private final class Received: Sendable {
        let signal = Atomic<Int32>(0)
    }

    private func outputOfProgram() throws(FileProblem) -> [UInt8] {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw problem(.system(errno)) }
        defer { close(pipe[0]) }
        let started = Result { () throws(FileProblem) -> pid_t in try start(writingTo: pipe[1]) }
        close(pipe[1])
        let process = try started.get()
        let output: [UInt8]
        let status: Int32
        do throws(FileProblem) {
            output = try FileAccess.readToEnd(pipe[0], path: name, limit: .secret, waits: waits)
            status = try end(of: process)
        } catch {
            ChildProcess.terminate(process)
            throw error
        }
        guard status == 0 else { throw problem(.content(Self.reason(of: status)), "run the command alone to see why") }
        return expected == .line ? try line(output) : output
    }

    private func line(_ output: [UInt8]) throws(FileProblem) -> [UInt8] {
        let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, !first.isEmpty else {
            throw problem(.content("wrote no secret"), "run the command alone to see its output")
        }
        guard lines.dropFirst().allSatisfy(\.isEmpty) else {
            throw problem(.content("wrote more than one line"), "choose options that print the secret alone")
        }
        return Array(first.last == UInt8(ascii: "\r") ? first.dropLast() : first)
    }

    private func start(writingTo output: Int32) throws(FileProblem) -> pid_t {
        try ChildProcess.start(
            words, input: .file(Self.hasTerminal ? "/dev/tty" : "/dev/null"), output: .descriptor(output), name: name)
    }

    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Waits for the end of the program, whose output has ended.
    ///
    /// - Returns: The status as of waitpid(2).
    private func end(of process: pid_t) throws(FileProblem) -> Int32 {
        var status: Int32 = 0
        let wait = LocalWait(waits)
        while waitpid(process, &status, WNOHANG) == 0 {
            do throws(WaitFailure) {
                try wait.pause()
            } catch {
                throw FileProblem(path: name, error)
            }
        }
        return status
    }

    private static func reason(of status: Int32) -> String {
        let signal = status & 0x7F
        return signal == 0
            ? "failed with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    }

    private func problem(_ reason: FileProblem.Reason, _ hint: String? = nil) -> FileProblem {
        FileProblem(path: name, reason: reason, hint: hint)
    }
}
