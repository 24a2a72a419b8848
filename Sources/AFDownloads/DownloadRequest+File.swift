internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Creating the file of a response. These methods run on the request's queue, as the disk may be slow; bytes that arrive
/// meanwhile are buffered, and the transfer pauses if there are too many.
extension DownloadRequest {
    /// Chooses the destination, and creates the file unless its body may arrive in one chunk.
    func prepareFile(_ pending: PendingFile) {
        do throws(DownloadFailure) {
            let (path, options) = fileDestination(for: pending.response)
            if options.contains(.keepPreviousFile) { return keepFile(at: path, options, pending.response) }
            try checkLength(of: pending.response, pending.kind)
            let checksums = options.contains(.skipChecksums) ? [] : try checksums(of: path)
            let isDecoded = decodesFile(at: path, options, pending)
            let destination = PendingFile.Destination(
                path: path, options: options, checksums: checksums, isDecoded: isDecoded)
            guard let choice = downloadState.withLock({ $0.file.choose(destination) }) else { return }
            if choice.isAwaited { task?.drain() }
            if choice.createsFile { createFile() }
        } catch {
            endPreparation(error)
        }
    }

    /// Chooses the destination of a response that waited for the end of its body.
    func prepareFile() {
        if let pending = downloadState.withLock({ $0.file.takeLate() }) { prepareFile(pending) }
    }

    /// Whether a file has the body without its content codings; `nil` if the coding is the file's own, as that of an
    /// archive, and for the rest of a file.
    private func decodesFile(at path: String, _ options: Options, _ pending: PendingFile) -> Bool? {
        if pending.isRest { return nil }
        let name = String(PartialFile.split(path).name)
        guard let session, !DecodableCoding.decoded(of: pending.response.headers.contentCodings).isEmpty,
            // Pages that are not the file are shown.
            options.contains(.skipChecksums) || !pending.response.isCodedFile(named: name)
        else { return nil }
        return session.configuration.decodesContent
    }

    /// Reports the progress of a body whose file is created later.
    func reportBody() {
        let count = downloadState.withLock { $0.file.bufferedCount }
        if count > 0 { report(count, DownloadWriter.Progress(received: Int64(count), length: Int64(count))) }
    }

    /// Creates the file, unless it is ready or the preparation has failed.
    ///
    /// - Parameter isComplete: Whether the complete body was received.
    func createFile(isComplete: Bool = false) {
        guard let (pending, destination) = downloadState.withLock({ $0.file.uncreated }) else { return }
        do throws(DownloadFailure) {
            let writer = try makeWriter(pending, destination, isComplete: isComplete)
            let unused = downloadState.withLock { state -> DownloadRecord? in
                state.file.open(writer)
                guard case .resumable = pending.kind else { return nil }
                return state.earlier.record.take()
            }
            // A changed destination leaves the partial file of the earlier attempt: remove it.
            if let unused, unused.partialPath != writer.path { unused.discardCopy() }
            if pending.isRest, let task, let observers {
                let (offset, total) = (writer.resumedBytes, writer.length ?? 0)
                observers.notifyOfDownload {
                    $0.request(self, task: task, didResumeAtOffset: offset, expectedTotalBytes: total)
                }
            }
            if !pending.kind.isDiscardable, !isComplete { try divide(writer, after: pending.response) }
            try writeBody(to: writer, isReported: isComplete)
        } catch {
            // A file without a name leaves no partial file to be resumed.
            let writer = downloadState.withLock { $0.file.output?.writer }
            endPreparation(
                writer?.file.isUnnamed == true ? DownloadFailure(error.reason, path: destination.path) : error,
                unusableDestination: writer == nil && error.reason.isOfDestination ? destination.path : nil
            )
        }
    }

    /// Writes the buffered bytes until there are none, and lets the transfer continue.
    private func writeBody(to writer: DownloadWriter, isReported: Bool) throws(DownloadFailure) {
        let segment = downloadState.withLock({ $0.file.output?.segments })?.ownSegment
        while true {
            switch downloadState.withLock({ $0.file.drain() }) {
            case .done(let isPaused):
                if isPaused { task?.drain() }
                return
            case .write(let body):
                let progress = try body.span.bytes.withUnsafeBytes { bytes throws(DownloadFailure) in
                    if let segment { return try writer.receive(bytes, ofSegment: segment).progress }
                    let progress = try writer.receive(bytes)
                    // Other bytes may not follow soon.
                    try writer.flush()
                    return progress
                }
                if !isReported { report(body.count, progress, resumed: writer.resumedBytes) }
            }
        }
    }

    private func makeWriter(
        _ pending: PendingFile,
        _ destination: PendingFile.Destination,
        isComplete: Bool
    ) throws(DownloadFailure) -> DownloadWriter {
        let requested = downloadState.withLock { $0.url }
        let create = { (path: String) throws(DownloadFailure) in
            try DownloadWriter(
                pending.response,
                to: requested,
                kind: pending.kind,
                destination: path,
                checksums: destination.checksums,
                options: destination.options,
                isDecoded: destination.isDecoded,
                queue: self.queue,
                isComplete: isComplete
            )
        }
        if pending.isRest { return try create(destination.path) }
        return try withFreeDestination(destination.path, create)
    }

    /// Ends the transfer, as its file cannot be created or written.
    private func endPreparation(_ failure: DownloadFailure, unusableDestination: String? = nil) {
        let isAwaited = downloadState.withLock { $0.file.fail(failure, unusableDestination: unusableDestination) }
        if unusableDestination != nil, let localFailure { notifyMoveFailure(localFailure) }
        if isAwaited { task?.drain() }
        // The rest of the body may take long.
        task?.cancel()
    }
}
