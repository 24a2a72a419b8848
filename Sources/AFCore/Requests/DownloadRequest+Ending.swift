internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// Completes an attempt: renames the file, or stores the partial file for a retry.
extension DownloadRequest {
    func complete(_ receiver: DownloadWriter) -> AFError? {
        var destination = URL(literalPath: receiver.destination)
        if let task, let observers {
            let partialFile = URL(literalPath: receiver.path)
            observers.notify { $0.request(self, task: task, didFinishDownloadingTo: partialFile) }
        }
        do throws(DownloadFailure) {
            try codedDigests?.check(receiver.path)
            try receiver.check()
            try withFreeDestination(destination) { (url) throws(DownloadFailure) in
                destination = url
                try receiver.move(to: url.path)
            }
            files.withLock { ($0.fileURL, $0.ownPath, $0.record) = (destination, destination.path, nil) }
            observers?.notify { [task, destination] in
                $0.request(self, didFinishDownloadingUsing: task, with: .success(destination))
            }
            return nil
        } catch {
            switch error.reason {
            case .wrongLength, .contradictoryLength, .unsupportedChecksum, .changedFile:
                return storePartialFile(receiver, .sessionTaskFailed(error: error))
            case .wrongChecksum:
                // Bytes with a wrong checksum cannot be resumed.
                receiver.discard()
                if receiver.isRecorded { files.withLock { $0.record = nil } }
                return .sessionTaskFailed(error: error)
            default: break
            }
            let source = URL(literalPath: receiver.path)
            let error = AFError.downloadedFileMoveFailed(error: error, source: source, destination: destination)
            notifyMoveFailure(error)
            return storePartialFile(receiver, error)
        }
    }

    func notifyMoveFailure(_ error: AFError) {
        let error = converted(error)
        observers?.notify { [task] in $0.request(self, didFinishDownloadingUsing: task, with: .failure(error)) }
    }

    /// Stores the bytes that another attempt can use; returns the error with resume data.
    func storePartialFile(_ receiver: DownloadWriter, _ error: AFError) -> AFError {
        // A complete but rejected body is useless, unless it contains bytes of an earlier run; so are segments of
        // possibly different versions.
        let isRefused =
            error.isResponseValidationError && receiver.resumedBytes == 0
            || (error.underlyingError as? DownloadFailure)?.reason.discardsBytes == true
        guard !isRefused, files.withLock({ $0.keepsPartialFile }) else {
            receiver.discard()
            if receiver.isRecorded { files.withLock { $0.record = nil } }
            return error
        }
        let record = receiver.interrupt(isComplete: error.isDownloadedFileMoveError)
        let resumeData = files.withLock { files in
            (files.record, files.verified) = (record ?? files.record, receiver.interrupted)
            return files.record.flatMap { $0.isResumable ? $0.json : nil }
        }
        return resumeData.map { note(error.resumable(with: $0)) } ?? error
    }

    /// Replaces the request's error, unless it has changed meanwhile.
    private func note(_ error: AFError) -> AFError {
        mutableState.withLock { mutableState in
            if mutableState.error?.isSessionTaskError == true { mutableState.error = error }
        }
        return error
    }
}
