internal import AFHTTP
@_spi(Requests) internal import AFRequests
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// Completes an attempt, on the request's queue: writes the last bytes, and renames the file or stores the partial file for
/// a retry.
extension DownloadRequest {
    /// Writes all received bytes.
    ///
    /// - Parameter isRead: Whether validators or monitors may read the file.
    func finishWriting(
        after failure: AttemptFailure?,
        isRead: Bool,
        then completion: @escaping @Sendable (AttemptFailure?) -> Void
    ) {
        // The existing file may have been kept after the end of the transfer.
        let failure = isHeaderSufficient ? nil : failure
        if failure == nil { if isRead { createFile() } else { reportBody() } }
        let (own, output) = downloadState.withLock { ($0.file.failure, $0.file.output) }
        guard let segments = output?.segments else {
            if own == nil { flush() }
            guard failure == nil, let writer = output?.writer, !hasFailed, let task,
                let rangeLength = writer.rangeLength,
                writer.receivedBytes < writer.length ?? 0
            else { return completion(failure) }
            guard task.countOfBytesReceived == rangeLength else { return completion(.transfer(.shortSegment)) }
            return continueRest(of: writer) { completion(nil) }
        }
        let isComplete = output?.isOwnSegmentComplete == true || task?.hasWholeRange == true
        let segmentFailure = failure ?? (isComplete ? nil : .transfer(.shortSegment))
        let ended = own?.ofAttempt ?? segmentFailure.map(Failure.attempt)
        let isFinal = own != nil || ended?.error.isExplicitlyCancelledError == true
        segments.ownTransferEnded(ended, isFinal: isFinal) { completion($0 ? nil : segmentFailure) }
    }

    private func flush() {
        do throws(DownloadFailure) {
            try downloadState.withLock({ $0.file.output })?.writer.flush()
        } catch {
            _ = downloadState.withLock { $0.file.fail(error) }
        }
    }

    func complete(_ writer: DownloadWriter) -> Failure? {
        var destination = writer.destination
        if let task, let observers {
            let partialFile = URL(literalPath: writer.path)
            observers.notifyOfDownload { $0.request(self, task: task, didFinishDownloadingTo: partialFile) }
        }
        do throws(DownloadFailure) {
            try codedDigests?.check(writer.path)
            try writer.check()
            try writer.check(trailing: response?.checksums(inTrailers: metrics?.trailers ?? HTTPHeaders()) ?? [])
            try withFreeDestination(destination) { (path) throws(DownloadFailure) in
                destination = path
                try writer.move(to: path)
            }
            downloadState.withLock { state in
                state.file.complete(at: destination)
                (state.earlierPath, state.earlier.record) = (destination, nil)
            }
            observers?.notifyOfDownload { [task, destination] in
                $0.request(self, didFinishDownloadingUsing: task, with: .success(URL(literalPath: destination)))
            }
            return nil
        } catch {
            switch error.reason {
            case .wrongLength, .contradictoryLength, .unsupportedChecksum, .changedFile:
                return storePartialFile(writer, .download(error))
            case .wrongChecksum:
                // Bytes with a wrong checksum cannot be resumed.
                writer.discard()
                if writer.isRecorded { downloadState.withLock { $0.earlier.record = nil } }
                return .download(error)
            default: break
            }
            let failure = Failure.move(error, from: writer.path, to: destination)
            notifyMoveFailure(failure)
            return storePartialFile(writer, failure)
        }
    }

    func notifyMoveFailure(_ failure: Failure) {
        let error = self.error(for: failure.ofAttempt)
        observers?.notifyOfDownload { [task] in
            $0.request(self, didFinishDownloadingUsing: task, with: .failure(error))
        }
    }

    /// Stores the bytes that another attempt can use; returns the failure with resume data.
    func storePartialFile(_ writer: DownloadWriter, _ failure: Failure) -> Failure {
        let error = failure.error
        // A complete but rejected body is useless, unless it contains bytes of an earlier run; so are segments of
        // possibly different versions.
        let isRefused =
            error.isResponseValidationError && writer.resumedBytes == 0
            || failure.reason?.discardsBytes == true
        guard !isRefused, keepsPartialFile else {
            writer.discard()
            if writer.isRecorded { downloadState.withLock { $0.earlier.record = nil } }
            return failure
        }
        let record = writer.interrupt(isComplete: error.isDownloadedFileMoveError)
        let verified = writer.interrupted
        let resumeData = downloadState.withLock { state in
            (state.earlier.record, state.earlier.verified) = (record ?? state.earlier.record, verified)
            return state.resumeData
        }
        return resumeData.map(failure.resumable(with:)) ?? failure
    }
}
