internal import AFRequests
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
            guard task.countOfBytesReceived == rangeLength else { return completion(.response(.shortSegment)) }
            return continueRest(of: writer) { completion(nil) }
        }
        let isComplete = output?.isOwnSegmentComplete == true || task?.hasWholeRange == true
        let segmentFailure = failure ?? (isComplete ? nil : .response(.shortSegment))
        let error = own?.error ?? segmentFailure?.error
        let isFinal = own != nil || error?.isExplicitlyCancelledError == true
        segments.ownTransferEnded(error, isFinal: isFinal) { completion($0 ? nil : segmentFailure) }
    }

    private func flush() {
        do throws(DownloadFailure) {
            try downloadState.withLock({ $0.file.output })?.writer.flush()
        } catch {
            _ = downloadState.withLock { $0.file.fail(error) }
        }
    }

    func complete(_ writer: DownloadWriter) -> AFError? {
        var destination = URL(literalPath: writer.destination)
        if let task, let observers {
            let partialFile = URL(literalPath: writer.path)
            observers.notifyOfDownload { $0.request(self, task: task, didFinishDownloadingTo: partialFile) }
        }
        do throws(DownloadFailure) {
            try codedDigests?.check(writer.path)
            try writer.check()
            try withFreeDestination(destination) { (url) throws(DownloadFailure) in
                destination = url
                try writer.move(to: url.path)
            }
            downloadState.withLock { state in
                state.file.complete(at: destination)
                (state.earlierPath, state.earlier.record) = (destination.path, nil)
            }
            observers?.notifyOfDownload { [task, destination] in
                $0.request(self, didFinishDownloadingUsing: task, with: .success(destination))
            }
            return nil
        } catch {
            switch error.reason {
            case .wrongLength, .contradictoryLength, .unsupportedChecksum, .changedFile:
                return storePartialFile(writer, .sessionTaskFailed(error: error))
            case .wrongChecksum:
                // Bytes with a wrong checksum cannot be resumed.
                writer.discard()
                if writer.isRecorded { downloadState.withLock { $0.earlier.record = nil } }
                return .sessionTaskFailed(error: error)
            default: break
            }
            let source = URL(literalPath: writer.path)
            let error = AFError.downloadedFileMoveFailed(error: error, source: source, destination: destination)
            notifyMoveFailure(error)
            return storePartialFile(writer, error)
        }
    }

    func notifyMoveFailure(_ error: AFError) {
        let error = converted(error)
        observers?.notifyOfDownload { [task] in
            $0.request(self, didFinishDownloadingUsing: task, with: .failure(error))
        }
    }

    /// Stores the bytes that another attempt can use; returns the error with resume data.
    func storePartialFile(_ writer: DownloadWriter, _ error: AFError) -> AFError {
        // A complete but rejected body is useless, unless it contains bytes of an earlier run; so are segments of
        // possibly different versions.
        let isRefused =
            error.isResponseValidationError && writer.resumedBytes == 0
            || (error.underlyingError as? DownloadFailure)?.reason.discardsBytes == true
        guard !isRefused, downloadState.withLock({ $0.keepsPartialFile }) else {
            writer.discard()
            if writer.isRecorded { downloadState.withLock { $0.earlier.record = nil } }
            return error
        }
        let record = writer.interrupt(isComplete: error.isDownloadedFileMoveError)
        let verified = writer.interrupted
        let resumeData = downloadState.withLock { state in
            (state.earlier.record, state.earlier.verified) = (record ?? state.earlier.record, verified)
            return state.earlier.record.flatMap { $0.isResumable ? $0.json : nil }
        }
        return resumeData.map { replaceError(with: error.resumable(with: $0)) } ?? error
    }

    /// Replaces the request's error, unless it has changed meanwhile.
    private func replaceError(with error: AFError) -> AFError {
        replaceTaskError(by: error)
        return error
    }
}
