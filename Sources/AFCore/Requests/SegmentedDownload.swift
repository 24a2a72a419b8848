internal import AFHTTP
internal import Synchronization

/// One attempt at a download with several transfers: the download's own, and the segments beside it.
///
/// Whoever ends fetches what nobody has taken yet, or half of what the slowest lacks. Decisions are made under the lock,
/// and acted upon outside it.
final class SegmentedDownload: Sendable {
    /// Called when all of them are over; whether the failure of the own transfer was made up for.
    typealias End = @Sendable (_ isForgiven: Bool) -> Void

    private struct Contents {
        /// How many may run at once.
        var width: Int
        /// By the numbers of their pieces.
        var running: [Int: SegmentRequest] = [:]
        var isOwnRunning = true
        /// What ends all of them.
        var failure: AFError?
        var isForgiven = false
        var end: End?

        var runningCount: Int { running.count + (isOwnRunning ? 1 : 0) }
    }

    /// What the download's own transfer fetches.
    let ownPiece: Int
    let receiver: FileReceiver
    private let download: DownloadRequest
    private let minimum: Int64
    private let contents: Mutex<Contents>

    /// - Parameter width: How many transfers may run at once, the own one included.
    init(_ download: DownloadRequest, _ receiver: FileReceiver, ownPiece: Int, width: Int, minimum: Int64) {
        self.download = download
        self.receiver = receiver
        self.ownPiece = ownPiece
        self.minimum = minimum
        contents = Mutex(Contents(width: width))
    }

    /// What ended all of them; `nil` as long as nothing did.
    var failure: AFError? { contents.withLock { $0.failure } }

    /// Starts segments as long as there is something to fetch for one more.
    func fill() {
        // A session that ended under the lock would come back here.
        let session = download.session
        while let segment = contents.withLock({ nextSegment(&$0, session) }) { start(segment) { $0.resume() } }
    }

    /// Makes the segments do what the download's state says.
    func steer() {
        for segment in contents.withLock({ Array($0.running.values) }) { steer(segment) }
    }

    /// The download's own transfer is over.
    ///
    /// A failure that is not final is taken up by a segment, as long as others run: that one asks the retriers.
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
                // It is the download's to ask the retriers.
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
        // One that waits is started by whoever lets the download go on.
        if download.isResumed { begin(segment) }
        steer(segment)
    }

    /// Callers race, so it looks again after each order.
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
            // A server that does not want so many at once gets fewer.
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

    /// Ends what is still under way.
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
    /// What a segment's error is to its download, whose own response may have been a good one.
    fileprivate var ofDownload: AFError {
        responseCode.map { .sessionTaskFailed(error: DownloadFailure(.partRefused(status: $0), path: "")) } ?? self
    }
}
