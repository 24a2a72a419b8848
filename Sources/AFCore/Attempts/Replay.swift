internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Delivers a stored response to a sink, like a transport.
final class Replay: TransferControl {
    private struct Contents {
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
    private let contents: Mutex<Contents>
    /// The sink is called serially, and never by the thread that started the replay.
    private let queue = DispatchQueue(label: "org.afcli.cache.replay")
    private static let pieceSize = 64 << 10

    private init(_ head: HTTPURLResponse?, _ body: Data, _ outcome: TransferOutcome, _ sink: any TransferSink) {
        self.body = body
        contents = Mutex(Contents(sink: sink, head: head, outcome: outcome))
    }

    /// Starts a replay.
    ///
    /// - Parameters:
    ///   - head: The header; `nil` if there is only an outcome.
    ///   - outcome: The outcome, unless the replay is cancelled or the sink stops it.
    static func start(
        _ head: HTTPURLResponse?,
        body: Data,
        _ outcome: TransferOutcome,
        into sink: any TransferSink
    ) -> Replay {
        let replay = Replay(head, body, outcome, sink)
        replay.goOn()
        return replay
    }

    func cancel() { end(with: TransferFailure(.cancelled, "the request was cancelled")) }
    func suspend() { contents.withLock { $0.isSuspended = true } }

    func resume() {
        contents.withLock { $0.isSuspended = false }
        goOn()
    }

    func drain() {
        contents.withLock { $0.isPaused = false }
        goOn()
    }

    private func goOn() {
        queue.async {
            while let (step, sink) = self.nextStep() { self.take(step, sink) }
        }
    }

    private func nextStep() -> (Step, any TransferSink)? {
        contents.withLock { contents in
            guard let sink = contents.sink else { return nil }
            let isBroken = contents.outcome.failure != nil
            if !isBroken, contents.isSuspended || contents.isPaused { return nil }
            if !isBroken, let head = contents.head.take() { return (.head(head), sink) }
            if !isBroken, contents.offset < body.count {
                // The sink may drain before its result is processed.
                contents.isPaused = true
                return (.body(contents.offset..<min(contents.offset + Self.pieceSize, body.count)), sink)
            }
            contents.sink = nil
            return (.end(contents.outcome), sink)
        }
    }

    private func take(_ step: Step, _ sink: any TransferSink) {
        switch step {
        case .head(let head):
            sink.receive(TransferHead(kind: .final, response: head))
        case .body(let range):
            switch body.withUnsafeBytes({ sink.receive(UnsafeRawBufferPointer(rebasing: $0[range])) }) {
            case .proceed: contents.withLock { ($0.offset, $0.isPaused) = (range.upperBound, false) }
            case .pause: break
            case .stop: end(with: TransferFailure(.stopped, "the receiver wanted no more"))
            }
        case .end(let outcome):
            sink.finish(outcome.metrics.resourceFetchType == .localCache ? outcome.lasting(since: start) : outcome)
        }
    }

    private func end(with failure: TransferFailure) {
        contents.withLock { contents in
            contents.outcome = TransferOutcome(failure: failure, metrics: contents.outcome.metrics)
        }
        goOn()
    }
}

extension TransferOutcome {
    /// Returns the outcome with the time since the start.
    fileprivate func lasting(since start: ContinuousClock.Instant) -> TransferOutcome {
        var metrics = metrics
        metrics.responseEnd = (ContinuousClock.now - start) / .seconds(1)
        return TransferOutcome(failure: failure, metrics: metrics, trailers: trailers)
    }
}
