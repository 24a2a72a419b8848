internal import AFCore
internal import Synchronization

/// The handlers that end the running transfers of a command.
final class RunningTransfers: Sendable {
    private struct State {
        var handlers: [Int: @Sendable (ExitStatus) -> Void] = [:]
        var count = 0
        /// The status of the end; `nil` before.
        var end: ExitStatus?
    }

    private let state = Mutex(State())

    /// Adds the handler of a transfer.
    ///
    /// - Returns: An object whose deallocation removes the handler.
    func add(_ handler: @escaping @Sendable (ExitStatus) -> Void) -> any Sendable {
        let (number, end) = state.withLock { state in
            state.count += 1
            state.handlers[state.count] = handler
            return (state.count, state.end)
        }
        if let end { handler(end) }
        return OnDeinit { [self] in state.withLock { $0.handlers[number] = nil } }
    }

    func stop(with status: ExitStatus) {
        let handlers = state.withLock { state in
            state.end = state.end ?? status
            return Array(state.handlers.values)
        }
        for handler in handlers { handler(status) }
    }
}
