internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

extension Request {
    /// The end of an attempt's transfer.
    @_spi(Requests) public struct TransferEnd: Sendable {
        let task: TransferTask
        let metrics: TransferMetrics
        /// The failure of the transfer; `nil` if the response is complete.
        package var failure: AttemptFailure?
        /// A local failure; takes precedence over the transport's failure that it causes.
        package var localFailure: AttemptFailure?
    }
}

/// The events of a task, on the threads of its ``AttemptRunner``.
extension Request: AttemptOwner {
    func task(_ task: TransferTask, didReceiveInterim head: TransferHead) {
        if head.kind == .informational {
            exchanges?.didReceiveInterim(head.response)
        }
        observers?.notify { $0.request(self, task: task, didReceiveInterim: head) }
        if head.kind == .intermediate, [401, 407].contains(head.response.statusCode) {
            observers?.notify { $0.request(self, task: task, didReceiveChallenge: head.response) }
        }
    }

    func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let handler = redirectHandler ?? session?.redirectHandler else { return completion(request) }
        underlyingQueue.async {
            handler.task(task, willBeRedirectedTo: request, for: response, completion: completion)
        }
    }

    func task(_ task: TransferTask, didReceiveRedirect response: HTTPURLResponse) {
        observers?.notify { $0.request(self, task: task, didReceiveRedirect: response) }
    }

    func task(_ task: TransferTask, didReceive response: HTTPURLResponse) {
        observers?.notify { $0.request(self, task: task, didReceive: response) }
        receive(response)
        handleHead(response, of: task)
    }

    func task(_ task: TransferTask, didReceive bytes: UnsafeRawBufferPointer) -> Flow {
        let flow = receive(bytes)
        if flow == .proceed { exchanges?.didReceiveBody(bytes) }
        // Bytes that were not accepted are offered again.
        if flow == .proceed, let observers, observers.observesBodies {
            let data = Data(bytes)
            observers.notify(ofChunk: true) { $0.request(self, task: task, didReceive: data) }
        }
        return flow
    }

    func task(_ task: TransferTask, decodesBodyOf response: HTTPURLResponse) -> Bool? { decodesBody(of: response) }

    func task(_ task: TransferTask, didReceiveEncoded bytes: UnsafeRawBufferPointer) { receiveEncoded(bytes) }

    func task(
        _ task: TransferTask,
        willCache response: CachedURLResponse,
        store: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    ) {
        // Without the session, its handler is gone: the response is not stored.
        guard let session else { return finish() }
        observers?.notify { $0.request(self, task: task, willCacheResponse: response) }
        guard let handler = cachedResponseHandler ?? session.cachedResponseHandler else {
            store(response)
            return finish()
        }
        underlyingQueue.async {
            handler.dataTask(task, willCacheResponse: response, completion: store)
            finish()
        }
    }

    func task(_ task: TransferTask, didSend bytes: Int64, new: Int64, of total: Int64?) {
        let sent = TransferProgress(completedUnitCount: bytes, totalUnitCount: total ?? 0)
        let progress = exchanges?.overallProgress(sent) ?? sent
        didSend(progress)
        observers?.notify(ofChunk: true) {
            $0.request(
                self,
                task: task,
                didSendBodyData: new,
                totalBytesSent: bytes,
                totalBytesExpectedToSend: progress.totalUnitCount
            )
        }
    }

    func task(_ task: TransferTask, willFollowRedirectTo request: URLRequest, with body: BodySource?) {
        guard let response = task.response else { return }
        observers?.notify { $0.request(self, task: task, willPerformHTTPRedirection: response, newRequest: request) }
        if body != nil { observers?.notify { $0.request(self, taskNeedsNewBodyStream: task) } }
    }

    func task(_ task: TransferTask, didComplete failure: AttemptFailure?, metrics: TransferMetrics) {
        finishTransfer(TransferEnd(task: task, metrics: metrics, failure: failure))
    }

    /// Reports the last progress, then ends the transfer: after the closures that run on the session's queue.
    package func endTransfer(_ end: TransferEnd) {
        let (upload, download) = mutableState.withLock { ($0.hooks.uploadProgress, $0.hooks.downloadProgress) }
        upload?.flush()
        download?.flush()
        guard upload?.queue === underlyingQueue || download?.queue === underlyingQueue else {
            return complete(end)
        }
        underlyingQueue.async { self.complete(end) }
    }

    private func complete(_ end: TransferEnd) {
        let (task, metrics) = (end.task, end.metrics)
        let failure = end.localFailure ?? end.failure
        let error = failure?.error
        let needsValidation = mutableState.withLock { mutableState in
            mutableState.attempt.metrics = metrics
            if mutableState.error == nil { (mutableState.error, mutableState.attempt.failure) = (error, failure) }
            return mutableState.lifecycle.taskEnded()
        }
        if let error, error.isServerTrustEvaluationError {
            observers?.notify { $0.request(self, didFailTask: task, earlyWithError: error) }
        }
        observers?.notify { $0.request(self, task: task, didFinishCollecting: metrics) }
        observers?.notify { $0.request(self, didGatherMetrics: metrics) }
        observers?.notify { $0.request(self, task: task, didCompleteWithError: end.failure?.reported) }
        if needsValidation { validate() }
    }

    /// Records the progress of the request body.
    package func didSend(_ progress: TransferProgress) {
        let handler = mutableState.withLock { mutableState -> ProgressLimiter? in
            // Concurrent exchanges report on several threads.
            let isOld = progress.completedUnitCount < mutableState.attempt.uploadProgress.completedUnitCount
            if isOld, hasExchanges.load(ordering: .acquiring) { return nil }
            mutableState.attempt.uploadProgress = progress
            return mutableState.hooks.uploadProgress
        }
        handler?.report(progress)
    }

    /// Records the progress of the response body.
    package func didReceive(_ progress: TransferProgress) {
        let handler = mutableState.withLock { mutableState -> ProgressLimiter? in
            // Segments report on several threads.
            guard progress.completedUnitCount >= mutableState.attempt.downloadProgress.completedUnitCount else {
                return nil
            }
            mutableState.attempt.downloadProgress = progress
            return mutableState.hooks.downloadProgress
        }
        handler?.report(progress)
    }
}

extension Request {
    /// Returns the request's error for an attempt's failure, after the session's converter.
    package func error(for failure: AttemptFailure) -> AFError {
        guard let converter = session?.configuration.transferErrorConverter else { return failure.error }
        let url = task?.currentRequest.url
        return failure.error(converting: { converter.error(for: $0, at: url) })
    }
}
