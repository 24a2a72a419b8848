internal import Dispatch
internal import Glibc

/// Listens for signals while it lives, instead of ending at once.
///
/// Those that the process was started to ignore, as `nohup` does, stay ignored.
final class Interruption: Sendable {
    private let signals: [Int32]
    /// Immutable, and only ever cancelled, which any thread may do; Dispatch does not declare its sources `Sendable`.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private static let queue = DispatchQueue(label: "afcli.interruption")

    /// - Parameter handler: Called with the signal's number. The same signal again ends the process.
    init(of signals: [Int32] = [SIGINT, SIGTERM], _ handler: @escaping @Sendable (_ signal: Int32) -> Void) {
        self.signals = signals.filter { !isIgnored($0) }
        sources = self.signals.map { number in
            // The signal still ends the process unless it is ignored; the source hears of it all the same.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
            source.setEventHandler {
                // A second signal does not wait for the end to be in order.
                signal(number, SIG_DFL)
                handler(number)
            }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in signals { signal(number, SIG_DFL) }
    }
}

private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
}
