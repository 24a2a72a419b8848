internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The state of an attempt between the calls of the program, the transport and the handlers, and its rules: facts go in, an
/// action comes out.
///
/// A value without I/O, clock and callbacks. ``AttemptRunner`` reports the facts and performs the actions.
///
///     unstarted ─► head ─► reporting ─► held ─► final ─► ended
///                   ▲       │    ▲  └─► redirected ─┘ │
///                   │       ▼    │                    │
///                   │      deciding                   │
///                   └─────────────────────────────────┘
struct AttemptState {
    /// A time on both clocks.
    struct Time {
        let date: Date
        /// The monotonic time in nanoseconds.
        let uptime: UInt64

        static var now: Time { Time(date: .now, uptime: monotonicNanoseconds()) }
    }

    /// The end of an attempt.
    struct Completion {
        let failure: AttemptFailure?
        let metrics: TransferMetrics
    }

    /// The use of a credential in a hop.
    struct Authentication {
        let recorder: CredentialRecorder
        /// The server's challenge that authentication followed; a proxy's may have preceded it.
        var challenge: HTTPURLResponse?
    }

    private enum Phase {
        /// No transfer was started.
        case unstarted
        /// The header of the final response is awaited.
        case head
        /// A redirect handler decides about the header.
        case deciding(Waiting)
        /// The owner is being informed about the header.
        case reporting(Waiting)
        /// The body of the final response waits until the owner accepts the header.
        ///
        /// - Parameter ended: The metrics if the transfer has ended, successfully.
        case held(ended: TransferMetrics?)
        /// The body of the final response is received.
        case final
        /// The body of a redirect is discarded, before the next hop or the failure.
        case redirected(Result<Hop, RedirectFailure>, discarded: Int)
        case ended
    }

    /// The events of a transfer that wait for the decision about its header.
    private struct Waiting {
        /// Whether body bytes wait.
        var isBodyPaused = false
        var outcome: TransferOutcome?
        /// Whether the owner has still to accept the header, while it is being reported.
        var isHeld = false
    }

    /// The number of bytes of a redirect's body that are read so that the connection can be reused.
    static let discardLimit = 64 * 1024

    /// The latest hop.
    private(set) var hop: Hop
    /// The latest response header, including a redirect's.
    private(set) var response: HTTPURLResponse?
    /// The number of sent body bytes of the hop.
    private(set) var sentBytes: Int64 = 0
    /// The control of the hops' transfers, with the state that the program asked for.
    private var chain = ChainControl()
    private var phase = Phase.unstarted
    private var start: Time?
    private var authentication: Authentication?
    private var transactions: [TransactionMetrics] = []

    init(hop: Hop) { self.hop = hop }

    /// The state, named as in URLSession.
    var taskState: TransferTask.State {
        if hasEnded { return .completed }
        return switch chain.desired {
        case nil, .suspended: .suspended
        case .running: .running
        case .canceled: .canceling
        }
    }

    /// Whether the last transfer has ended.
    private var hasEnded: Bool {
        switch phase {
        case .ended, .held(ended: .some): true
        default: false
        }
    }

    /// Ends the attempt.
    ///
    /// - Parameter last: The metrics of the last hop, if it was started.
    mutating func end(
        _ failure: AttemptFailure?,
        after last: TransactionMetrics? = nil,
        at now: Time
    ) -> Completion {
        phase = .ended
        chain.end()
        if let last { transactions.append(last) }
        let start = start?.date ?? now.date
        let interval = DateInterval(start: start, end: max(start, now.date))
        return Completion(
            failure: failure,
            metrics: TransferMetrics(taskInterval: interval, transactionMetrics: transactions)
        )
    }
}

/// The calls of the program, and the start of hops.
extension AttemptState {
    enum DesiredAction {
        /// Report the change, and start the first hop.
        case start
        /// Report the change, and forward the state to the transfer.
        case forward
        /// Report the change, and complete.
        case complete(Completion)
        /// Complete; there is no change to report, as the transfer has ended before.
        case release(Completion)
    }

    /// Sets the desired state; returns `nil` if that is no change.
    mutating func set(_ desired: ChainControl.State, at now: Time) -> DesiredAction? {
        if case .held(let metrics?) = phase, desired == .canceled {
            phase = .ended
            return .release(Completion(failure: nil, metrics: metrics))
        }
        guard !hasEnded, chain.set(desired) else { return nil }
        switch (desired, phase) {
        case (.running, .unstarted):
            start = now
            phase = .head
            return .start
        case (.canceled, .unstarted):
            let failure = TransferFailure(.cancelled, "the request was canceled before it started")
            return .complete(end(.transfer(failure), at: now))
        case (.canceled, .deciding(let waiting)):
            // A running transfer ends by itself.
            guard let outcome = waiting.outcome else { return .forward }
            return .complete(end(.canceled, after: outcome.metrics, at: now))
        default: return .forward
        }
    }

