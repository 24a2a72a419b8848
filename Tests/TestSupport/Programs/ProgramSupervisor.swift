internal import Glibc
internal import Synchronization

/// A thread that writes a program's input, collects its output and waits for its end.
final class ProgramSupervisor: Sendable {
    let process: pid_t
    private let state: Mutex<ProgramExchange>
    /// The memory that Linux includes in the child's peak, as a spawned child starts in its parent's memory.
    private let parentPeak: Int
    private let guardian: Guardian?
    private let started = ContinuousClock.now

    init(_ program: Program) throws {
        var streams = try ProgramStreams(program)
        defer { streams.closeChildSide() }
        var plan = program.spawnPlan
        plan.descriptors = streams.child + program.inherited
        plan.leadsGroup = program.endsWithTests
        plan.controllingTerminal = streams.terminalPath
        do {
            (process, guardian) = try Self.spawn(plan, guarded: program.endsWithTests)
        } catch {
            streams.closeTestSide()
            throw error
        }
        parentPeak = peakMemoryOfThisProcess()
        state = Mutex(ProgramExchange(streams: streams, input: program.input))
    }

    var captured: ProgramExchange.Captured { state.withLock { $0.captured } }
    var result: ProgramResult? { state.withLock { $0.result } }

    func signal(_ number: Int32) {
        // After SIGKILL, the program cannot end its children.
        let receiver = number == SIGKILL && guardian != nil ? -process : process
        // Under the lock of the reaping: afterwards the number may belong to another process.
        state.withLock { if $0.result == nil { kill(receiver, number) } }
    }

    func write(_ bytes: [UInt8]) {
        state.withLock { $0.queue(bytes) }
    }

    func closeInput() {
        state.withLock { $0.endInput() }
    }

    func resizeTerminal(_ size: Program.TerminalSize) {
        state.withLock { state in
            guard let screen = state.streams.screen else { return }
            var size = winsize(size)
            _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
        }
    }

    /// Returns when the program has been reaped.
    func run() {
        blockBrokenPipeSignal()
        while !hasExited {
            waitForActivity()
            state.withLock { state in
                state.feedInput()
                _ = state.collect()
                state.sampledPeak = max(state.sampledPeak, peakMemory(of: process))
            }
        }
        state.withLock { state in
            // Not until the end of the pipes: a grandchild may keep them open. The program's own output has arrived.
            while state.collect() {}
            if let guardian {
                // Kills remaining children; until the process is reaped, the group's number is not reused.
                kill(-process, SIGKILL)
                guardian.release()
            }
            state.streams.closeTestSide()
            state.result = reap(state.captured, state.sampledPeak)
        }
    }

    private static func spawn(_ plan: SpawnPlan, guarded: Bool) throws -> (pid_t, Guardian?) {
        let process = try plan.spawn()
        guard guarded else { return (process, nil) }
        do {
            return (process, try Guardian(of: process))
        } catch {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw error
        }
    }

    /// Whether the program is a zombie, until ``reap(_:_:)``.
    private var hasExited: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information._sifields._sigchld.si_pid == process
    }

    /// Waits briefly for output: the end of the program makes no descriptor ready.
    private func waitForActivity() {
        let streams = state.withLock { $0.streams }
        var requests = [streams.output, streams.errors, streams.screen].compactMap { $0 }
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let isYoung = started.duration(to: .now) < .seconds(1)
        poll(&requests, nfds_t(requests.count), isYoung ? 2 : 20)
    }

    private func reap(_ captured: ProgramExchange.Captured, _ sampledPeak: Int) -> ProgramResult {
        var status: Int32 = 0
        var usage = rusage()
        wait4(process, &status, 0, &usage)
        let signal = status & 0x7f
        let reportedPeak = usage.ru_maxrss << 10
        return ProgramResult(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
            signal: signal == 0 ? nil : signal,
            output: captured.output,
            errors: captured.errors,
            screen: captured.screen,
            peakMemory: reportedPeak > parentPeak ? reportedPeak : sampledPeak,
            processorTime: Duration(usage.ru_utime) + Duration(usage.ru_stime)
        )
    }
}

/// Blocks SIGPIPE on this thread, so that a program that closes its input does not end the tests.
private func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

extension Duration {
    fileprivate init(_ time: timeval) {
        self = .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }
}
