public import AFHTTP
public import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A transport without network: the test determines the events of each transfer.
///
/// ```swift
/// let transport = ScriptedTransport { $0.respond(200, body: "hello") }
/// let session = Session(transport: transport)
/// ```
///
/// Without a script, transfers wait for the test's response: `try await transport.exchange(1).respond(200)`.
public final class ScriptedTransport: Transport {
    /// Responds to a transfer; called on the transport's thread.
    public typealias Script = @Sendable (Exchange) -> Void

    private struct State {
        var exchanges: [Exchange] = []
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let script: Script
    /// The serial queue of all calls of sinks, like the loop's thread.
    fileprivate let queue = DispatchQueue(label: "scripted transport")

    public init(_ script: @escaping Script = { _ in }) { self.script = script }

    /// All transfers so far, in order.
    public var exchanges: [Exchange] { state.withLock(\.exchanges) }
    public var isShutDown: Bool { state.withLock(\.isShutDown) }

    /// Waits for a transfer and returns it; the first has the number 1.
    public nonisolated(nonsending) func exchange(_ number: Int = 1) async throws -> Exchange {
        try await eventually("transfer \(number) has started") { exchanges.count >= number }
        return exchanges[number - 1]
    }

    public func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        let (exchange, isShutDown) = state.withLock { state in
            let exchange = Exchange(transfer, sink, queue)
            state.exchanges.append(exchange)
            return (exchange, state.isShutDown)
        }
        if isShutDown {
            exchange.finish(TransferFailure(.shutDown, "the transport was shut down"))
        } else {
            queue.async { self.script(exchange) }
        }
        return exchange
    }

    public func cookies() async -> [HTTPCookie] { [] }
    public func setCookies(_ cookies: [HTTPCookie]) {}
    public func deleteAllCookies() {}

    public func shutdown() {
        let exchanges = state.withLock { state in
            state.isShutDown = true
            return state.exchanges
        }
        for exchange in exchanges { exchange.finish(TransferFailure(.shutDown, "the transport was shut down")) }
    }

    /// A transfer whose events can be sent from any thread, and arrive in order.
    public final class Exchange: TransferControl {
        public enum Command: Hashable, Sendable { case cancel, suspend, resume, drain }

        private struct Contents {
            var sink: (any TransferSink)?
            var commands: [Command] = []
            var unsent: [[UInt8]] = []
            var isPaused = false
            var outcome: TransferOutcome?
        }

        public let transfer: Transfer
        private let queue: DispatchQueue
        private let contents: Mutex<Contents>

        fileprivate init(_ transfer: Transfer, _ sink: any TransferSink, _ queue: DispatchQueue) {
            self.transfer = transfer
            self.queue = queue
            contents = Mutex(Contents(sink: sink))
        }

        /// The calls of the transfer's control so far.
        public var commands: [Command] { contents.withLock(\.commands) }
        public var isFinished: Bool { contents.withLock { $0.sink == nil } }
        /// Whether the sink has paused the transfer.
        public var isPaused: Bool { contents.withLock(\.isPaused) }

        /// Sends a complete response.
        public func respond(_ status: Int, headers: HTTPHeaders = [], body: String = "") {
            receiveHead(status, headers: headers)
            receive(Array(body.utf8))
            finish()
        }

        public func receiveHead(_ status: Int = 200, headers: HTTPHeaders = [], kind: TransferHead.Kind = .final) {
            let url = transfer.url.text
            tell { $0.receive(TransferHead(kind: kind, response: .scripted(url, status, headers))) }
        }

        /// Sends a chunk of the body.
        public func receive(_ bytes: [UInt8]) {
            guard !bytes.isEmpty else { return }
            queue.async {
                self.contents.withLock { $0.unsent.append(bytes) }
                self.deliver()
            }
        }

        public func send(_ bytes: Int64, of total: Int64? = nil) { tell { $0.didSend(bytes, of: total) } }

        /// Ends the transfer after the sink has received the body.
        public func finish(_ failure: TransferFailure? = nil) {
            let metrics = TransactionMetrics(transfer)
            queue.async {
                self.contents.withLock { contents in
                    contents.outcome = contents.outcome ?? TransferOutcome(failure: failure, metrics: metrics)
                    if failure != nil { (contents.unsent, contents.isPaused) = ([], false) }
                }
                self.deliver()
            }
        }

        public func cancel() {
            record(.cancel)
            finish(TransferFailure(.cancelled, "the transfer was canceled"))
        }

        public func suspend() { record(.suspend) }
        public func resume() { record(.resume) }

        public func drain() {
            record(.drain)
            queue.async {
                self.contents.withLock { $0.isPaused = false }
                self.deliver()
            }
        }

        private func record(_ command: Command) { contents.withLock { $0.commands.append(command) } }

        private func tell(_ event: @escaping @Sendable (any TransferSink) -> Void) {
            queue.async { if let sink = self.contents.withLock(\.sink) { event(sink) } }
        }

        private func deliver() {
            while let (piece, sink) = contents.withLock({ contents -> ([UInt8], any TransferSink)? in
                guard !contents.isPaused, let sink = contents.sink, let piece = contents.unsent.first else {
                    return nil
                }
                return (piece, sink)
            }) {
                switch piece.withUnsafeBytes({ sink.receive($0) }) {
                case .proceed: contents.withLock { _ = $0.unsent.removeFirst() }
                case .pause: contents.withLock { $0.isPaused = true }
                case .stop: end(with: TransferFailure(.stopped, "the receiver stopped the transfer"))
                }
            }
            finishIfDue()
        }

        private func end(with failure: TransferFailure) {
            let metrics = TransactionMetrics(transfer)
            contents.withLock { contents in
                contents.unsent = []
                contents.outcome = TransferOutcome(failure: failure, metrics: metrics)
            }
        }

        private func finishIfDue() {
            let end = contents.withLock { contents -> (TransferOutcome, any TransferSink)? in
                guard contents.unsent.isEmpty, let outcome = contents.outcome, let sink = contents.sink.take() else {
                    return nil
                }
                return (outcome, sink)
            }
            if let (outcome, sink) = end { sink.finish(outcome) }
        }
    }
}

extension HTTPURLResponse {
    fileprivate static func scripted(_ url: String, _ status: Int, _ headers: HTTPHeaders) -> HTTPURLResponse {
        HTTPURLResponse(url: URL(string: url), statusCode: status, headers: headers)
    }
}
