internal import AFHTTP
internal import AFRequests
internal import FoundationEssentials
internal import Synchronization

/// The relation of resume data and responses to the file.
extension DownloadRequest {
    static func record(in resumeData: Data) throws(AFError) -> DownloadRecord {
        do { return try DownloadRecord(json: resumeData) } catch {
            throw .createURLRequestFailed(error: DownloadFailure(.invalidResumeData, path: ""))
        }
    }

    /// Checks the length of the complete file: the transport's limit applies to one response only.
    func checkLength(of response: HTTPURLResponse, _ kind: DownloadWriter.Kind) throws(DownloadFailure) {
        guard case .continuing(let record, _) = kind, let maximum = session?.configuration.limits.bodyBytes,
            let length = record.length ?? response.contentRange?.total, length > maximum
        else { return }
        throw DownloadFailure(.tooLarge(maximum: maximum), path: record.partialPath)
    }

    func checksums(of path: String) throws(DownloadFailure) -> [Checksum] {
        let sources = downloadState.withLock { $0.checksums }
        guard !sources.isEmpty else { return [] }
        let url = URL(literalPath: path)
        var checksums: [Checksum] = []
        for source in sources {
            let found = source(url)
            if found.isEmpty { throw DownloadFailure(.unknownChecksum, path: path) }
            checksums += found
        }
        return checksums
    }

    func kind(of response: HTTPURLResponse) throws(DownloadFailure) -> DownloadWriter.Kind {
        let (earlier, hasChecksum) = downloadState.withLock { ($0.earlier, !$0.checksums.isEmpty) }
        let resumed = earlier.resumed
        if let resumed, let verified = earlier.verified, resumed.isContinued(by: response, isVerified: hasChecksum) {
            return .continuing(resumed, verified)
        }
        switch (response.statusCode, resumed) {
        case (200, _):
            if Safety.refuses("23-disguised-part", response.isDisguisedPart) {
                throw DownloadFailure(.unrequestedRange, path: "")
            }
            if let reason = resumed?.contradiction(in: response) { throw DownloadFailure(reason, path: "") }
            return .resumable(resumed)
        case (204, let resumed?) where resumed.hasEntityTag(of: response):
            if let reason = resumed.contradiction(0) { throw DownloadFailure(reason, path: "") }
            return .discardable
        case (206, nil):
            if let range = task?.currentRequest.headers["Range"] {
                let reason = response.failure(ofRange: range, decodingContent: decodesContent)
                if let reason, Safety.refuses("23-typed-range", true) { throw DownloadFailure(reason, path: "") }
                return .discardable
            }
            // A range that is the complete file is accepted although it was not requested.
            guard response.isCompleteRange else { throw DownloadFailure(.unrequestedRange, path: "") }
            return .discardable
        case (206, let resumed?): throw DownloadFailure(.wrongRange, path: resumed.partialPath)
        case (_, let resumed?) where response.mayRefuseRange(isConditional: isConditional):
            throw DownloadFailure(.rangeRefused, path: resumed.partialPath)
        case (304, _):
            if let known = earlier.known, !known.isConfirmed(by: response) {
                throw DownloadFailure(.contradictoryNotModified, path: "")
            }
            return .discardable
        // Any other response is not the file; the partial file stays for the next attempt.
        default: return .discardable
        }
    }

    /// Whether the program has set a condition that a 304 meets.
    private var isConditional: Bool {
        let headers = task?.currentRequest.headers
        return headers?["If-None-Match"] != nil || headers?["If-Modified-Since"] != nil
    }

    func fileDestination(for response: HTTPURLResponse) -> (path: String, options: Options) {
        let chosen = responseDestination?(response)
        let (path, options) = chosen.map { ($0.absolutePath, $1) } ?? programDestination(for: response)
        let isEarlier = downloadState.withLock { $0.earlierPath == path }
        observers?.notifyOfDownload { $0.request(self, didCreateDestinationURL: URL(literalPath: path)) }
        return (path, isEarlier ? options.union(.removePreviousFile) : options)
    }

    private func programDestination(for response: HTTPURLResponse) -> (path: String, options: Options) {
        let temporaryURL = Self.temporaryURL(for: id)
        let (url, options) = destination?(temporaryURL, response) ?? (temporaryURL, [.removePreviousFile])
        return (url.path, options)
    }

    /// Writes bytes to the file and reports the progress, on the transport's thread.
    ///
    /// - Parameters:
    ///   - segment: The number of the segment; `nil` for a sequential download.
    ///   - segmentTask: The task that received them; `nil` for the request's own, which only ranges, segments and
    ///     observers need.
    ///   - rangeLength: The length of the range that the task receives; `nil` for a complete response.
    func write(
        _ bytes: UnsafeRawBufferPointer,
        to writer: DownloadWriter,
        segment: Int?,
        from segmentTask: TransferTask? = nil,
        _ rangeLength: Int64?
    ) -> Flow {
        do throws(DownloadFailure) {
            if let rangeLength, let task = segmentTask ?? self.task,
                task.countOfBytesReceived + Int64(bytes.count) > rangeLength
            {
                throw DownloadFailure(.wrongRange, path: "")
            }
            guard let segment else {
                report(bytes.count, try writer.receive(bytes), resumed: writer.resumedBytes)
                return .proceed
            }
            let (progress, isComplete) = try writer.receive(bytes, ofSegment: segment)
            report(bytes.count, progress, from: segmentTask, resumed: writer.resumedBytes)
            guard isComplete, let task = segmentTask ?? self.task else { return .proceed }
            // A response that ends here leaves its connection reusable.
            let received = task.countOfBytesReceived + Int64(bytes.count)
            return task.response?.expectedContentLength == received ? .proceed : .stop
        } catch {
            _ = downloadState.withLock { $0.file.fail(error) }
            return .stop
        }
    }

    /// Reports the progress after a number of new bytes.
    ///
    /// - Parameter task: The task that received them; `nil` for the request's own, which only observers need.
    func report(_ count: Int, _ progress: DownloadWriter.Progress, from task: TransferTask? = nil, resumed: Int64 = 0) {
        let (received, total) = (progress.received, progress.length ?? 0)
        didReceive(TransferProgress(completedUnitCount: received, totalUnitCount: total, resumedUnitCount: resumed))
        guard let observers, let task = task ?? self.task else { return }
        observers.notifyOfDownload(isChunk: true) {
            $0.request(
                self, task: task, didWriteData: Int64(count), totalBytesWritten: received,
                totalBytesExpectedToWrite: total)
        }
    }
}
