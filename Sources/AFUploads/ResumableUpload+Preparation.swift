internal import AFHTTP
internal import AFRequests
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The work before an exchange: opening the file, and computing digests.
extension ResumableUpload {
    /// The queue that reads files: digests of large ones must not block other requests of the session.
    static let queue = DispatchQueue(label: "org.afcli.uploads", attributes: .concurrent)

    package func prepareExchange(then completion: @escaping @Sendable () -> Void) {
        Self.queue.async { [self] in
            let base = Result<URLRequest, any Error> { () throws -> URLRequest in
                let base = try request.asURLRequest()
                try prepare(base)
                return base
            }
            state.withLock { $0.base = base }
            completion()
        }
    }

    /// Opens the file before the first exchange, and computes the digests that the next one needs.
    func prepare(_ base: URLRequest) throws {
        // Attempts follow each other, and only they open the file.
        let isNew = state.withLock { $0.opened == nil }
        let (new, restart): (Opened?, UploadRestart?) = isNew ? try open(base) : (nil, nil)
        let isSent = isSent
        let opened = state.withLock { state -> (any UploadContent)? in
            if let new { state.opened = new }
            // The request ended while the file was being opened.
            if state.lanes.isOver, state.lanes.requests.isEmpty { new?.source.unlock() }
            if state.isOutstanding { state.opened?.machine.interrupt(isSent: isSent) }
            state.isOutstanding = false
            return new?.source
        }
        // Outside of the lock: the handler may ask for the resume data, and the digest reads the file.
        if let restart { onEvent(.restarted(restart)) }
        do {
            if let digest = try opened?.verify(options.digests, while: { !hasEnded }) {
                state.withLock { $0.opened?.machine.verify(digest) }
            }
        } catch {
            state.withLock { $0.opened = nil }
            throw error
        }
        while let (source, algorithm, range) = state.withLock({ state in
            state.changeMachine { $0.reserve() }
            return state.opened.flatMap { opened in
                opened.machine.undigestedRange.map { (opened.source, opened.machine.digestAlgorithm, $0) }
            }
        }) {
            let digest = source.digest(algorithm, of: range, while: { !hasEnded })
            // Otherwise, it would be one that cannot be computed.
            if hasEnded { throw CancellationError() }
            // Meanwhile, the response to a lane may have made another digest necessary.
            state.withLock { state in
                guard let machine = state.opened?.machine, machine.undigestedRange == range,
                    machine.digestAlgorithm == algorithm
                else { return }
                state.opened?.machine.record(digest: digest)
            }
        }
    }

    /// Whether the request needs no further exchange.
    private var hasEnded: Bool {
        state.withLock(\.request).map { $0.isCancelled || $0.isDone } ?? false
    }
}
