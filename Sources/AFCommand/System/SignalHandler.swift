internal import Dispatch
internal import Glibc
internal import Synchronization

/// Handles signals while it exists, instead of ending the process; only one instance may exist.
///
/// The handler is called with the first signal and ends the run in order. Signals shortly after it are ignored:
/// `timeout` signals a process and then its group. A later one ends the process immediately, as does a timer if the run
/// has not ended in time; the exit status is the shell's for the signal. Both work without threads, even if Dispatch
/// gets none.
///
/// Signals that were ignored when the process started, as with `nohup`, stay ignored.
final class SignalHandler: Sendable {
    private let signals: [Int32]
    /// Immutable, and only canceled, which any thread may do; Dispatch's sources are not declared `Sendable`.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?
    private static let queue = DispatchQueue(label: "afcli.signals")

    /// Installs the signal handlers.
    ///
    /// - Parameter handler: Called with the number of the first signal.
    init(of signals: [Int32] = [SIGINT, SIGTERM], _ handler: @escaping @Sendable (_ signal: Int32) -> Void) {
        // A pipe stores signals that arrive before there is a listener, unlike a signal source of Dispatch.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            (self.signals, source) = ([], nil)
            return
        }
        let (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        signalState.pipe.store(writer, ordering: .releasing)
        let source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: Self.queue)
        source.setEventHandler {
            var byte: UInt8 = 0
            guard read(reader, &byte, 1) == 1 else { return }
            signalState.isDelivered.store(true, ordering: .releasing)
            handler(Int32(byte))
        }
        source.setCancelHandler {
            close(reader)
            close(writer)
        }
        source.activate()
        self.source = source
        self.signals = signals.filter { !isIgnored($0) }
        for number in self.signals { handle(number) { signalState.receive($0) } }
    }

    deinit {
        // After a signal the process is about to end, and the next signal must not change its exit status.
        guard !signalState.isDelivered.load(ordering: .acquiring) else {
            source?.cancel()
            return
        }
        for number in signals { signal(number, SIG_DFL) }
        signalState.pipe.store(-1, ordering: .releasing)
        source?.cancel()
        // A signal that arrived too late for the handler has its default effect.
        if let number = signalState.received { kill(getpid(), number) }
    }
}

/// State shared with the signal handlers, which call only async-signal-safe functions (signal-safety(7)).
private struct SignalState: ~Copyable {
    /// Signals within this number of milliseconds after the first are ignored.
    private static let repetitionInterval: Int64 = 500
    /// The seconds for ending in order. This may include waiting for a session's lock, but not for a reader of the
    /// output.
    private static let timeout: UInt32 = 12

    /// The pipe that the first signal is written to; -1 before there is a listener.
    let pipe = Atomic<Int32>(-1)
    /// The first signal and its time; 0 before.
    private let first = Atomic<Int32>(0)
    private let time = Atomic<Int64>(0)

    /// Whether a handler was called with the first signal.
    let isDelivered = Atomic(false)

    /// The first signal; `nil` before.
    var received: Int32? {
        let number = first.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    func receive(_ number: Int32) {
        let error = errno
        defer { errno = error }
        let now = milliseconds()
        guard first.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged else {
            let earlier = time.load(ordering: .acquiring)
            if earlier != 0, now - earlier >= Self.repetitionInterval { endNow(number) }
            return
        }
        time.store(now, ordering: .releasing)
        // Not earlier: an alarm that was set before the process started has its default effect.
        handle(SIGALRM) { _ in signalState.endNow(signalState.first.load(ordering: .acquiring)) }
        alarm(Self.timeout)
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe.load(ordering: .acquiring), &byte, 1)
    }

    /// Safe at any time: resume records are always on disk, and session files are replaced atomically.
    private func endNow(_ signal: Int32) -> Never { _exit(128 + signal) }

    private func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Created by the first ``SignalHandler``, before a handler needs it.
private let signalState = SignalState()

private func handle(_ number: Int32, _ handler: @escaping @convention(c) (_ signal: Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
}

private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
}
