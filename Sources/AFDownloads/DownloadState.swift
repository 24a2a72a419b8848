internal import AFHTTP
internal import AFRequests
internal import FoundationEssentials

/// The state of a ``DownloadRequest`` beside that of every request: of all its attempts, and of the current one's file.
///
/// A value without locks and disk access.
struct DownloadState: OrderedState, Sendable {
    /// The file of the current attempt.
    var file = DownloadRequest.File.waiting
    /// The URL of the current attempt, before adapters.
    var url = ""
    /// The files and records of earlier attempts.
    var earlier: EarlierBytes
    /// The path of an earlier attempt's complete file, which may be replaced.
    var earlierPath: String?
    /// The file of a running validator.
    var validatedURL: URL?
    /// Called when all bytes are received and accepted, before they are on disk.
    var receivedHandler: (@Sendable () -> Void)?
    /// The queue of a body that may arrive in one chunk, whose destination is chosen after its end; `nil` if the
    /// request has its own queue.
    var smallFiles: SmallFileQueue?
    /// Returns another destination if the chosen one is in use.
    var otherDestination: (@Sendable () -> String?)?
    var checksums: [@Sendable (_ destinationURL: URL) -> [Checksum]] = []
    /// Whether the received bytes are kept if the download fails.
    var keepsPartialFile = true
    /// Whether the received bytes are kept even if the download is canceled.
    var outlastsCancellation = false
    /// The options for segments; `nil` for a sequential download.
    var segmentation: DownloadRequest.Segmentation?
    /// The segments of all attempts.
    var segments: [SegmentRequest] = []
    /// The failure that ended the current attempt; `nil` while it runs, and after a complete file.
    var attemptEnd: AttemptEnd?
    /// Whether closures for checksums were released: another attempt would accept any file.
    private(set) var hasDroppedChecksums = false

    /// The failure of an attempt.
    struct AttemptEnd: Sendable {
        /// The reason why the file could not be saved; `nil` if the attempt failed for another reason.
        let reason: DownloadFailure.Reason?
        /// Whether it is the failure of a segment, after its own retries.
        let isOfSegment: Bool
    }

    /// Whether retriers are asked.
    var mayBeRetried: Bool { attemptEnd?.isOfSegment != true && !hasDroppedChecksums }

    /// The partial file of an earlier attempt or download, and the complete file of an earlier download.
    struct EarlierBytes: Sendable {
        /// The record of the partial file.
        var record: DownloadRecord?
        /// The record that the current attempt resumes.
        var resumed: DownloadRecord?
        /// The latest check of the partial file.
        var verified: VerifiedFile?
        /// The record of the complete file at the destination, on whose change the request is conditional.
        var known: DownloadRecord?
        /// The fault that the response before the latest restart has proven.
        var validatorFault: ValidatorFault?
        /// Whether the download was restarted without them.
        var isRestarted = false

        /// Whether no earlier bytes exist.
        var isEmpty: Bool { record == nil && resumed == nil && verified == nil && known == nil }
    }

    /// Returns the record to resume if its bytes are still those that it describes.
    func resumableRecord(decodingContent: Bool) -> DownloadRecord? {
        // Without a checksum nothing would prove that the bytes of such a record are the server's.
        guard let record = earlier.record, record.isResumable, record.proof != .checksum || !checksums.isEmpty,
            record.isUsable(decodingContent: decodingContent)
        else { return nil }
        return record
    }

    /// Prepares a request for the complete file, once, from a server that cannot resume it.
    ///
    /// - Returns: Whether the download restarts.
    mutating func prepareRestart(after reason: DownloadFailure.Reason, _ fault: ValidatorFault?) -> Bool {
        earlier.validatorFault = fault
        if reason == .contradictoryNotModified { return earlier.known.take() != nil }
        // The server's ranges do not work as announced: they are not requested again.
        let isOfRanges = reason == .wrongRange || reason == .differentBytes
        let isOfSegments = isOfRanges && !segments.isEmpty && attemptEnd?.isOfSegment == true
        if isOfSegments { segmentation = nil }
        defer { (earlier.record, earlier.isRestarted) = (nil, earlier.isRestarted || !isOfSegments) }
        return isOfSegments || !earlier.isRestarted && earlier.resumed != nil
    }

    /// The data for resuming the download; `nil` if that is impossible.
    var resumeData: Data? { earlier.record.flatMap { $0.isResumable ? $0.json : nil } }

    /// Removes and returns the record of the partial file, unless the download is complete.
    mutating func takeRecord() -> DownloadRecord? { file.path == nil ? earlier.record.take() : nil }

    /// The closures of the program, which are released outside the lock.
    struct Closures {
        let otherDestination: (@Sendable () -> String?)?
        let receivedHandler: (@Sendable () -> Void)?
        let checksums: [@Sendable (_ destinationURL: URL) -> [Checksum]]
    }

    /// Removes and returns the closures. Those for checksums may retain the request; without them no other attempt may
    /// follow.
    mutating func takeClosures() -> Closures {
        defer {
            if !checksums.isEmpty { hasDroppedChecksums = true }
            (otherDestination, receivedHandler, checksums) = (nil, nil, [])
        }
        return Closures(otherDestination: otherDestination, receivedHandler: receivedHandler, checksums: checksums)
    }

    mutating func resetForRetry() { (file, attemptEnd) = (.waiting, nil) }
}

extension DownloadRequest.File.Output {
    /// Whether several transfers share the file, and the segment of the download's own one is complete.
    var isOwnSegmentComplete: Bool { segments.map { writer.rest(ofSegment: $0.ownSegment) == nil } ?? false }
}

extension DownloadFile.Failure {
    /// The failure of the attempt. A destination that cannot have the file is a failure to move it, even if that is known
    /// before the end of the transfer.
    var ofAttempt: DownloadRequest.Failure {
        guard let unusableDestination else { return .download(cause) }
        return .move(cause, from: PartialFile.path(for: unusableDestination), to: unusableDestination)
    }
}
