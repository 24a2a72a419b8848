internal import AFHTTP
internal import AFTransport

/// The owner of attempts: receives their events in order, one call at a time, on the threads of ``AttemptRunner``.
protocol AttemptOwner: AnyObject, Sendable {
    /// Called when a response before the final one was received: interim, of an authentication round, or a proxy's.
    func task(_ task: TransferTask, didReceiveInterim head: TransferHead)
    /// Called when a redirect was received. Must call `completion` with the request to send, or with `nil` to use the
    /// redirect as the final response.
    func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    )
    func task(_ task: TransferTask, didReceiveRedirect response: HTTPURLResponse)
    func task(_ task: TransferTask, didReceive response: HTTPURLResponse)
    func task(_ task: TransferTask, didReceive bytes: UnsafeRawBufferPointer) -> Flow
    /// Returns whether an encoded body is decoded; `nil` if that is not known yet: the body waits for a drain.
    func task(_ task: TransferTask, decodesBodyOf response: HTTPURLResponse) -> Bool?
    /// Called with the bytes of an encoded body before they were decoded.
    func task(_ task: TransferTask, didReceiveEncoded bytes: UnsafeRawBufferPointer)
    /// Whether stored responses are used and responses are stored.
    var isCacheable: Bool { get }
    /// Called before a response is stored; see `CacheUse`.
    func task(
        _ task: TransferTask,
        willCache response: CachedURLResponse,
        store: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    )
    /// Called when body bytes were sent.
    ///
    /// - Parameter new: The number of bytes that were not reported before.
    func task(_ task: TransferTask, didSend bytes: Int64, new: Int64, of total: Int64?)
    func task(_ task: TransferTask, willFollowRedirectTo request: URLRequest, with body: BodySource?)
    func task(_ task: TransferTask, didComplete failure: AttemptFailure?, metrics: TransferMetrics)
}
