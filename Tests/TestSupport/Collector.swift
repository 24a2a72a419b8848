public import AFHTTP
public import AFTransport
internal import Synchronization

/// A sink that records all its calls, and can be awaited.
public final class Collector: TransferSink {
    /// The state at the end of a transfer.
    public struct Record: Sendable {
        public var heads: [TransferHead] = []
        public var body: [UInt8] = []
        public var sent: [Int64] = []
        public var outcome: TransferOutcome?

        /// The header of the final response.
        public var head: HTTPURLResponse? { heads.first { $0.kind == .final }?.response }
        public var status: Int? { head?.statusCode }
        public var text: String { String(decoding: body, as: UTF8.self) }
        public var failure: TransferFailure? { outcome?.failure }
    }

    private struct State {
        var record = Record()
        var finishCount = 0
        var waiters: [CheckedContinuation<Record, Never>] = []
    }

    private let state = Mutex(State())
    private let answer: @Sendable (UnsafeRawBufferPointer, Record) -> Flow

    /// Creates a collector.
    ///
    /// - Parameter answer: Returns the flow for each chunk of the body, given the state before it.
    public init(answer: @escaping @Sendable (UnsafeRawBufferPointer, Record) -> Flow = { _, _ in .proceed }) {
        self.answer = answer
    }

    public var record: Record { state.withLock(\.record) }
    /// The number of calls of the end; more than one is an error of the transport.
    public var finishCount: Int { state.withLock(\.finishCount) }

    public func receive(_ head: TransferHead) { state.withLock { $0.record.heads.append(head) } }

    public func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let flow = answer(bytes, record)
        if flow == .proceed { state.withLock { $0.record.body.append(contentsOf: bytes) } }
        return flow
    }

    public func didSend(_ bytes: Int64, of total: Int64?) { state.withLock { $0.record.sent.append(bytes) } }

    public func finish(_ outcome: TransferOutcome) {
        let (record, waiters) = state.withLock { state in
            state.record.outcome = outcome
            state.finishCount += 1
            defer { state.waiters = [] }
            return (state.record, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: record) }
    }

    /// Returns the record after the end of the transfer.
    public func end() async -> Record {
        await withCheckedContinuation { waiter in
            let record: Record? = state.withLock { state in
                if state.record.outcome != nil { return state.record }
                state.waiters.append(waiter)
                return nil
            }
            if let record { waiter.resume(returning: record) }
        }
    }
}

extension Transport {
    /// Runs a transfer and returns its record.
    public func fetch(_ transfer: Transfer) async -> Collector.Record {
        let collector = Collector()
        _ = start(transfer, into: collector)
        return await collector.end()
    }

    /// Runs a transfer for a valid URL and returns its record.
    public func fetch(
        _ url: String,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [],
        body: BodySource? = nil,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        var options = TransferOptions()
        configure(&options)
        let url = try HTTPURL(parsing: url)
        return await fetch(Transfer(method: method, url: url, headers: headers, body: body, options: options))
    }
}
