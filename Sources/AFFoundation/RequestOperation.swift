public import AFCore
public import Foundation
internal import Synchronization

/// A request as an operation: starts when its turn comes, ends with the request, and cancels it when canceled.
///
/// Handlers may be added to the request before; they are called first. The request should come from a session that does
/// not start requests by itself, or with `shouldAutomaticallyResume: false`, or it runs ahead of the queue.
///
/// `@unchecked` as its superclass is; every property added here is immutable or a `Mutex`.
public final class RequestOperation: Operation, @unchecked Sendable {
    private enum Stage { case waiting, running, over }

    /// The request that the operation runs.
    public let request: Request
    private let stage = Mutex(Stage.waiting)
    private let addHandler: @Sendable (RequestOperation) -> Void

    /// Creates an operation for a data request or an upload.
    public init(_ request: DataRequest) {
        self.request = request
        addHandler = { operation in request.response(queue: .global()) { _ in operation.end() } }
    }

    /// Creates an operation for a download.
    public init(_ request: DownloadRequest) {
        self.request = request
        addHandler = { operation in request.response(queue: .global()) { _ in operation.end() } }
    }

    /// Creates an operation for a stream.
    public init(_ request: DataStreamRequest) {
        self.request = request
        addHandler = { operation in
            request.responseStream(on: .global()) { stream in
                if case .complete = stream.event { operation.end() }
            }
        }
    }

    /// Always `true`: the operation continues after ``start()``.
    public override var isAsynchronous: Bool { true }
    /// Whether the request is in progress.
    public override var isExecuting: Bool { stage.withLock { $0 == .running } }
    /// Whether the request has ended and its handlers have been called.
    public override var isFinished: Bool { stage.withLock { $0 == .over } }

    /// Starts the request; called by the queue.
    public override func start() {
        move(to: .running)
        addHandler(self)
        if isCancelled { request.cancel() } else { request.resume() }
    }

    /// Cancels the request; the operation ends once its handlers have been called.
    public override func cancel() {
        super.cancel()
        if isExecuting { request.cancel() }
    }

    private func end() { move(to: .over) }

    private func move(to next: Stage) {
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        stage.withLock { $0 = next }
        didChangeValue(for: \.isFinished)
        didChangeValue(for: \.isExecuting)
    }
}

extension CallbackQueue {
    /// Creates an executor that calls handlers as operations of a queue, which should be serial to preserve their
    /// order.
    public init(_ queue: OperationQueue) {
        self.init { work in queue.addOperation(work) }
    }
}
