public import AFHTTP
public import Dispatch
internal import Synchronization

extension Request {
    /// The closures that observe attempts, released at the end of the request.
    struct Hooks {
        var head: HeadHandler?
        var urlRequest: (@Sendable (URLRequest) -> Void)?
        var task: (@Sendable (TransferTask) -> Void)?
        var curl: CURLHandler?
        var uploadProgress: ProgressLimiter?
        var downloadProgress: ProgressLimiter?
    }

    /// Calls the closure with the adapted URLRequest of every attempt, immediately with the latest if there is one. A
    /// later closure replaces an earlier one. Does not start the request.
    @discardableResult
    public func onURLRequestCreation(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (URLRequest) -> Void
    ) -> Self {
        var hook: (@Sendable (URLRequest) -> Void)? = { request in queue.async { handler(request) } }
        mutableState.withLock { mutableState in
            swap(&mutableState.hooks.urlRequest, &hook)
            // Under the lock, so that a request created concurrently comes after it.
            if let latest = mutableState.lastRequest { mutableState.hooks.urlRequest?(latest) }
        }
        return self
    }

    /// Calls the closure with the task of every attempt, immediately with the latest if there is one. A later closure
    /// replaces an earlier one. Does not start the request.
    ///
    /// Replaces Alamofire's `onURLSessionTaskCreation(on:perform:)`.
    @discardableResult
    public func onTransferTaskCreation(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (TransferTask) -> Void
    ) -> Self {
        var hook: (@Sendable (TransferTask) -> Void)? = { task in queue.async { handler(task) } }
        mutableState.withLock { mutableState in
            swap(&mutableState.hooks.task, &hook)
            if let latest = mutableState.lastTask { mutableState.hooks.task?(latest) }
        }
        return self
    }

    /// Reports the final URLRequest of an attempt.
    func didCreate(_ request: URLRequest) {
        observers?.notify { $0.request(self, didCreateURLRequest: request) }
        let (hook, curl) = mutableState.withLock { ($0.hooks.urlRequest, $0.takeCURLHandler()) }
        hook?(request)
        curl?(self)
    }

    /// Reports the new task of an attempt, before it starts.
    func didCreate(_ task: TransferTask) {
        observers?.notify { $0.request(self, didCreateTask: task) }
        mutableState.withLock { $0.hooks.task }?(task)
    }

    /// Reports that no URLRequest could be created.
    func didFailToCreateRequest() { mutableState.withLock { $0.takeCURLHandler() }?(self) }
}

extension Request.MutableState {
    fileprivate mutating func takeCURLHandler() -> (@Sendable (Request) -> Void)? {
        let handler = hooks.curl
        if handler?.isRepeating == false { hooks.curl = nil }
        return handler?.call
    }
}
