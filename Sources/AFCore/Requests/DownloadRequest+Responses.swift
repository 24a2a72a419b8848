internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// The relation of resume data and responses to the file.
extension DownloadRequest {
    static func record(in resumeData: Data) throws(DownloadFailure) -> DownloadRecord {
        do { return try DownloadRecord(json: resumeData) } catch {
            throw DownloadFailure(.invalidResumeData, path: "")
        }
    }

    /// Checks the length of the complete file: the transport's limit applies to one response only.
    func checkLength(of response: HTTPURLResponse, _ kind: DownloadWriter.Kind) throws(DownloadFailure) {
        guard case .continuing(let record, _) = kind, let maximum = session?.configuration.limits.bodyBytes,
            let length = record.length ?? response.contentRange?.total, length > maximum
        else { return }
        throw DownloadFailure(.tooLarge(maximum: maximum), path: record.partialPath)
    }

    func checksums(of url: URL) throws(DownloadFailure) -> [Checksum] {
        var checksums: [Checksum] = []
        for source in files.withLock({ $0.checksums }) {
            let found = source(url)
            if found.isEmpty { throw DownloadFailure(.unknownChecksum, path: url.path) }
            checksums += found
        }
        return checksums
    }

    func kind(of response: HTTPURLResponse) throws(DownloadFailure) -> DownloadWriter.Kind {
        let (resumed, verified, hasChecksum) = files.withLock { ($0.resumed, $0.verified, !$0.checksums.isEmpty) }
        if let resumed, let verified, resumed.isContinued(by: response, isVerified: hasChecksum) {
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
            return .passing
        case (206, nil):
            if let range = task?.currentRequest.headers["Range"] {
                guard Safety.requires("23-typed-range", response.isRange(range)) else {
                    throw DownloadFailure(.wrongRange, path: "")
                }
                return .passing
            }
            // A range that is the complete file is accepted although it was not requested.
            guard response.isCompleteRange else { throw DownloadFailure(.unrequestedRange, path: "") }
            return .passing
        case (206, let resumed?): throw DownloadFailure(.wrongRange, path: resumed.partialPath)
        case (304, _):
            if let known = files.withLock({ $0.known }), !known.isConfirmed(by: response) {
                throw DownloadFailure(.contradictoryNotModified, path: "")
            }
            return .passing
        case (400, let resumed?), (416, let resumed?): throw DownloadFailure(.rangeRefused, path: resumed.partialPath)
        // Any other response is not the file; the partial file stays for the next attempt.
        default: return .passing
        }
    }

    func fileDestination(for response: HTTPURLResponse) -> (url: URL, options: Options) {
        let temporaryURL = Self.temporaryURL(for: id)
        let (url, options) = destination?(temporaryURL, response) ?? (temporaryURL, [.removePreviousFile])
        observers?.notify { $0.request(self, didCreateDestinationURL: url) }
        let isOwn = files.withLock { $0.ownPath == url.path }
        return (url, isOwn ? options.union(.removePreviousFile) : options)
    }

    /// Reports the progress after a number of new bytes.
    func report(_ count: Int, _ progress: DownloadWriter.Progress, from task: TransferTask, resumed: Int64 = 0) {
        let (received, total) = (progress.received, progress.length ?? 0)
        didReceive(TransferProgress(completedUnitCount: received, totalUnitCount: total, resumedUnitCount: resumed))
        observers?.notifyOfChunk {
            $0.request(
                self, task: task, didWriteData: Int64(count), totalBytesWritten: received,
                totalBytesExpectedToWrite: total)
        }
    }
}
