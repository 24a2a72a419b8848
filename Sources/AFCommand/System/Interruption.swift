internal import Dispatch
internal import Glibc
internal import Synchronization

/// Listens for signals while it lives, instead of ending at once; there may be one at a time.
///
/// The handler is called with the first signal and ends the run in order. Signals that follow closely mean the same: `timeout` signals
/// a process and then its group. A later one ends the process at once, and so does the clock if the run has not ended in
/// time; the status is the one that a shell shows for the signal. Both need no thread, so they work when Dispatch gets none.
///
/// Signals that the process was started to ignore, as `nohup` does, stay ignored.
final class Interruption: Sendable {
    private let signals: [Int32]
    /// Immutable, and only ever cancelled, which any thread may do; Dispatch does not declare its sources `Sendable`.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?
    private static let queue = DispatchQueue(label: "afcli.interruption")

    /// - Parameter handler: Called with the number of the first signal.
    init(of signals: [Int32] = [SIGINT, SIGTERM], _ handler: @escaping @Sendable (_ signal: Int32) -> Void) {
        // A pipe loses nothing that comes before somebody listens, which a signal source of Dispatch's does.
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
        // After a signal the process is about to end, and the next signal must not change its status.
        guard !signalState.isDelivered.load(ordering: .acquiring) else {
            source?.cancel()
            return
        }
        for number in signals { signal(number, SIG_DFL) }
        signalState.pipe.store(-1, ordering: .releasing)
        source?.cancel()
        // One that came too late for the handler has its usual effect.
        if let number = signalState.received { kill(getpid(), number) }
    }
}

/// State shared with the signal handlers, which call only async-signal-safe functions (signal-safety(7)).
private struct SignalState: ~Copyable {
    /// Signals within this many milliseconds of the first are ignored.
    private static let repetitionInterval: Int64 = 500
    /// Seconds for an end in order. It may wait for the lock of a session, but not until the output has been read.
    private static let timeout: UInt32 = 12

    /// Where the first signal is written; -1 before there is a listener.
    let pipe = Atomic<Int32>(-1)
    /// The first signal, and the time when it came; 0 before.
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
        // Not earlier: an alarm that the process was started with has its usual effect.
        handle(SIGALRM) { _ in signalState.endNow(signalState.first.load(ordering: .acquiring)) }
        alarm(Self.timeout)
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe.load(ordering: .acquiring), &byte, 1)
    }

    /// Nothing is lost by it: what a download needs to go on is on the disk at all times, and sessions are replaced whole.
    private func endNow(_ signal: Int32) -> Never { _exit(128 + signal) }

    private func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Made by the first ``Interruption``, before a handler needs it.
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
