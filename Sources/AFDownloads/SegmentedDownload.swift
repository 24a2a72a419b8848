internal import AFHTTP
@_spi(Requests) internal import AFRequests
internal import Synchronization

/// One attempt at a download with several transfers: the download's own, and additional segments.
///
/// A transfer that ends is followed by one for an unassigned range, or for half of the largest missing range. Decisions
/// happen under the lock, inside of which only the writer's lock is taken; requests are created, started and canceled
/// outside of it.
final class SegmentedDownload: Sendable {
    /// Called when all transfers have ended, with whether a segment completed the download's own failed transfer.
    typealias End = @Sendable (_ isCompletedBySegment: Bool) -> Void

    struct MutableState: OrderedState {
        var schedule: SegmentSchedule
        /// The running segments by their number. A segment that was just scheduled has no request yet.
        var requests: [Int: SegmentRequest] = [:]
        var end: End?
    }

    /// The number of the segment of the download's own transfer.
    let ownSegment: Int
    let writer: DownloadWriter
    /// Weak: the download retains this object. ``MutableState/end`` retains the download until all transfers have ended.
    private weak let download: DownloadRequest?
    private let minimum: Int64
    private let mutableState: OrderedMutex<MutableState>

    /// Creates an attempt.
    ///
    /// - Parameter width: The maximum number of concurrent transfers, including the download's own.
    init(_ download: DownloadRequest, _ writer: DownloadWriter, ownSegment: Int, width: Int, minimum: Int64) {
        self.download = download
        self.writer = writer
        self.ownSegment = ownSegment
        self.minimum = minimum
        mutableState = OrderedMutex(MutableState(schedule: SegmentSchedule(width: width)))
    }

    /// The failure that ended all transfers; `nil` if none has failed for good.
    var failure: DownloadRequest.Failure? { mutableState.withLock { $0.schedule.failure } }

    /// Starts segments as long as ranges and connections are available.
    func startSegments() {
        while let number = nextSegment() { start(number) { $0.resume() } }
    }

    /// Sets the segments to the download's state.
    func applyState() {
        guard let download else { return }
        for segment in mutableState.withLock({ Array($0.requests.values) }) { segment.follow(download) }
    }

    /// Handles the end of the download's own transfer.
    ///
    /// If others are running, a segment replaces the failed transfer and asks the retriers.
    func ownTransferEnded(_ failure: DownloadRequest.Failure?, isFinal: Bool, then end: @escaping End) {
        // The server may have sent less than its range.
        if failure == nil { writer.returnSegment(ownSegment) }
        let hasSession = download?.session != nil
        let step = mutableState.withLock { mutableState in
            mutableState.end = end
            return mutableState.schedule.ownTransferEnded(
                ownSegment, failure, isFinal: isFinal, mayReplace: hasSession)
        }
        switch step {
        case .proceed: break
        case .replace:
            start(ownSegment) { [download] in
                if let failure { $0.resume(from: download?.request, after: failure.error) }
            }
        case .stop: stop()
        }
        proceed()
    }

    /// Assigns a segment to another transfer; returns `nil` if no segment is left, or no transfer for it.
    private func nextSegment() -> Int? {
        guard let download, !download.isCancelled else { return nil }
        return mutableState.withLock { mutableState in
            guard mutableState.schedule.hasSpace, let segment = writer.takeSegment(ofAtLeast: minimum) else {
                return nil
            }
            mutableState.schedule.start(segment.number)
            return segment.number
        }
    }

    /// Creates the request of a scheduled segment and starts it.
    private func start(_ number: Int, _ begin: (SegmentRequest) -> Void) {
        guard let download, let session = download.session else {
            writer.returnSegment(number)
            return mutableState.withLock { $0.schedule.abandon(number, because: .sessionDeinitialized) }
        }
        let segment = SegmentRequest(number, of: download, in: session)
        download.add(segment)
        segment.whenFinished { [self] _ in didEnd(segment) }
        let isStopped = mutableState.withLock { mutableState in
            mutableState.requests[number] = segment
            return mutableState.schedule.failure != nil
        }
        if isStopped { return _ = segment.cancel() }
        // Otherwise resuming the download starts it.
        if download.isResumed { begin(segment) }
        segment.follow(download)
    }

    private func didEnd(_ segment: SegmentRequest) {
        let number = segment.segmentIndex
        let failure = segment.failure
        let isPart = failure == nil && writer.rest(ofSegment: number) != nil
        let isSmallPart = isPart && segment.task?.rangeLength ?? 0 < SegmentSchedule.smallPart
        writer.returnSegment(number)
        let stops = mutableState.withLock { mutableState in
            mutableState.requests[number] = nil
            return mutableState.schedule.segmentEnded(number, failure, isSmallPart: isSmallPart)
        }
        if stops { stop() }
        proceed()
    }

    /// Cancels the running segments.
    private func stop() {
        let (segments, isOwnRunning) = mutableState.withLock {
            (Array($0.requests.values), $0.schedule.isOwnRunning)
        }
        for segment in segments { segment.cancel() }
        if isOwnRunning { download?.task?.cancel() }
    }

    private func proceed() {
        startSegments()
        let (end, isCompletedBySegment) = mutableState.withLock { mutableState in
            (mutableState.schedule.isOver ? mutableState.end.take() : nil, mutableState.schedule.isCompletedBySegment)
        }
        end?(isCompletedBySegment)
    }
}
