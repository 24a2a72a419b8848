internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Delivers a stored response to a sink, like a transport.
final class CachedDelivery: TransferControl {
    private struct State {
        /// Retained until the end.
        var sink: (any TransferSink)?
        /// The header, until it was delivered.
        var head: HTTPURLResponse?
        /// The number of body bytes that the sink accepted.
        var offset = 0
        var isSuspended = false
        /// Whether the sink has paused.
        var isPaused = false
        var outcome: TransferOutcome
    }

    private enum Step {
        case head(HTTPURLResponse)
        case body(Range<Int>)
        case end(TransferOutcome)
    }

    private let body: Data
    private let start = ContinuousClock.now
    private let state: Mutex<State>
    /// The sink is called serially, and never by the thread that started it.
    private let queue = DispatchQueue(label: "org.afcli.cache.delivery")
    private static let chunkSize = 64 << 10

    private init(_ head: HTTPURLResponse?, _ body: Data, _ outcome: TransferOutcome, _ sink: any TransferSink) {
        self.body = body
        state = Mutex(State(sink: sink, head: head, outcome: outcome))
    }

    /// Starts a delivery.
    ///
    /// - Parameters:
    ///   - head: The header; `nil` if there is only an outcome.
    ///   - outcome: The outcome, unless it is canceled or the sink stops it.
    static func start(
        _ head: HTTPURLResponse?,
        body: Data,
        _ outcome: TransferOutcome,
        into sink: any TransferSink
    ) -> CachedDelivery {
        let delivery = CachedDelivery(head, body, outcome, sink)
        delivery.deliver()
        return delivery
    }

    func cancel() { end(with: TransferFailure(.cancelled, "the request was canceled")) }
    func suspend() { state.withLock { $0.isSuspended = true } }

    func resume() {
        state.withLock { $0.isSuspended = false }
        deliver()
    }

    func drain() {
        state.withLock { $0.isPaused = false }
        deliver()
    }

    private func deliver() {
        queue.async {
            while let (step, sink) = self.nextStep() { self.take(step, sink) }
        }
    }

    private func nextStep() -> (Step, any TransferSink)? {
        state.withLock { state in
            guard let sink = state.sink else { return nil }
            let isBroken = state.outcome.failure != nil
            if !isBroken, state.isSuspended || state.isPaused { return nil }
            if !isBroken, let head = state.head.take() { return (.head(head), sink) }
            if !isBroken, state.offset < body.count {
                // Set first: the sink may call `drain()` before its result is processed.
                state.isPaused = true
                return (.body(state.offset..<min(state.offset + Self.chunkSize, body.count)), sink)
            }
            state.sink = nil
            return (.end(state.outcome), sink)
        }
    }

    private func take(_ step: Step, _ sink: any TransferSink) {
        switch step {
        case .head(let head):
            sink.receive(TransferHead(kind: .final, response: head))
        case .body(let range):
            switch body.withUnsafeBytes({ sink.receive(UnsafeRawBufferPointer(rebasing: $0[range])) }) {
            case .proceed: state.withLock { ($0.offset, $0.isPaused) = (range.upperBound, false) }
            case .pause: break
            case .stop: end(with: TransferFailure(.stopped, "the receiver stopped the transfer"))
            }
        case .end(let outcome):
            sink.finish(outcome.metrics.resourceFetchType == .localCache ? outcome.lasting(since: start) : outcome)
        }
    }

    private func end(with failure: TransferFailure) {
        state.withLock { state in
            state.outcome = TransferOutcome(failure: failure, metrics: state.outcome.metrics)
        }
        deliver()
    }
}

extension TransferOutcome {
    /// Returns the outcome with the time since the start.
    fileprivate func lasting(since start: ContinuousClock.Instant) -> TransferOutcome {
        var metrics = metrics
        metrics.responseEnd = (ContinuousClock.now - start) / .seconds(1)
        return TransferOutcome(failure: failure, metrics: metrics)
    }
}
