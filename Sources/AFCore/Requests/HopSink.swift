internal import AFHTTP
internal import AFTransport
internal import Synchronization

/// Tells a task what happens to one of its hops, and passes the final response on to the request.
final class HopSink: TransferSink {
    private struct Contents {
        /// Decided by the final head.
        var next = Hop.Next.stay
        /// Bytes of a body that nobody wants.
        var discarded = 0
        /// The answer that a login followed.
        var challenge: HTTPURLResponse?
    }

    private let task: TransferTask
    private let receiver: any TransferTaskReceiver
    private let memory: CredentialMemory?
    /// Only the transport's thread asks, so nobody ever waits for this.
    private let contents = Mutex(Contents())
    /// How much of a redirect's body is read, so that the connection can be used again.
    private static let patience = 64 * 1024

    init(task: TransferTask, receiver: any TransferTaskReceiver, memory: CredentialMemory?) {
        self.task = task
        self.receiver = receiver
        self.memory = memory
    }

    func receive(_ head: TransferHead) {
        if let memory { note(head, memory) }
        guard head.kind == .final else { return receiver.task(task, didReceiveInterim: head) }
        let next = task.decide(head.response)
        contents.withLock { $0.next = next }
        if case .stay = next {
            receiver.task(task, didReceive: head.response)
        } else {
            receiver.task(task, didReceiveRedirect: head.response)
        }
    }

    private func note(_ head: TransferHead, _ memory: CredentialMemory) {
        if head.kind == .intermediate {
            contents.withLock { $0.challenge = $0.challenge ?? head.response }
        } else if head.kind == .final, let challenge = contents.withLock({ $0.challenge }) {
            memory.note(challenge: challenge, answer: head.response)
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let isWanted = contents.withLock { contents in
            if case .stay = contents.next { return true }
            contents.discarded += bytes.count
            return false
        }
        guard isWanted else { return contents.withLock({ $0.discarded }) > Self.patience ? .stop : .proceed }
        let flow = receiver.task(task, didReceive: bytes)
        if flow == .proceed { task.didReceive(bytes.count) }
        return flow
    }

    func didSend(_ bytes: Int64, of total: Int64?) {
        task.didSend(bytes)
        receiver.task(task, didSend: bytes, of: total)
    }

    func finish(_ outcome: TransferOutcome) { task.finishHop(outcome, next: contents.withLock({ $0.next })) }
}
