public import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// One attempt at a request: the transfer of its first hop, and of every redirect after it.
///
/// It stands where `URLSessionTask` stands in Alamofire.
public final class TransferTask: Sendable, Identifiable {
    public enum State: Hashable, Sendable { case suspended, running, canceling, completed }

    private struct Contents {
        var state = State.suspended
        var hop: Hop
        var control: (any TransferControl)?
        var response: HTTPURLResponse?
        var transactions: [TransactionMetrics] = []
        var startDate: Date?
        var sent: Int64 = 0
        var received: Int64 = 0
        /// Held until the task is over.
        var receiver: (any TransferTaskReceiver)?
    }

    /// Unique within the session.
    public let id: Int
    public let originalRequest: URLRequest
    private let settings: TransferSettings
    private let transport: any Transport
    private let contents: Mutex<Contents>

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
        contents = Mutex(Contents(hop: hop, receiver: receiver))
    }

    public var state: State { contents.withLock(\.state) }
    /// The request of the latest hop.
    public var currentRequest: URLRequest { contents.withLock(\.hop.request) }
    /// The latest response head, those of redirects included.
    public var response: HTTPURLResponse? { contents.withLock(\.response) }
    /// Bytes of the request body sent in the latest hop.
    public var countOfBytesSent: Int64 { contents.withLock(\.sent) }
    /// Bytes of the final response's body received so far, after decoding.
    public var countOfBytesReceived: Int64 { contents.withLock(\.received) }

    private var receiver: (any TransferTaskReceiver)? { contents.withLock(\.receiver) }

    /// Starts the task, or lets it go on.
    public func resume() {
        let (isFirst, control) = contents.withLock { contents in
            guard contents.state == .suspended else { return (false, nil as (any TransferControl)?) }
            contents.state = .running
            let isFirst = contents.startDate == nil
            if isFirst { contents.startDate = .now }
            return (isFirst, contents.control)
        }
        if isFirst { startHop() } else { control?.resume() }
    }

    /// Stops sending and receiving until ``resume()``.
    public func suspend() {
        let control = contents.withLock { contents -> (any TransferControl)? in
            guard contents.state == .running else { return nil }
            contents.state = .suspended
            return contents.control
        }
        control?.suspend()
    }

    /// Ends the task; what was asked for ends with `AFError.explicitlyCancelled`.
    public func cancel() {
        let (wasUnstarted, control) = contents.withLock { contents in
            guard contents.state == .running || contents.state == .suspended else {
                return (false, nil as (any TransferControl)?)
            }
            contents.state = .canceling
            return (contents.startDate == nil, contents.control)
        }
        control?.cancel()
        if wasUnstarted { complete(TransferFailure(.cancelled, "the request was cancelled before it started")) }
    }

    /// Goes on after the receiver paused the body.
    func drain() { contents.withLock(\.control)?.drain() }

    // Hops.

    private func startHop() {
        let hop = contents.withLock(\.hop)
        let transfer = settings.transfer(for: hop)
        let control = transport.start(transfer, into: HopSink(task: self))
        let state = contents.withLock { contents in
            contents.control = control
            return contents.state
        }
        // What was asked meanwhile did not find this transfer.
        if state == .canceling { control.cancel() } else if state == .suspended { control.suspend() }
    }

    fileprivate func decide(_ response: HTTPURLResponse) -> Hop.Next {
        let next = contents.withLock { contents in
            contents.response = response
            return contents.hop.next(after: response, by: settings.redirects)
        }
        if case .stay = next {
            receiver?.task(self, didReceive: response)
        } else {
            receiver?.task(self, didReceiveRedirect: response)
        }
        return next
    }

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let flow = receiver?.task(self, didReceive: bytes) ?? .stop
        if flow == .proceed { contents.withLock { $0.received += Int64(bytes.count) } }
        return flow
    }

    fileprivate func didSend(_ bytes: Int64, of total: Int64?) {
        contents.withLock { $0.sent = bytes }
        receiver?.task(self, didSend: bytes, of: total)
    }

    fileprivate func receiveInterim(_ head: TransferHead) { receiver?.task(self, didReceiveInterim: head) }

    fileprivate func finishHop(_ outcome: TransferOutcome, next: Hop.Next) {
        contents.withLock { $0.transactions.append(outcome.metrics) }
        switch next {
        case .stay: complete(outcome.failure)
        case .refuse(let failure): complete(failure)
        case .follow(let hop):
            // The redirect's own body is of no interest; whether all of it came does not matter.
            if let failure = outcome.failure, failure.kind != .stopped { return complete(failure) }
            follow(hop)
        }
    }

    private func follow(_ hop: Hop) {
        guard hop.body?.rewind() ?? true else { return complete(RedirectFailure(reason: .bodyNotRewindable)) }
        receiver?.task(self, willFollowRedirectTo: hop.request)
        let isCancelled = contents.withLock { contents in
            contents.hop = hop
            contents.sent = 0
            contents.control = nil
            return contents.state == .canceling
        }
        if isCancelled { return complete(TransferFailure(.cancelled, "the request was cancelled")) }
        startHop()
    }

    private func complete(_ failure: (any Error)?) {
        let (metrics, receiver) = contents.withLock { contents in
            contents.state = .completed
            contents.control = nil
            let start = contents.startDate ?? .now
            let metrics = TransferMetrics(
                taskInterval: DateInterval(start: start, end: max(start, .now)),
                transactionMetrics: contents.transactions
            )
            return (metrics, contents.receiver.take())
        }
        receiver?.task(self, didComplete: failure, metrics: metrics)
    }
}

