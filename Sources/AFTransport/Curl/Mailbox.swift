internal import AFHTTP
internal import CLinux
internal import Glibc
internal import Synchronization

/// A command from another thread to the loop.
enum Command: Sendable {
    case start(QueuedTransfer)
    case cancel(TransferID)
    /// Cancels the transfer after a number of nanoseconds, unless it has ended.
    case cancelLater(TransferID, UInt64)
    case suspend(TransferID)
    case resume(TransferID)
    case drain(TransferID)
    case bodyReady(TransferID)
    case shutdown
}

struct TransferID: Hashable, Sendable {
    let number: UInt
}

/// A transfer and its sink. One reference, as a transfer is large.
final class QueuedTransfer: Sendable {
    let id: TransferID
    let transfer: Transfer
    let sink: any TransferSink

    init(_ id: TransferID, _ transfer: Transfer, into sink: any TransferSink) {
        self.id = id
        self.transfer = transfer
        self.sink = sink
    }
}

/// The queue of commands for the loop thread.
final class Mailbox: Sendable {
    private struct State {
        var commands: [Command] = []
        /// The reason why no more commands are accepted; `nil` while the mailbox is open.
        var closure: TransferFailure?
        /// Whether the loop is waiting, or about to, so that the next command must wake it.
        var isReaderWaiting = false
        /// The number of threads that are about to write to the descriptor, which must stay open for them.
        var wakerCount = 0
    }

    private let state = Mutex(State())
    private let lastID = Atomic<UInt>(0)
    /// The descriptor that a command writes to while the loop waits; negative if the system refused it, with
    /// ``wakeError``.
    ///
    /// Watched edge-triggered, so that it need not be read.
    let wakeDescriptor: Int32
    let wakeError: Int32

    init() {
        wakeDescriptor = af_eventfd()
        wakeError = errno
    }

    func newID() -> TransferID { TransferID(number: lastID.add(1, ordering: .relaxed).newValue) }

    /// Adds a command.
    ///
    /// - Returns: `nil`, or the reason why the mailbox is closed: the caller must handle it.
    @discardableResult
    func post(_ command: Command) -> TransferFailure? {
        let (closure, wakes) = state.withLock { state -> (TransferFailure?, Bool) in
            if let closure = state.closure { return (closure, false) }
            state.commands.append(command)
            let wakes = state.isReaderWaiting
            if wakes {
                state.isReaderWaiting = false
                state.wakerCount += 1
            }
            return (nil, wakes)
        }
        if wakes { wake() }
        return closure
    }

    /// Whether the reader may wait for the descriptor: `false` if there are commands.
    func mayWait() -> Bool {
        state.withLock { state in
            state.isReaderWaiting = state.commands.isEmpty
            return state.isReaderWaiting
        }
    }

    /// Moves all commands into the array. Called while the loop is awake.
    func takeAll(into commands: inout [Command]) {
        state.withLock { state in
            state.isReaderWaiting = false
            swap(&state.commands, &commands)
        }
    }

    /// Closes the mailbox and fails the commands that were not executed. Must be called once.
    func close(because failure: TransferFailure) {
        for command in closed(failure) {
            if case .start(let queued) = command {
                queued.sink.finish(.neverStarted(queued.transfer, because: failure))
            }
        }
    }

    private func closed(_ failure: TransferFailure) -> [Command] {
        var (commands, wakerCount) = state.withLock { state in
            state.closure = failure
            defer { state.commands = [] }
            return (state.commands, state.wakerCount)
        }
        while wakerCount > 0 {
            sched_yield()
            wakerCount = state.withLock { $0.wakerCount }
        }
        if wakeDescriptor >= 0 { Glibc.close(wakeDescriptor) }
        return commands
    }

    /// Called without the lock: the woken loop would have to wait for it.
    private func wake() {
        let one: UInt64 = 1
        // The counter cannot overflow in practice.
        _ = withUnsafeBytes(of: one) { Descriptor(wakeDescriptor).write($0) }
        state.withLock { $0.wakerCount -= 1 }
    }
}
