public import AFHTTP
public import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// One attempt at a request: the transfers of its first hop and of all redirects.
///
/// Replaces Alamofire's `URLSessionTask`.
public final class TransferTask: Sendable, Identifiable {
    /// The state of a task, named as in URLSession.
    public enum State: Hashable, Sendable { case suspended, running, canceling, completed }

    struct MutableState {
        var state = State.suspended
        /// Whether no method was called on the task: it is suspended, and no event was reported.
        var isNew = true
        var hop: Hop
        var progress = HopProgress()
        var response: HTTPURLResponse?
        var transactions: [TransactionMetrics] = []
        var startDate: Date?
        /// The monotonic time in nanoseconds.
        var startTime: UInt64 = 0
        /// Retained until the task has ended.
        var receiver: (any TransferTaskReceiver)?
    }

    /// The identifier, unique within the session.
    public let id: Int
    /// The request of the first hop.
    public let originalRequest: URLRequest
    let settings: TransferSettings
    let transport: any Transport
    let mutableState: Mutex<MutableState>
    let received = Atomic<Int64>(0)
    /// The transfers of all hops.
    let transfers = TransferSequence()

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
    public var countOfBytesSent: Int64 { mutableState.withLock({ $0.progress.sent }) }
    /// The number of body bytes received from the final response so far, after decoding.
    public var countOfBytesReceived: Int64 { received.load(ordering: .relaxed) }

    /// The body of the latest hop; `nil` for none.
    public var body: BodySource? { mutableState.withLock({ $0.hop.body }) }
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
            if !mutableState.isNew { transfers.setDesired(.running) }
            mutableState.isNew = false
            let isFirst = mutableState.startDate == nil
            if isFirst { (mutableState.startDate, mutableState.startTime) = (.now, monotonicNanoseconds()) }
            return (true, isFirst)
        }
        guard isChange else { return }
        announce()
        if isFirst { startHop() } else { transfers.forward() }
    }

    func suspend(_ announce: () -> Void) {
        let isChange = mutableState.withLock { mutableState in
            guard mutableState.state == .running || mutableState.isNew && mutableState.state == .suspended else {
                return false
            }
            mutableState.state = .suspended
            transfers.setDesired(.suspended)
            mutableState.isNew = false
            return true
        }
        guard isChange else { return }
        announce()
        transfers.forward()
    }

    func cancel(_ announce: () -> Void) {
        let (isChange, wasUnstarted) = mutableState.withLock { mutableState in
            guard mutableState.state == .running || mutableState.state == .suspended else { return (false, false) }
            mutableState.state = .canceling
            transfers.setDesired(.cancelled)
            return (true, mutableState.startDate == nil)
        }
        guard isChange else { return }
        announce()
        transfers.forward()
        stopWaiting()
        guard wasUnstarted else { return }
        complete(.transfer(TransferFailure(.cancelled, "the request was canceled before it started")))
    }

    /// Continues after the receiver paused the body.
    func drain() { transfers.drain() }
}
