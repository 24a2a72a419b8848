internal import Dispatch
internal import Glibc
internal import Synchronization

/// Listens for signals while it lives, instead of ending at once; there may be one at a time.
///
/// The first one is told, for an end in order. Those that follow closely are the same wish: `timeout` signals a process and
/// then its group. A later one ends the process at once, and so does the clock where the end in order does not come to
/// its end; the status is the one that a shell shows for the signal.
///
/// Signals that the process was started to ignore, as `nohup` does, stay ignored.
final class Interruption: Sendable {
    /// What a signal means that comes now.
    private enum Meaning { case first, same, again }

    /// What came first, and when.
    private final class Wish: Sendable {
        /// Signals that come within this time of the first say nothing new.
        private static let echo = Duration.milliseconds(500)

        private let time = Mutex<ContinuousClock.Instant?>(nil)

        var isKnown: Bool { time.withLock { $0 != nil } }

        func hear() -> Meaning {
            time.withLock { time in
                guard let first = time else {
                    time = .now
                    return .first
                }
                return ContinuousClock.now - first < Self.echo ? .same : .again
            }
        }
    }

    /// Seconds for an end in order. It may wait for the lock of a session, but not for whoever reads the output.
    private static let patience = 12.0

    private let signals: [Int32]
    private let wish = Wish()
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
        notices.store(writer, ordering: .releasing)
        let source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: Self.queue)
        source.setEventHandler { [wish] in
            var byte: UInt8 = 0
            guard read(reader, &byte, 1) == 1 else { return }
            let number = Int32(byte)
            switch wish.hear() {
            case .first:
                Self.queue.asyncAfter(deadline: .now() + Self.patience) { endNow(number) }
                handler(number)
            case .same: break
            case .again: endNow(number)
            }
        }
        source.setCancelHandler {
            close(reader)
            close(writer)
        }
        source.activate()
        self.source = source
        self.signals = signals.filter { !isIgnored($0) }
        for number in self.signals { noteSignal(number) }
    }

    deinit {
        guard !wish.isKnown else {
            // The process is about to end, and the echo of the signal must not be what ends it: somebody goes on listening.
            if let source { _ = Unmanaged.passRetained(source as AnyObject) }
            return
        }
        for number in signals { signal(number, SIG_DFL) }
        source?.cancel()
    }
}

/// Where signals are noted: the pipe of the ``Interruption`` that lives.
private let notices = Atomic<Int32>(-1)

private func noteSignal(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(notices.load(ordering: .acquiring), &byte, 1)
        errno = error
    }
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
}

/// Nothing is lost by it: what a download needs to go on is on the disk at all times, as are sessions, which are replaced whole.
private func endNow(_ signal: Int32) -> Never { _exit(128 + signal) }

private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
}
