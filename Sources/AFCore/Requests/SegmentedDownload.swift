internal import AFHTTP
internal import Synchronization

/// One attempt at a download with several transfers: the download's own, and additional segments.
///
/// A transfer that ends is followed by one for an unassigned range, or for half of the largest missing range. Decisions
/// happen under the lock, their effects outside of it.
final class SegmentedDownload: Sendable {
    /// Called when all transfers have ended, with whether a segment completed the download's own failed transfer.
    typealias End = @Sendable (_ isForgiven: Bool) -> Void

    private struct Contents {
        /// The maximum number of concurrent transfers.
        var width: Int
        /// The running segments by part number.
        var running: [Int: SegmentRequest] = [:]
        var isOwnRunning = true
        /// The failure that ends all transfers.
        var failure: AFError?
        var isForgiven = false
        var end: End?

        var runningCount: Int { running.count + (isOwnRunning ? 1 : 0) }
    }

    /// The part of the download's own transfer.
    let ownPiece: Int
    let receiver: DownloadWriter
    private let download: DownloadRequest
    private let minimum: Int64
    private let contents: Mutex<Contents>

    /// Creates an attempt.
    ///
    /// - Parameter width: The maximum number of concurrent transfers, including the download's own.
    init(_ download: DownloadRequest, _ receiver: DownloadWriter, ownPiece: Int, width: Int, minimum: Int64) {
        self.download = download
        self.receiver = receiver
        self.ownPiece = ownPiece
        self.minimum = minimum
        contents = Mutex(Contents(width: width))
    }

    /// The failure that ended all transfers; `nil` if there is none.
    var failure: AFError? { contents.withLock { $0.failure } }

    /// Starts segments as long as ranges and connections are available.
    func fill() {
        // A session that is deallocated under the lock would call back here.
        let session = download.session
        while let segment = contents.withLock({ nextSegment(&$0, session) }) { start(segment) { $0.resume() } }
    }

    /// Sets the segments to the download's state.
    func steer() {
        for segment in contents.withLock({ Array($0.running.values) }) { steer(segment) }
    }

    /// Handles the end of the download's own transfer.
    ///
    /// If others are running, a segment takes over a failure that is not final, and asks the retriers.
    func ownTransferEnded(_ error: AFError?, isFinal: Bool, then end: @escaping End) {
        let session = download.session
        let (heir, isOver) = contents.withLock { contents -> (SegmentRequest?, Bool) in
            contents.isOwnRunning = false
            contents.end = end
            guard let error, contents.failure == nil else { return (nil, false) }
            if !isFinal, !contents.running.isEmpty, let heir = makeSegment(ownPiece, session) {
                contents.running[ownPiece] = heir
                contents.isForgiven = true
                return (heir, false)
            }
            if contents.running.isEmpty, !isFinal {
                // The download itself asks the retriers; there are no further segments until then.
                contents.width = 0
                return (nil, false)
            }
            contents.failure = error
            return (nil, true)
        }
        if let heir, let error { start(heir) { $0.takeUp(download.lastRequest, after: error) } }
        if isOver { stop() }
        goOn()
    }

    private func nextSegment(_ contents: inout Contents, _ session: Session?) -> SegmentRequest? {
        guard contents.failure == nil, contents.runningCount < contents.width, !download.isCancelled,
            let piece = receiver.takePiece(ofAtLeast: minimum)
        else { return nil }
        guard let segment = makeSegment(piece.number, session) else {
            receiver.giveBackPiece(piece.number)
            contents.failure = .sessionDeinitialized
            return nil
        }
        contents.running[piece.number] = segment
        return segment
    }

    private func makeSegment(_ piece: Int, _ session: Session?) -> SegmentRequest? {
        session.map { SegmentRequest(piece, of: download, in: $0) }
    }

    private func start(_ segment: SegmentRequest, _ begin: (SegmentRequest) -> Void) {
        download.note(segment)
        segment.whenFinished { [self] _ in didEnd(segment) }
        // Otherwise resuming the download starts it.
        if download.isResumed { begin(segment) }
        steer(segment)
    }

    /// Callers race, so the state is checked again after each call.
    private func steer(_ segment: SegmentRequest) {
        var obeyed: Request.State?
        while case let state = download.state, state != obeyed {
            switch state {
            case .resumed: segment.resume()
            case .suspended: segment.suspend()
            case .cancelled: segment.cancel()
            case .initialized, .finished: break
            }
            obeyed = state
        }
    }

    private func didEnd(_ segment: SegmentRequest) {
        let error = segment.error
        let isOver = contents.withLock { contents in
            contents.running[segment.piece] = nil
            receiver.giveBackPiece(segment.piece)
            guard let error, contents.failure == nil else { return false }
            // A server that rejects this number of connections gets fewer.
            if error.responseCode != nil, contents.runningCount > 0 {
                contents.width = contents.runningCount
                return false
            }
            contents.failure = error.ofDownload
            return true
        }
        if isOver { stop() }
        goOn()
    }

    /// Cancels the running segments.
    private func stop() {
        let (segments, isOwnRunning) = contents.withLock { (Array($0.running.values), $0.isOwnRunning) }
        for segment in segments { segment.cancel() }
        if isOwnRunning { download.task?.cancel() }
    }

    private func goOn() {
        fill()
        let (end, isForgiven) = contents.withLock { contents in
            (contents.runningCount == 0 ? contents.end.take() : nil, contents.isForgiven)
        }
        end?(isForgiven)
    }
}

extension AFError {
    /// The download's error for a segment's error.
    ///
    /// A rejected status is wrapped: as `responseCode` it would seem to be the status of the download's own response,
    /// which may be acceptable.
    fileprivate var ofDownload: AFError {
        responseCode.map { .sessionTaskFailed(error: DownloadFailure(.partRefused(status: $0), path: "")) } ?? self
    }
}
