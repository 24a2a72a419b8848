public import AFHTTP
public import Dispatch
internal import Synchronization

extension Request {
    /// Closures that want to know what an attempt is made of.
    struct Hooks {
        var head: HeadHandler?
        var urlRequest: (@Sendable (URLRequest) -> Void)?
        var task: (@Sendable (TransferTask) -> Void)?
        var curl: CURLHandler?
    }

    /// Called with the URLRequest of every attempt as adapters left it, at once with the latest where there is one. The last
    /// closure given counts; it starts nothing.
    @discardableResult
    public func onURLRequestCreation(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (URLRequest) -> Void
    ) -> Self {
        var hook: (@Sendable (URLRequest) -> Void)? = { request in queue.async { handler(request) } }
        contents.withLock { contents in
            swap(&contents.hooks.urlRequest, &hook)
            // Under the lock, so that one made now comes after it.
            if let latest = contents.requests.last { contents.hooks.urlRequest?(latest) }
        }
        return self
    }

    /// Called with the task of every attempt, at once with the latest where there is one. The last closure given counts; it
    /// starts nothing.
    ///
    /// It stands where Alamofire has `onURLSessionTaskCreation(on:perform:)`.
    @discardableResult
    public func onTransferTaskCreation(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (TransferTask) -> Void
    ) -> Self {
        var hook: (@Sendable (TransferTask) -> Void)? = { task in queue.async { handler(task) } }
        contents.withLock { contents in
            swap(&contents.hooks.task, &hook)
            if let latest = contents.tasks.last { contents.hooks.task?(latest) }
        }
        return self
    }

    /// The URLRequest of an attempt is final.
    func didCreate(_ request: URLRequest) {
        tell { $0.request(self, didCreateURLRequest: request) }
        let (hook, curl) = contents.withLock { ($0.hooks.urlRequest, $0.takeCURLHandler()) }
        hook?(request)
        curl?(self)
    }

    /// The task of an attempt is there, and has not started.
    func didCreate(_ task: TransferTask) {
        tell { $0.request(self, didCreateTask: task) }
        contents.withLock({ $0.hooks.task })?(task)
    }

    /// There is no URLRequest.
    func didFailToCreateRequest() { contents.withLock({ $0.takeCURLHandler() })?(self) }
}

extension Request.Contents {
    fileprivate mutating func takeCURLHandler() -> (@Sendable (Request) -> Void)? {
        let handler = hooks.curl
        if handler?.isRepeating == false { hooks.curl = nil }
        return handler?.call
    }
}