    /// Begins the transfer of the latest hop.
    ///
    /// - Returns: The hop, the number of its transfer, and the seconds since the start of the first hop; 0 for that one.
    mutating func beginHop(at now: Time) -> (hop: Hop, number: Int, elapsedTime: Double) {
        let elapsed = hop.number == 0 ? 0 : Double(now.uptime - (start?.uptime ?? now.uptime)) / 1e9
        return (hop, chain.begin(), elapsed)
    }

    /// Records that the credential of the hop is stored after the server has accepted it.
    mutating func authenticate(_ recorder: CredentialRecorder) { authentication = Authentication(recorder: recorder) }

    /// Goes to the next hop, after its body was rewound. It is then reported and started.
    ///
    /// - Returns: The end, if the attempt was canceled.
    mutating func follow(_ next: Hop, after metrics: TransactionMetrics, at now: Time) -> Completion? {
        if chain.desired == .canceled { return end(.canceled, after: metrics, at: now) }
        transactions.append(metrics)
        (hop, phase, authentication, sentBytes) = (next, .head, nil, 0)
        return nil
    }
}

/// The control of the transfers, whose calls are those of ``ChainControl``.
extension AttemptState {
    mutating func register(_ control: any TransferControl, as number: Int) -> ChainControl.Call? {
        chain.register(control, as: number)
    }

    mutating func nextCall() -> ChainControl.Call? { chain.nextCall() }
    mutating func callAfterLast() -> ChainControl.Call? { chain.callAfterLast() }
    mutating func drain() -> (any TransferControl)? { chain.drain() }
    func control(ofTransfer number: Int) -> (any TransferControl)? { chain.control(of: number) }
}

/// The header, and the decision about a redirect.
extension AttemptState {
    enum HeadAction {
        /// Nothing: the attempt has ended before.
        case none
        /// Report a header before the final one.
        case reportInterim
        /// Record the authentication, report the header, and call ``decide(_:at:)``.
        case report(Authentication?)
        /// Record the authentication, and evaluate the header.
        case evaluate(Hop, Authentication?)
    }

    mutating func receiveHead(_ head: TransferHead) -> HeadAction {
        if hasEnded { return .none }
        guard head.kind == .final else {
            if head.kind == .intermediate, head.response.statusCode == 401, authentication?.challenge == nil {
                authentication?.challenge = head.response
            }
            return .reportInterim
        }
        response = head.response
        phase = .reporting(Waiting())
        return hop.isConcerned(by: head.response) ? .evaluate(hop, authentication) : .report(authentication)
    }

    /// Waits for a redirect handler.
    mutating func askHandler() {
        if case .reporting(let waiting) = phase { phase = .deciding(waiting) }
    }

    /// Accepts the reply of a redirect handler; returns `false` if it is too late.
    ///
    /// - Parameter number: The number of the hop that the handler was asked about.
    mutating func acceptReply(about number: Int) -> Bool {
        guard case .deciding(let waiting) = phase, hop.number == number, chain.desired != .canceled else {
            return false
        }
        phase = .reporting(waiting)
        return true
    }

    enum DecisionAction {
        case none
        /// Let the body continue.
        case drain
        /// End the transfer of this number, a redirect's, if its body takes too long.
        case discard(number: Int, drains: Bool)
        /// The transfer has ended before.
        case end(EndAction)
    }

    /// Records the decision about a header, after it was reported.
    ///
    /// - Parameter next: The next hop or failure; `nil` if the response is final.
    mutating func decide(_ next: Result<Hop, RedirectFailure>?, at now: Time) -> DecisionAction {
        guard case .reporting(let waiting) = phase else { return .none }
        phase = next.map { .redirected($0, discarded: 0) } ?? (waiting.isHeld ? .held(ended: nil) : .final)
        if let outcome = waiting.outcome { return .end(finish(outcome, at: now)) }
        if next != nil { return .discard(number: chain.number, drains: waiting.isBodyPaused) }
        return waiting.isBodyPaused && !waiting.isHeld ? .drain : .none
    }

