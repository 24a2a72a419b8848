public import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// One attempt at a request: the transfers of its first hop and of all redirects.
///
/// Replaces Alamofire's `URLSessionTask`.
public final class TransferTask: Sendable, Identifiable {
    /// The state of a task, named as in URLSession.
    public enum State: Hashable, Sendable { case suspended, running, canceling, completed }

    private struct MutableState {
        var state = State.suspended
        /// Whether no method was called on the task: it is suspended, and no event was reported.
        var isNew = true
        var hop: Hop
        /// The control of the hop's transfer; `nil` while it starts.
        var control: (any TransferControl)?
        /// Whether the receiver requested more while there was no control.
        var owesDrain = false
        var response: HTTPURLResponse?
        var transactions: [TransactionMetrics] = []
        var startDate: Date?
        /// The monotonic time in nanoseconds.
        var startTime: UInt64 = 0
        var sent: Int64 = 0
        /// The sink that waits for a redirect handler.
        var asking: HopSink?
        /// Retained until the task has ended.
        var receiver: (any TransferTaskReceiver)?
    }

    /// The identifier, unique within the session.
    public let id: Int
    /// The request of the first hop.
    public let originalRequest: URLRequest
    private let settings: TransferSettings
    private let transport: any Transport
    private let mutableState: Mutex<MutableState>
    private let received = Atomic<Int64>(0)

    init(
        id: Int,
        hop: Hop,
        settings: TransferSettings,
        transport: any Transport,
        receiver: any TransferTaskReceiver
    ) {
        self.id = id
        self.originalRequest = hop.request
        self.settings = settings
        self.transport = transport
        mutableState = Mutex(MutableState(hop: hop, receiver: receiver))
    }

    /// The state of the task.
    public var state: State { mutableState.withLock({ $0.state }) }
    /// The request of the latest hop.
    public var currentRequest: URLRequest { mutableState.withLock({ $0.hop.request }) }
    /// The latest response header, including a redirect's.
    public var response: HTTPURLResponse? { mutableState.withLock({ $0.response }) }
    /// The number of request body bytes sent in the latest hop.
    public var countOfBytesSent: Int64 { mutableState.withLock({ $0.sent }) }
    /// The number of body bytes received from the final response so far, after decoding.
    public var countOfBytesReceived: Int64 { received.load(ordering: .relaxed) }

    /// The body of the latest hop.
    package var body: BodySource? { mutableState.withLock({ $0.hop.body }) }
    /// Whether credentials were sent to the origin of the latest response.
    var carriesCredentials: Bool { mutableState.withLock({ $0.hop.carriesCredentials }) }

    /// Starts or resumes the task.
    public func resume() { resume {} }

    /// Stops sending and receiving until ``resume()``.
    public func suspend() { suspend {} }

    /// Cancels the task; the request ends with `AFError.explicitlyCancelled`.
    public func cancel() { cancel {} }

    /// Resumes the task.
    ///
    /// - Parameter announce: Called before the state changes, if it does.
    func resume(_ announce: () -> Void) {
        let (isChange, isFirst) = mutableState.withLock { mutableState in
            guard mutableState.state == .suspended else { return (false, false) }
            mutableState.state = .running
            mutableState.isNew = false
            let isFirst = mutableState.startDate == nil
            if isFirst { (mutableState.startDate, mutableState.startTime) = (.now, monotonicNanoseconds()) }
            return (true, isFirst)
        }
        guard isChange else { return }
        announce()
        if isFirst { startHop() } else { steer(from: .suspended) }
    }

    func suspend(_ announce: () -> Void) {
        let isChange = mutableState.withLock { mutableState in
            guard mutableState.state == .running || mutableState.isNew && mutableState.state == .suspended else {
                return false
            }
            mutableState.state = .suspended
            mutableState.isNew = false
            return true
        }
        guard isChange else { return }
        announce()
        steer(from: .running)
    }

    func cancel(_ announce: () -> Void) {
        let (isChange, wasUnstarted, asking) = mutableState.withLock { mutableState in
            guard mutableState.state == .running || mutableState.state == .suspended else {
                return (false, false, nil as HopSink?)
            }
            mutableState.state = .canceling
            return (true, mutableState.startDate == nil, mutableState.asking)
        }
        guard isChange else { return }
        announce()
        steer(from: .running)
        asking?.withdraw()
        if wasUnstarted { complete(TransferFailure(.cancelled, "the request was cancelled before it started")) }
    }

    private func steer(from told: State) {
        State.steer(from: told) { mutableState.withLock { ($0.state, $0.control) } }
    }

    /// Continues after the receiver paused the body.
    func drain() {
        let control = mutableState.withLock { mutableState in
            mutableState.owesDrain = mutableState.control == nil
            return mutableState.control
        }
        control?.drain()
    }

    // Hops. Everything below runs on the transport's thread, except for the start of the first hop.

