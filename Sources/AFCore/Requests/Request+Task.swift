internal import AFHTTP
internal import AFTransport
internal import Synchronization

/// What a task tells its request, on the transport's thread.
extension Request: TransferTaskReceiver {
    func task(_ task: TransferTask, didReceiveInterim head: TransferHead) {
        tell { $0.request(self, task: task, didReceiveInterim: head) }
    }

    func task(_ task: TransferTask, didReceiveRedirect response: HTTPURLResponse) {
        tell { $0.request(self, task: task, didReceiveRedirect: response) }
    }

    func task(_ task: TransferTask, didReceive response: HTTPURLResponse) {
        tell { $0.request(self, task: task, didReceive: response) }
        receive(response)
        handleHead(response, of: task)
    }

    func task(_ task: TransferTask, didReceive bytes: UnsafeRawBufferPointer) -> Flow {
        isHolding(task) ? .pause : receive(bytes)
    }

    func task(_ task: TransferTask, didSend bytes: Int64, of total: Int64?) {
        let progress = TransferProgress(completedUnitCount: bytes, totalUnitCount: total ?? 0)
        let handler = contents.withLock { contents in
            contents.uploadProgress = progress
            return contents.uploadHandler
        }
        handler?.tell(progress)
    }

    func task(_ task: TransferTask, willFollowRedirectTo request: URLRequest) {
        tell { $0.request(self, task: task, willFollowRedirectTo: request) }
    }

    func task(_ task: TransferTask, didComplete failure: (any Error)?, metrics: TransferMetrics) {
        if holdBack(task, failure, metrics) { return }
        let error = ownFailure ?? failure.map(error(for:))
        let (step, handlers) = contents.withLock { contents in
            contents.metrics.append(metrics)
            contents.error = contents.error ?? error
            return (contents.lifecycle.taskEnded(), (contents.uploadHandler, contents.downloadHandler))
        }
        handlers.0?.flush()
        handlers.1?.flush()
        tell { $0.request(self, didGatherMetrics: metrics) }
        perform(step)
    }

    /// Records how far the response body has come.
    func didReceive(_ progress: TransferProgress) {
        let handler = contents.withLock { contents in
            contents.downloadProgress = progress
            return contents.downloadHandler
        }
        handler?.tell(progress)
    }
}
