internal import AFHTTP
internal import CLinux
internal import Glibc
internal import Synchronization

/// What other threads ask of the loop.
enum Command: Sendable {
    /// Indirect, as commands are moved about and a transfer is large.
    indirect case start(TransferID, Transfer, any TransferSink)
    case cancel(TransferID)
    case suspend(TransferID)
    case resume(TransferID)
    case drain(TransferID)
    case bodyReady(TransferID)
    case readCookies(@Sendable ([HTTPCookie]) -> Void)
    case setCookies([HTTPCookie])
    case deleteCookies
    case shutdown
}

struct TransferID: Hashable, Sendable {
    let number: UInt
}

/// Commands for the loop thread, oldest first.
final class Mailbox: Sendable {
    private struct Contents {
        var commands: [Command] = []
        /// Why the loop takes no more commands; `nil` while it does.
        var closure: TransferFailure?
        /// Whether the loop waits, or is about to: then the next command has to wake it.
        var isReaderWaiting = false
        /// Threads that are about to write to the descriptor, which must not be closed under them.
        var wakerCount = 0
        var lastID: UInt = 0
    }

    private let contents = Mutex(Contents())
    /// What the reader sees without taking the lock.
    private let hasCommands = Atomic(false)
    /// Written to when a command comes while the loop waits; negative if the system refuses it, with ``wakeError``.
    ///
    /// Nobody reads it: watched for edges, every write is news.
    let wakeDescriptor: Int32
    let wakeError: Int32

    init() {
        wakeDescriptor = af_eventfd()
        wakeError = errno
    }

    func newID() -> TransferID {
        contents.withLock {
            $0.lastID += 1
            return TransferID(number: $0.lastID)
        }
    }

    /// Adds a command.
    ///
    /// - Returns: `nil`, or why the loop takes no more commands: then the caller has to deal with it.
    @discardableResult
    func post(_ command: Command) -> TransferFailure? {
        let (closure, wakes) = contents.withLock { contents -> (TransferFailure?, Bool) in
            if let closure = contents.closure { return (closure, false) }
            contents.commands.append(command)
            hasCommands.store(true, ordering: .relaxed)
            let wakes = contents.isReaderWaiting
            if wakes {
                contents.isReaderWaiting = false
                contents.wakerCount += 1
            }
            return (nil, wakes)
        }
        if wakes { wake() }
        return closure
    }

    /// Whether the reader may wait for the descriptor: `false` when there are commands already.
    func mayWait() -> Bool {
        contents.withLock { contents in
            contents.isReaderWaiting = contents.commands.isEmpty
            return contents.isReaderWaiting
        }
    }

    /// Stays awake for a command that is likely to come at once, but leaves the processor to whoever needs it.
    func lookOut(nanoseconds: UInt64) {
        var now = monotonicNanoseconds()
        let end = now + nanoseconds
        var nextYield = now + 5_000
        while !hasCommands.load(ordering: .relaxed), now < end {
            if now >= nextYield {
                sched_yield()
                nextYield = now + 5_000
            }
            now = monotonicNanoseconds()
        }
    }

    /// Every command so far; leaves the mailbox empty. The reader is awake.
    func takeAll(into commands: inout [Command]) {
        contents.withLock { contents in
            contents.isReaderWaiting = false
            hasCommands.store(false, ordering: .relaxed)
            swap(&contents.commands, &commands)
        }
    }

    /// Takes no more commands, and answers those that were not obeyed. To be called once.
    func close(because failure: TransferFailure) {
        for command in closed(failure) {
            switch command {
            case .start(_, let transfer, let sink): sink.finish(.neverStarted(transfer, because: failure))
            case .readCookies(let answer): answer([])
            default: break
            }
        }
    }

    private func closed(_ failure: TransferFailure) -> [Command] {
        var (commands, wakerCount) = contents.withLock { contents in
            contents.closure = failure
            defer { contents.commands = [] }
            return (contents.commands, contents.wakerCount)
        }
        while wakerCount > 0 {
            sched_yield()
            wakerCount = contents.withLock { $0.wakerCount }
        }
        if wakeDescriptor >= 0 { Glibc.close(wakeDescriptor) }
        return commands
    }

    /// Outside the lock: the loop, awake at once, would run into it.
    private func wake() {
        var one: UInt64 = 1
        // The counter takes more writes than there is time for.
        _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
        contents.withLock { $0.wakerCount -= 1 }
    }
}
