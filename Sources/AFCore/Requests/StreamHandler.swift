internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Whoever takes the pieces of a streamed body.
protocol BodyConsumer: AnyObject, Sendable {
    /// A piece, to be let go of with ``DataStreamRequest/didConsume(_:)`` once it holds no memory any more; on the
    /// transport's thread.
    func take(_ piece: BodyPiece)
    /// What comes from here on is of another attempt.
    func startOver()
    /// Calls back once the consumer can no longer fail: no more pieces come, and it has returned from all of them.
    func drain(_ request: DataStreamRequest, then goOn: @escaping @Sendable () -> Void)
    /// The last call.
    func complete(_ completion: DataStreamRequest.Completion)
}

/// A piece of a body on its way to one consumer.
struct BodyPiece: Sendable {
    let data: Data
    let request: DataStreamRequest

    /// Lets more of the body come.
    func release() { request.didConsume(data.count) }
}

/// How the pieces of a body become values.
struct StreamConversion<Success: Sendable, Failure: Error>: Sendable {
    /// The value of a piece; `nil` where there is none before the next one.
    let convert: @Sendable (BodyPiece) -> Result<Success, Failure>?
    /// What was kept back until the end.
    var finish: @Sendable (DataStreamRequest) -> Result<Success, Failure>? = { _ in nil }
    var startOver: @Sendable () -> Void = {}
}

/// One handler of a stream: its events come one at a time and in order, be the queues serial or not.
final class StreamHandler<Success: Sendable, Failure: Error>: BodyConsumer {
    typealias Stream = DataStreamRequest.Stream<Success, Failure>
    /// Calls `release` when the value need not be waited for any more.
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

    func take(_ piece: BodyPiece) {
        conversions.async { [self] in
            guard let result = conversion.convert(piece) else { return piece.release() }
            calls.async { self.tell(result, of: piece.request, release: piece.release) }
        }
    }

    func startOver() { conversions.async { self.conversion.startOver() } }

    func drain(_ request: DataStreamRequest, then goOn: @escaping @Sendable () -> Void) {
        conversions.async { [self] in
            let rest = conversion.finish(request)
            calls.async { [self] in
                if let rest { tell(rest, of: request) {} }
                goOn()
            }
        }
    }

    /// An error that the handler throws now has nothing left to end.
    func complete(_ completion: DataStreamRequest.Completion) {
        calls.async { [self] in try? handler(stream(.complete(completion))) {} }
    }

    private func tell(
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
