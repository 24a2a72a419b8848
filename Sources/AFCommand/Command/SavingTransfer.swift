internal import AFFormatting
internal import AFTransport
internal import Dispatch
internal import Synchronization

/// A transfer on another thread: while its file is synced and named, the next one is sent.
///
/// The transfers end in the order of the command: each waits for the end of the one before it. For 100 files of 3 kB over
/// HTTPS, this took 0.20 s instead of 0.33 s, with a new thread for each.
final class SavingTransfer<Outcome: Sendable>: Sendable {
    /// Signaled when the body has been received, and at the end.
    private let progress = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)
    private let predecessor: DispatchSemaphore?
    private let result = Mutex<Result<Outcome, any Error>?>(nil)

    init(after predecessor: SavingTransfer?) { self.predecessor = predecessor?.end }

    /// Starts the transfer, and waits until its body has been received or it has ended.
    ///
    /// - Returns: Whether there is a thread for it.
    func start(on threads: SavingThreads, _ body: @escaping @Sendable () throws -> Outcome) -> Bool {
        let isStarted = threads.run { [self] in
            let result = Result(catching: body)
            waitForPredecessor()
            self.result.withLock { $0 = result }
            progress.signal()
            end.signal()
        }
        if isStarted { progress.wait() }
        return isStarted
    }

    /// Records that only the disk is waited for.
    func recordReceived() { progress.signal() }

    func waitForPredecessor() { predecessor?.waitForEvent() }

    /// Whether this and the transfers before it have ended.
    var hasEnded: Bool { result.withLock { $0 != nil } }

    /// Blocks the calling thread until the transfer has ended.
    func outcome() throws -> Outcome {
        end.waitForEvent()
        guard let result = result.withLock(\.self) else { preconditionFailure("the transfer has ended") }
        return try result.get()
    }

    /// Returns an output that is written after those of the transfers before this one.
    func ordered(_ output: any ByteOutput) -> any ByteOutput { Ordered(output, self) }

    private final class Ordered: ByteOutput {
        private let output: any ByteOutput
        private let transfer: SavingTransfer

        init(_ output: any ByteOutput, _ transfer: SavingTransfer) { (self.output, self.transfer) = (output, transfer) }

        func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
            transfer.waitForPredecessor()
            try output.write(bytes)
        }

        func endLine() throws(OutputFailure) {
            transfer.waitForPredecessor()
            try output.endLine()
        }
    }
}

/// The threads of saving transfers, which are reused.
final class SavingThreads: Sendable {
    private struct State {
        /// The work of threads that are about to start or to wake up.
        var work: [@Sendable () -> Void] = []
        var idleCount = 0
        var isEnding = false
    }

    private let state = Mutex(State())
    private let wakeUps = DispatchSemaphore(value: 0)

    /// Runs work on an idle thread, or on a new one.
    ///
    /// - Returns: Whether there is a thread for it.
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isIdle = state.withLock { state in
            state.work.append(work)
            guard state.idleCount > 0 else { return false }
            state.idleCount -= 1
            return true
        }
        guard !isIdle else {
            wakeUps.signal()
            return true
        }
        let isStarted = startThread(named: "afcli.transfer") { [self] in
            repeat { takeWork()?() } while waitForWork()
        }
        if !isStarted { _ = takeWork() }
        return isStarted
    }

    /// Ends the threads when they have done their work; no work follows.
    func end() {
        let count = state.withLock { state in
            state.isEnding = true
            return state.idleCount
        }
        for _ in 0..<count { wakeUps.signal() }
    }

    private func takeWork() -> (@Sendable () -> Void)? { state.withLock { $0.work.popLast() } }

    /// Waits until there is work.
    ///
    /// - Returns: Whether no work follows.
    private func waitForWork() -> Bool {
        let isEnding = state.withLock { state in
            if !state.isEnding { state.idleCount += 1 }
            return state.isEnding
        }
        if isEnding { return false }
        wakeUps.wait()
        return state.withLock { !$0.isEnding || !$0.work.isEmpty }
    }
}

extension DispatchSemaphore {
    /// Waits for an event that has happened for all who wait.
    fileprivate func waitForEvent() {
        wait()
        signal()
    }
}