/// What a task tells the request it belongs to: on the transport's thread, in order, one call at a time.
protocol TransferTaskReceiver: AnyObject, Sendable {
    /// A response before the final one: 1xx, a round of authentication, a proxy's.
    func task(_ task: TransferTask, didReceiveInterim head: TransferHead)
    func task(_ task: TransferTask, didReceiveRedirect response: HTTPURLResponse)
    func task(_ task: TransferTask, didReceive response: HTTPURLResponse)
    func task(_ task: TransferTask, didReceive bytes: UnsafeRawBufferPointer) -> Flow
    func task(_ task: TransferTask, didSend bytes: Int64, of total: Int64?)
    func task(_ task: TransferTask, willFollowRedirectTo request: URLRequest)
    func task(_ task: TransferTask, didComplete failure: (any Error)?, metrics: TransferMetrics)
}

/// Tells a task what happens to one of its hops.
private final class HopSink: TransferSink {
    private let task: TransferTask
    /// Decided by the final head. Only the transport's thread asks, so nobody ever waits for these.
    private let next = Mutex(Hop.Next.stay)
    private let discarded = Mutex(0)

    init(task: TransferTask) { self.task = task }

    func receive(_ head: TransferHead) {
        guard head.kind == .final else { return task.receiveInterim(head) }
        let decision = task.decide(head.response)
        next.withLock { $0 = decision }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        if case .stay = next.withLock(\.self) { return task.receive(bytes) }
        // A short body is read to its end, so that the connection can be used again.
        return discarded.withLock {
            $0 += bytes.count
            return $0 > 64 * 1024 ? .stop : .proceed
        }
    }

    func didSend(_ bytes: Int64, of total: Int64?) { task.didSend(bytes, of: total) }

    func finish(_ outcome: TransferOutcome) { task.finishHop(outcome, next: next.withLock(\.self)) }
}

extension BodySource {
    /// Makes the body ready to be sent again; `false` where it can be sent only once.
    func rewind() -> Bool {
        switch self {
        case .bytes, .file: true
        case .stream(let stream, _): stream.rewind()
        case .parts(let parts): parts.allSatisfy { $0.rewind() }
        }
    }
}
