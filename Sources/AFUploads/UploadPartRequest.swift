internal import AFHTTP
@_spi(Requests) internal import AFRequests
internal import AFTransport
internal import Dispatch
internal import Synchronization

/// A request for one part of a ``ResumableUpload``, beside the upload's main request.
///
/// Adapters and monitors of the session and the upload process it separately. Retriers are not asked: the upload's main request
/// sends what this one could not send.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
final class UploadPartRequest: Request, @unchecked Sendable {
    let claim: UploadClaim
    private let upload: ResumableUpload
    private let current = Mutex<UploadExchange?>(nil)

    init(_ claim: UploadClaim, of upload: ResumableUpload, like request: Request, in session: Session) {
        (self.claim, self.upload) = (claim, upload)
        super.init(RequestOrigin(session: session, interceptor: request.interceptor, shouldAutomaticallyResume: false))
        inherit(from: request)
        observeExchanges(with: self)
    }

    /// The exchange; `nil` if the part did not have to be sent.
    var exchange: UploadExchange? { current.withLock(\.self) }

    /// Whether all bytes of the exchange were sent.
    var isSent: Bool { task?.countOfBytesSent ?? 0 >= Int64(exchange?.range?.count ?? 0) }

    private func computeDigests() { upload.computeDigests(of: claim) { !isCancelled && !isDone } }

    override func makeURLRequest() throws(AFError) -> URLRequest {
        // Meanwhile, a response may have made another digest necessary.
        computeDigests()
        guard let (request, exchange) = try upload.request(of: claim) else { throw .explicitlyCancelled }
        current.withLock { $0 = exchange }
        return request
    }

    override func makeBody(for request: URLRequest) throws(AFError) -> BodySource? {
        do {
            return try exchange?.range.map(upload.body(of:))
        } catch {
            throw .createUploadableFailed(error: error)
        }
    }

    override func retryRule() -> RetryRule { .doNotRetry }
}

extension UploadPartRequest: ExchangeObserver {
    func prepareExchange(then completion: @escaping @Sendable () -> Void) {
        ResumableUpload.queue.async { [self] in
            computeDigests()
            completion()
        }
    }

    func didReceiveInterim(_ response: HTTPURLResponse) {}
    func didReceiveBody(_ bytes: UnsafeRawBufferPointer) {}
    var isRepeatable: Bool { false }
    func startsNextExchange() -> Bool { false }

    func overallProgress(_ progress: TransferProgress) -> TransferProgress {
        upload.laneDidSend(progress.completedUnitCount, of: claim)
        return progress
    }
}