    private func startHop() {
        let (hop, receiver, startTime) = mutableState.withLock { ($0.hop, $0.receiver, $0.startTime) }
        guard let receiver else { return }
        var transfer: Transfer
        do { transfer = try settings.transfer(for: hop) } catch { return complete(error) }
        if hop.number > 0 { transfer.elapsedTime = Double(monotonicNanoseconds() - startTime) / 1e9 }
        let sink = HopSink(task: self, receiver: receiver, memory: settings.credentialMemory(for: hop))
        let control =
            hop.cacheAccess?.start(transfer, into: sink, of: self, over: transport)
            ?? transport.start(transfer, into: sink)
        let (isCurrent, owesDrain) = mutableState.withLock { mutableState in
            // The transfer may have ended already, and the next hop may be in progress.
            guard mutableState.state != .completed, mutableState.hop.number == hop.number else { return (false, false) }
            mutableState.control = control
            defer { mutableState.owesDrain = false }
            return (true, mutableState.owesDrain)
        }
        guard isCurrent else { return }
        // Controls called in the meantime did not reach this transfer.
        if owesDrain { control.drain() }
        steer(from: .running)
    }

    func outlook(after response: HTTPURLResponse) -> Hop.Outlook {
        let hop = mutableState.withLock { mutableState in
            mutableState.response = response
            return mutableState.hop
        }
        // This asks the session's trust manager, which may be the caller's code: it must run without the lock.
        settings.noteStrictTransport(response, of: hop)
        return hop.outlook(after: response, by: settings.redirects)
    }

    func next(_ request: URLRequest, by redirection: Hop.Redirection) -> Hop.Next {
        mutableState.withLock { $0.hop }.next(request, by: redirection, settings.redirects)
    }

    func isAsking(_ sink: HopSink) { mutableState.withLock { $0.asking = sink } }

    func didSettle(_ next: Hop.Next) {
        let number = mutableState.withLock { mutableState in
            mutableState.asking = nil
            return mutableState.hop.number
        }
        switch next {
        case .stay: break
        case .follow, .refuse: abandon(number)
        }
    }

    /// Ends the transfer of a redirect whose body takes too long.
    private func abandon(_ number: Int) {
        DispatchQueue.global().run(after: 1) { [weak self] in
            let control = self?.mutableState.withLock { $0.hop.number == number ? $0.control : nil }
            control?.cancel()
        }
    }

    /// Reports the bytes of a redirect's body to observers of transfer events.
    func didDiscard(_ bytes: UnsafeRawBufferPointer) {
        guard let handler = settings.eventHandler, handler.kinds.contains(.redirectBody) else { return }
        handler.handle(TransferEvent(kind: .redirectBody, bytes: Array(bytes)))
    }

    func didReceive(_ count: Int) { received.add(Int64(count), ordering: .relaxed) }

    /// Records sent body bytes.
    ///
    /// - Returns: The number of bytes that were not sent before.
    func didSend(_ bytes: Int64) -> Int64 {
        mutableState.withLock { mutableState in
            // An authentication round sends the body from its first byte.
            let before = bytes < mutableState.sent ? 0 : mutableState.sent
            mutableState.sent = bytes
            return bytes - before
        }
    }

    func finishHop(_ outcome: TransferOutcome, next: Hop.Next) {
        mutableState.withLock { $0.transactions.append(outcome.metrics) }
        switch next {
        case .stay: complete(outcome.failure)
        case .refuse(let failure): complete(failure)
        case .follow(let hop):
            // The redirect's own body and its failure are irrelevant.
            if let failure = outcome.failure, failure.kind == .shutDown || failure.kind == .totalTimedOut {
                return complete(failure)
            }
            follow(hop)
        }
    }

    private func follow(_ hop: Hop) {
        guard hop.body?.rewind() ?? true else { return complete(RedirectFailure(reason: .bodyNotRewindable)) }
        let (receiver, isCancelled) = mutableState.withLock { mutableState in
            mutableState.hop = hop
            mutableState.sent = 0
            mutableState.control = nil
            return (mutableState.receiver, mutableState.state == .canceling)
        }
        if isCancelled { return complete(TransferFailure(.cancelled, "the request was cancelled")) }
        receiver?.task(self, willFollowRedirectTo: hop.request, with: hop.body)
        startHop()
    }

    private func complete(_ failure: (any Error)?) {
        let (metrics, receiver) = mutableState.withLock { mutableState in
            mutableState.state = .completed
            mutableState.control = nil
            mutableState.asking = nil
            let start = mutableState.startDate ?? .now
            let metrics = TransferMetrics(
                taskInterval: DateInterval(start: start, end: max(start, .now)),
                transactionMetrics: mutableState.transactions
            )
            return (metrics, mutableState.receiver.take())
        }
        receiver?.task(self, didComplete: failure, metrics: metrics)
    }
}

/// The receiver of a task's events, called in order, one call at a time, on the transport's thread.
protocol TransferTaskReceiver: AnyObject, Sendable {
    /// A response before the final one was received: interim, of an authentication round, or a proxy's.
    func task(_ task: TransferTask, didReceiveInterim head: TransferHead)
    /// A redirect was received: calls back with the request to send, or with `nil` to use it as the final response.
    func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    )
    func task(_ task: TransferTask, didReceiveRedirect response: HTTPURLResponse)
    func task(_ task: TransferTask, didReceive response: HTTPURLResponse)
    func task(_ task: TransferTask, didReceive bytes: UnsafeRawBufferPointer) -> Flow
    /// Body bytes were sent.
    ///
    /// - Parameter new: The number of bytes that were not reported before.
    func task(_ task: TransferTask, didSend bytes: Int64, new: Int64, of total: Int64?)
    func task(_ task: TransferTask, willFollowRedirectTo request: URLRequest, with body: BodySource?)
    func task(_ task: TransferTask, didComplete failure: (any Error)?, metrics: TransferMetrics)
}
