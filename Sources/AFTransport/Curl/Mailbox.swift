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
        var isClosed = false
        /// Whether the loop waits, or is about to: then the next command has to wake it.
        var isReaderWaiting = false
        /// Threads that are about to write to the descriptor, which must not be closed under them.
        var wakerCount = 0
        var lastID: UInt = 0
    }

    private let contents = Mutex(Contents())
    /// What the reader sees without taking the lock.
    private let hasCommands = Atomic(false)
    /// Written to when a command comes while the loop waits; negative when the process has no descriptor to spare.
    ///
    /// Nobody reads it: watched for edges, every write is news.
    let wakeDescriptor = af_eventfd()

    func newID() -> TransferID {
        contents.withLock {
            $0.lastID += 1
            return TransferID(number: $0.lastID)
        }
    }

    /// `false` once the loop takes no more commands: then the caller has to deal with it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isTaken, wakes) = contents.withLock { contents in
            guard !contents.isClosed else { return (false, false) }
            contents.commands.append(command)
            hasCommands.store(true, ordering: .relaxed)
            let wakes = contents.isReaderWaiting
            if wakes {
                contents.isReaderWaiting = false
                contents.wakerCount += 1
            }
            return (true, wakes)
        }
        if wakes { wake() }
        return isTaken
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
    func close() {
        for command in closed() {
            switch command {
            case .start(_, let transfer, let sink): sink.finish(.neverStarted(transfer))
            case .readCookies(let answer): answer([])
            default: break
            }
        }
    }

    private func closed() -> [Command] {
        var (commands, wakerCount) = contents.withLock { contents in
            contents.isClosed = true
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
