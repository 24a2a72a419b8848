internal import Dispatch
internal import Glibc

/// Listens for SIGINT and SIGTERM while it lives, instead of ending at once.
final class Interruption: Sendable {
    /// Immutable, and only ever cancelled, which any thread may do; Dispatch does not declare its sources `Sendable`.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private static let queue = DispatchQueue(label: "afcli.interruption")

    init(_ handler: @escaping @Sendable (ExitStatus) -> Void) {
        sources = [(SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated)].map { number, status in
            // The signal still ends the process unless it is ignored; the source hears of it all the same.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
            source.setEventHandler {
                // A second signal does not wait for the end to be in order.
                signal(number, SIG_DFL)
                handler(status)
            }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}