    /// Lets the body and the end of the response wait for ``release(isAccepted:)``. Has an effect while the header is being
    /// reported.
    mutating func hold() {
        if case .reporting = phase { updateWaiting { $0.isHeld = true } }
    }

    enum ReleaseAction {
        /// Let the body continue.
        case drain
        case complete(Completion)
    }

    /// Handles the owner's decision about the header.
    ///
    /// A rejected response waits until the transfer was canceled: bytes may arrive before that.
    mutating func release(isAccepted: Bool) -> ReleaseAction? {
        switch phase {
        case .held(let metrics?):
            phase = .ended
            return .complete(Completion(failure: nil, metrics: metrics))
        case .held where isAccepted:
            phase = .final
            return .drain
        case .reporting where isAccepted:
            updateWaiting { $0.isHeld = false }
            return nil
        default: return nil
        }
    }
}

/// The body, and the end of a transfer.
extension AttemptState {
    enum BodyAction: Equatable {
        case deliver
        case pause
        /// Report the bytes of a redirect, and drop them.
        case discard(isLast: Bool)
        /// End the transfer, as bytes without a header are no response.
        case stop
    }

    mutating func receiveBody(_ count: Int) -> BodyAction {
        switch phase {
        case .final: return .deliver
        case .redirected(let next, let discarded):
            phase = .redirected(next, discarded: discarded + count)
            return .discard(isLast: discarded + count > Self.discardLimit)
        case .held: return .pause
        case .deciding, .reporting:
            pauseBody()
            return .pause
        case .unstarted, .head, .ended: return .stop
        }
    }

    enum DecodingAction {
        /// The owner decides.
        case ask
        case decode
        /// Wait until the decision about the header.
        case wait
    }

    /// Decides whether the codings of a body are decoded. That of a redirect is discarded, and shown to observers.
    mutating func decodesBody() -> DecodingAction {
        switch phase {
        case .held, .final: return .ask
        case .deciding, .reporting:
            pauseBody()
            return .wait
        case .redirected, .unstarted, .head, .ended: return .decode
        }
    }

    private mutating func pauseBody() {
        updateWaiting { $0.isBodyPaused = true }
    }

    private mutating func updateWaiting(_ change: (inout Waiting) -> Void) {
        switch phase {
        case .deciding(var waiting):
            change(&waiting)
            phase = .deciding(waiting)
        case .reporting(var waiting):
            change(&waiting)
            phase = .reporting(waiting)
        default: break
        }
    }

    /// Whether the final response's body is received.
    var isFinal: Bool {
        switch phase {
        case .held, .final: true
        default: false
        }
    }

    /// Records the number of sent body bytes; returns the number of those that were not reported before.
    mutating func didSend(_ bytes: Int64) -> Int64 {
        // An authentication round sends the body from its first byte.
        let before = bytes < sentBytes ? 0 : sentBytes
        sentBytes = bytes
        return bytes - before
    }

    enum EndAction {
        /// Nothing: the attempt has ended before.
        case none
        /// Wait for the decision about the header.
        case wait
        case complete(Completion)
        /// Rewind the body of the next hop, and call ``follow(_:after:at:)``.
        case follow(Hop, TransactionMetrics)
    }

    /// Decides what follows the end of a transfer.
    mutating func finish(_ outcome: TransferOutcome, at now: Time) -> EndAction {
        let failure = outcome.failure
        switch phase {
        case .ended, .held(ended: .some): return .none
        case .deciding where failure?.kind.endsAttempt != true && chain.desired != .canceled, .reporting:
            updateWaiting { $0.outcome = outcome }
            return .wait
        case .deciding where failure?.kind.endsAttempt != true:
            return .complete(end(.canceled, after: outcome.metrics, at: now))
        case .redirected(.failure(let refusal), _):
            return .complete(end(.redirect(refusal), after: outcome.metrics, at: now))
        // The redirect's own body and its failure are irrelevant.
        case .redirected(.success(let next), _) where failure?.kind.endsChain != true:
            return .follow(next, outcome.metrics)
        case .held where failure == nil && chain.desired != .canceled:
            phase = .held(ended: end(nil, after: outcome.metrics, at: now).metrics)
            return .wait
        case .redirected, .unstarted, .head, .deciding, .held, .final:
            return .complete(end(failure.map(AttemptFailure.transfer), after: outcome.metrics, at: now))
        }
    }
}

extension AttemptFailure {
    /// The failure of an attempt that is canceled without a transfer to cancel.
    fileprivate static var canceled: Self { .transfer(TransferFailure(.cancelled, "the request was canceled")) }
}
