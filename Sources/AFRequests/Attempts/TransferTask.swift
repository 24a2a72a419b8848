public import AFHTTP
public import AFTransport
internal import Synchronization

/// One attempt at a request: the transfers of its first hop and of all redirects.
///
/// Replaces Alamofire's `URLSessionTask`.
public final class TransferTask: Sendable, Identifiable {
    /// The state of a task, named as in URLSession.
    public enum State: Hashable, Sendable { case suspended, running, canceling, completed }

    struct MutableState {
        var state: AttemptState
        /// Retained until the task has ended.
        var owner: (any AttemptOwner)?
        /// Created by the first change of the state: it retains the task until its end, and an unused task has none.
        var runner: AttemptRunner?
    }

    /// The identifier, unique within the session.
    public let id: Int
    /// The request of the first hop.
    public let originalRequest: URLRequest
    let settings: TransferSettings
    let transport: any Transport
    let mutableState: OrderedMutex<MutableState>
    let received = Atomic<Int64>(0)

    init(
        id: Int,
        hop: Hop,
        settings: TransferSettings,
        transport: any Transport,
        owner: any AttemptOwner
    ) {
        self.id = id
        originalRequest = hop.request
        self.settings = settings
        self.transport = transport
        mutableState = OrderedMutex(MutableState(state: AttemptState(hop: hop), owner: owner))
    }

    /// The state of the task.
    public var state: State { mutableState.withLock({ $0.state.taskState }) }
    /// The request of the latest hop.
    public var currentRequest: URLRequest { mutableState.withLock({ $0.state.hop.request }) }
    /// The latest response header, including a redirect's.
    public var response: HTTPURLResponse? { mutableState.withLock({ $0.state.response }) }
    /// The number of request body bytes sent in the latest hop.
    public var countOfBytesSent: Int64 { mutableState.withLock({ $0.state.sentBytes }) }
    /// The number of body bytes received from the final response so far, after decoding.
    public var countOfBytesReceived: Int64 { received.load(ordering: .relaxed) }

    /// The body of the latest hop; `nil` for none.
    public var body: BodySource? { mutableState.withLock({ $0.state.hop.body }) }
    /// Whether credentials were sent to the origin of the latest response.
    var carriesCredentials: Bool { mutableState.withLock({ $0.state.hop.carriesCredentials }) }

    /// Starts or resumes the task.
    public func resume() { set(.running)?.perform {} }

    /// Stops sending and receiving until ``resume()``.
    public func suspend() { set(.suspended)?.perform {} }

    /// Cancels the task; the request ends with `AFError.explicitlyCancelled`.
    public func cancel() { set(.canceled)?.perform {} }

    /// A change of the desired state.
    struct Change {
        fileprivate let runner: AttemptRunner
        fileprivate let action: AttemptState.DesiredAction

        /// Performs the change, which must be done without locks.
        ///
        /// - Parameter announce: Called first, unless the transfer has ended before.
        func perform(_ announce: () -> Void) {
            if case .release = action {} else { announce() }
            runner.perform(action)
        }
    }

    /// Sets the desired state. Canceling is final.
    ///
    /// - Returns: The change, which must be performed; `nil` for none.
    func set(_ desired: ChainControl.State) -> Change? {
        mutableState.withLock { mutableState in
            guard let owner = mutableState.owner, let action = mutableState.state.set(desired, at: .now) else {
                return nil
            }
            let runner = mutableState.runner ?? AttemptRunner(self, of: owner)
            mutableState.runner = runner
            return Change(runner: runner, action: action)
        }
    }

    /// Lets the body and the end of the final response wait for ``release(isAccepted:)``. For the owner, while it receives
    /// the header.
    func hold() { mutableState.withLock { $0.state.hold() } }

    /// Continues after ``hold()``. Must follow the cancellation if the response is not accepted.
    func release(isAccepted: Bool) {
        let (runner, action) = mutableState.withLock { ($0.runner, $0.state.release(isAccepted: isAccepted)) }
        if let action { runner?.perform(action) }
    }

    /// Continues after the owner paused the body.
    package func drain() { mutableState.withLock({ $0.state.drain() })?.drain() }

    // For the runner

    /// The runner; `nil` before the first change of the state, and after the end.
    var runner: AttemptRunner? { mutableState.withLock { $0.runner } }

    func releaseOwner() { _ = mutableState.withLock { ($0.owner.take(), $0.runner.take()) } }

    /// Returns the control of a transfer; `nil` if it is not the latest one, or still starting.
    func control(ofTransfer number: Int) -> (any TransferControl)? {
        mutableState.withLock { $0.state.control(ofTransfer: number) }
    }
}
