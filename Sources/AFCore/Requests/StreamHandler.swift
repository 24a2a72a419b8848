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
    /// The last call.
    func complete(_ completion: DataStreamRequest.Completion, of request: DataStreamRequest)
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
            calls.async { self.tell(result, of: piece) }
        }
    }

    func startOver() { conversions.async { self.conversion.startOver() } }

    func complete(_ completion: DataStreamRequest.Completion, of request: DataStreamRequest) {
        conversions.async { [self] in
            let rest = conversion.finish(request)
            calls.async { [self] in
                // What the handler throws now has nothing left to end.
                if let rest, !hasThrown.load(ordering: .relaxed) { try? handler(stream(.stream(rest))) {} }
                try? handler(stream(.complete(completion))) {}
            }
        }
    }

    private func tell(_ result: Result<Success, Failure>, of piece: BodyPiece) {
        guard !hasThrown.load(ordering: .relaxed) else { return piece.release() }
        do {
            try handler(stream(.stream(result)), piece.release)
        } catch {
            hasThrown.store(true, ordering: .relaxed)
            piece.request.end(with: error)
        }
    }

    private func stream(_ event: DataStreamRequest.Event<Success, Failure>) -> Stream {
        Stream(event: event, token: token)
    }
}
