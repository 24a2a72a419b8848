public import AFHTTP
internal import AFTransport
public import Dispatch
internal import Synchronization

/// An observer of the exchanges that together are one request, such as those of a resumable upload.
package protocol ExchangeObserver: AnyObject, Sendable {
    /// Does the slow work before an exchange, such as digests of a file, and then calls the closure on any thread.
    func prepareExchange(then completion: @escaping @Sendable () -> Void)
    /// Called on the transport's thread when an interim response was received, before the final one.
    func didReceiveInterim(_ response: HTTPURLResponse)
    /// Called on the transport's thread with bytes of the final response's body.
    func didReceiveBody(_ bytes: UnsafeRawBufferPointer)
    /// Returns the progress of the complete body when an exchange has sent a part of it.
    func overallProgress(_ progress: TransferProgress) -> TransferProgress
    /// Whether the request may be repeated with any method: the server recognizes what it has received.
    var isRepeatable: Bool { get }
    /// Returns whether the attempt that starts is the next exchange, and not a retry. Called once for each but the first.
    func startsNextExchange() -> Bool
}

extension Request {
    /// The closures that observe attempts, released at the end of the request.
    struct Hooks {
        var head: HeadHandler?
        var urlRequest: (@Sendable (URLRequest) -> Void)?
        var task: (@Sendable (TransferTask) -> Void)?
        var curl: CURLHandler?
        var uploadProgress: ProgressLimiter?
        var downloadProgress: ProgressLimiter?
        var exchanges: (any ExchangeObserver)?
        var state: (@Sendable () -> Void)?
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

    /// The observer of exchanges; `nil` if the request is no exchange of several.
    var exchanges: (any ExchangeObserver)? {
        hasExchanges.load(ordering: .acquiring) ? mutableState.withLock(\.hooks.exchanges) : nil
    }

    /// Sets the observer of exchanges, which is released at the end of the request.
    package func observeExchanges(with observer: any ExchangeObserver) {
        mutableState.withLock { $0.hooks.exchanges = observer }
        hasExchanges.store(true, ordering: .releasing)
    }

    /// Sets the closure that is called after each change of the request's state, until its end.
    package func observeState(_ hook: @escaping @Sendable () -> Void) {
        var hook = Optional(hook)
        mutableState.withLock { swap(&$0.hooks.state, &hook) }
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
