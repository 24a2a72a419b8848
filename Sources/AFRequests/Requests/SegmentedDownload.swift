internal import AFHTTP
internal import Synchronization

/// One attempt at a download with several transfers: the download's own, and additional segments.
///
/// A transfer that ends is followed by one for an unassigned range, or for half of the largest missing range. Decisions
/// happen under the lock, their effects outside of it.
final class SegmentedDownload: Sendable {
    /// Called when all transfers have ended, with whether a segment completed the download's own failed transfer.
    typealias End = @Sendable (_ isCompletedBySegment: Bool) -> Void

    private struct MutableState {
        /// The maximum number of concurrent transfers.
        var width: Int
        /// The running segments by their index.
        var running: [Int: SegmentRequest] = [:]
        var isOwnRunning = true
        /// The failure that ends all transfers.
        var failure: AFError?
        var isCompletedBySegment = false
        /// The number of ranges of which the server sent a small part.
        var smallParts = 0
        var end: End?

        var runningCount: Int { running.count + (isOwnRunning ? 1 : 0) }
    }

    /// The length below which the parts of ranges that a server sends are counted, and their maximum number.
    private static let (smallPart, maximumSmallParts): (Int64, Int) = (64 << 10, 1000)

    /// The index of the segment of the download's own transfer.
    let ownSegment: Int
    let receiver: DownloadWriter
    private let download: DownloadRequest
    private let minimum: Int64
    private let mutableState: Mutex<MutableState>

    /// Creates an attempt.
    ///
    /// - Parameter width: The maximum number of concurrent transfers, including the download's own.
    init(_ download: DownloadRequest, _ receiver: DownloadWriter, ownSegment: Int, width: Int, minimum: Int64) {
        self.download = download
        self.receiver = receiver
        self.ownSegment = ownSegment
        self.minimum = minimum
        mutableState = Mutex(MutableState(width: width))
    }

    /// The failure that ended all transfers; `nil` if there is none.
    var failure: AFError? { mutableState.withLock { $0.failure } }

    /// Starts segments as long as ranges and connections are available.
    func fill() {
        // A session that is deallocated under the lock would call back here.
        let session = download.session
        while let segment = mutableState.withLock({ nextSegment(&$0, session) }) { start(segment) { $0.resume() } }
    }

    /// Sets the segments to the download's state.
    func applyState() {
        for segment in mutableState.withLock({ Array($0.running.values) }) { applyState(to: segment) }
    }

    /// Handles the end of the download's own transfer.
    ///
    /// If others are running, a segment replaces the failed transfer and asks the retriers.
    func ownTransferEnded(_ error: AFError?, isFinal: Bool, then end: @escaping End) {
        let session = download.session
        let (replacement, isOver) = mutableState.withLock { mutableState -> (SegmentRequest?, Bool) in
            mutableState.isOwnRunning = false
            mutableState.end = end
            guard let error, mutableState.failure == nil else {
                // The server may have sent less than its range.
                if error == nil { receiver.returnSegment(ownSegment) }
                return (nil, false)
            }
            if !isFinal, !mutableState.running.isEmpty, let replacement = makeSegment(ownSegment, session) {
                mutableState.running[ownSegment] = replacement
                mutableState.isCompletedBySegment = true
                return (replacement, false)
            }
            if mutableState.running.isEmpty, !isFinal {
                // The download itself asks the retriers; there are no further segments until then.
                mutableState.width = 0
                return (nil, false)
            }
            mutableState.failure = error
            return (nil, true)
        }
        if let replacement, let error { start(replacement) { $0.resume(from: download.lastRequest, after: error) } }
        if isOver { stop() }
        proceed()
    }

    private func nextSegment(_ mutableState: inout MutableState, _ session: Session?) -> SegmentRequest? {
        guard mutableState.failure == nil, mutableState.runningCount < mutableState.width, !download.isCancelled,
            let assigned = receiver.takeSegment(ofAtLeast: minimum)
        else { return nil }
        guard let segment = makeSegment(assigned.number, session) else {
            receiver.returnSegment(assigned.number)
            mutableState.failure = .sessionDeinitialized
            return nil
        }
        mutableState.running[assigned.number] = segment
        return segment
    }

    private func makeSegment(_ index: Int, _ session: Session?) -> SegmentRequest? {
        session.map { SegmentRequest(index, of: download, in: $0) }
    }

    private func start(_ segment: SegmentRequest, _ begin: (SegmentRequest) -> Void) {
        download.note(segment)
        segment.whenFinished { [self] _ in didEnd(segment) }
        // Otherwise resuming the download starts it.
        if download.isResumed { begin(segment) }
        applyState(to: segment)
    }

    /// Callers race, so the state is checked again after each call.
    private func applyState(to segment: SegmentRequest) {
        var applied: Request.State?
        while case let state = download.state, state != applied {
            switch state {
            case .resumed: segment.resume()
            case .suspended: segment.suspend()
            case .cancelled: segment.cancel()
            case .initialized, .finished: break
            }
            applied = state
        }
    }

    private func didEnd(_ segment: SegmentRequest) {
        let error = segment.error
        let isOver = mutableState.withLock { mutableState in
            mutableState.running[segment.segmentIndex] = nil
            let isPart = error == nil && receiver.rest(ofSegment: segment.segmentIndex) != nil
            receiver.returnSegment(segment.segmentIndex)
            if isPart, segment.task?.rangeLength ?? 0 < Self.smallPart {
                mutableState.smallParts += 1
                guard mutableState.smallParts <= Self.maximumSmallParts else {
                    mutableState.failure = mutableState.failure ?? .shortSegment
                    return true
                }
            }
            guard let error, mutableState.failure == nil else { return false }
            // A server that rejects this number of connections gets fewer.
            if error.responseCode != nil, mutableState.runningCount > 0 {
                mutableState.width = mutableState.runningCount
                return false
            }
            mutableState.failure = error.ofDownload
            return true
        }
        if isOver { stop() }
        proceed()
    }

    /// Cancels the running segments.
    private func stop() {
        let (segments, isOwnRunning) = mutableState.withLock { (Array($0.running.values), $0.isOwnRunning) }
        for segment in segments { segment.cancel() }
        if isOwnRunning { download.task?.cancel() }
    }

    private func proceed() {
        fill()
        let (end, isCompletedBySegment) = mutableState.withLock { mutableState in
            (mutableState.runningCount == 0 ? mutableState.end.take() : nil, mutableState.isCompletedBySegment)
        }
        end?(isCompletedBySegment)
    }
}

extension AFError {
    /// The download's error for a segment's error.
    ///
    /// A rejected status is wrapped: as `responseCode` it would seem to be the status of the download's own response,
    /// which may be acceptable.
    fileprivate var ofDownload: AFError {
        responseCode.map { .sessionTaskFailed(error: DownloadFailure(.segmentRejected(status: $0), path: "")) } ?? self
    }
}
