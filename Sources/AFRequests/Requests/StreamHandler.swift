internal import AFHTTP
internal import Synchronization

/// The conversion of chunks to values.
struct StreamConversion<Success: Sendable, Failure: Error>: Sendable {
    /// Returns the value of a chunk; `nil` if it is incomplete.
    let convert: @Sendable (BodyChunk) -> Result<Success, Failure>?
    /// Returns the value of the remaining bytes at the end of the body; `nil` if no bytes remain.
    var finish: @Sendable (DataStreamRequest) -> Result<Success, Failure>? = { _ in nil }
    var restart: @Sendable () -> Void = {}
}

/// A handler of a stream: receives its events one at a time and in order, even on concurrent queues.
final class StreamHandler<Success: Sendable, Failure: Error>: BodyConsumer {
    typealias Stream = DataStreamRequest.Stream<Success, Failure>
    /// Calls `release` when the value no longer applies back-pressure.
    typealias Handler = @Sendable (_ stream: Stream, _ release: @escaping @Sendable () -> Void) throws -> Void

    private let conversion: StreamConversion<Success, Failure>
    private let conversions: OrderedQueue
    private let calls: OrderedQueue
    private let token: DataStreamRequest.CancellationToken
    private let handler: Handler
    private let hasThrown = Atomic(false)

    init(
        _ conversion: StreamConversion<Success, Failure>,
        on conversionQueue: CallbackQueue,
        calling queue: CallbackQueue,
        token: DataStreamRequest.CancellationToken,
        _ handler: @escaping Handler
    ) {
        self.conversion = conversion
        self.conversions = OrderedQueue(conversionQueue)
        self.calls = OrderedQueue(queue)
        self.token = token
        self.handler = handler
    }

    func receive(_ chunk: BodyChunk) {
        conversions.async { [self] in
            guard let result = conversion.convert(chunk) else { return chunk.release() }
            calls.async { self.report(result, of: chunk.request, release: chunk.release) }
        }
    }

    func restart() { conversions.async { self.conversion.restart() } }

    func drain(_ request: DataStreamRequest, then completion: @escaping @Sendable () -> Void) {
        conversions.async { [self] in
            let rest = conversion.finish(request)
            calls.async { [self] in
                if let rest { report(rest, of: request) {} }
                completion()
            }
        }
    }

    /// An error thrown by the handler now has no effect.
    func complete(_ completion: DataStreamRequest.Completion) {
        calls.async { [self] in try? handler(stream(.complete(completion))) {} }
    }

    private func report(
        _ result: Result<Success, Failure>,
        of request: DataStreamRequest,
        release: @escaping @Sendable () -> Void
    ) {
        guard !hasThrown.load(ordering: .relaxed) else { return release() }
        do {
            try handler(stream(.stream(result)), release)
        } catch {
            hasThrown.store(true, ordering: .relaxed)
            request.end(with: error)
        }
    }

    private func stream(_ event: DataStreamRequest.Event<Success, Failure>) -> Stream {
        Stream(event: event, token: token)
    }
}
