internal import Dispatch
internal import Glibc
internal import Synchronization

/// Listens for signals while it lives, instead of ending at once; there may be one at a time.
///
/// Those that the process was started to ignore, as `nohup` does, stay ignored.
final class Interruption: Sendable {
    private let signals: [Int32]
    /// Immutable, and only ever cancelled, which any thread may do; Dispatch does not declare its sources `Sendable`.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?
    private static let queue = DispatchQueue(label: "afcli.interruption")

    /// - Parameter handler: Called with the signal's number. The same signal again ends the process.
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
        source.setEventHandler {
            var number: UInt8 = 0
            if read(reader, &number, 1) == 1 { handler(Int32(number)) }
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
    // A second signal does not wait for the end to be in order.
    action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
    sigaction(number, &action, nil)
}

private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
}
