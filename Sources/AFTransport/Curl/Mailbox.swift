internal import AFHTTP
internal import CLinux
internal import Glibc
internal import Synchronization

/// What other threads ask of the loop.
enum Command: Sendable {
    case start(TransferID, Transfer, any TransferSink)
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
    let number: UInt64
}

/// Commands for the loop thread, oldest first.
final class Mailbox: Sendable {
    private struct Contents {
        var commands: [Command] = []
        var isClosed = false
        var lastID: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    /// Readable while there may be commands; negative when the process has no descriptor to spare.
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
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.commands.append(command)
            if contents.commands.count == 1 { wake() }
            return true
        }
    }

    /// Every command so far; leaves the mailbox empty.
    func takeAll(into commands: inout [Command]) {
        contents.withLock { swap(&$0.commands, &commands) }
    }

    /// Takes no more commands, and answers those that were not obeyed.
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
        contents.withLock { contents in
            guard !contents.isClosed else { return [] }
            contents.isClosed = true
            if wakeDescriptor >= 0 { Glibc.close(wakeDescriptor) }
            defer { contents.commands = [] }
            return contents.commands
        }
    }

    private func wake() {
        var one: UInt64 = 1
        // The counter cannot overflow: it is written once per emptying of the queue.
        _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }
}
