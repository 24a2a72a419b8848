@_spi(Requests) internal import AFRequests
internal import AFTransport

/// The running transfers of a segmented download: which may start, and how all of them end.
///
/// A value without locks and requests: methods report events and return what follows, so that tests can check each of them.
struct SegmentSchedule {
    /// The action after the end of the download's own transfer.
    enum OwnEnd: Equatable {
        case proceed
        /// A segment replaces the failed transfer and asks the retriers.
        case replace
        /// The failure ends the other transfers.
        case stop
    }

    /// The length below which the parts of ranges that a server sends are counted, and their maximum number.
    static let (smallPart, maximumSmallParts): (Int64, Int) = (64 << 10, 1000)

    /// The maximum number of concurrent transfers, including the download's own.
    private(set) var width: Int
    /// The numbers of the running segments.
    private(set) var running: Set<Int> = []
    private(set) var isOwnRunning = true
    /// The failure that ends all transfers.
    private(set) var failure: DownloadRequest.Failure?
    /// Whether a segment replaced the download's own failed transfer.
    private(set) var isCompletedBySegment = false
    /// The number of ranges of which the server sent a small part.
    private var smallParts = 0

    init(width: Int) { self.width = width }

    private var runningCount: Int { running.count + (isOwnRunning ? 1 : 0) }

    /// Whether another transfer may start.
    var hasSpace: Bool { failure == nil && runningCount < width }

    /// Whether all transfers have ended.
    var isOver: Bool { runningCount == 0 }

    /// Reserves a transfer for a segment.
    mutating func start(_ number: Int) { running.insert(number) }

    /// Handles a segment that could not be started.
    mutating func abandon(_ number: Int, because error: AFError) {
        running.remove(number)
        failure = failure ?? .attempt(.request(error))
    }

    /// Handles the end of the download's own transfer.
    ///
    /// - Parameters:
    ///   - number: The number of its segment.
    ///   - isFinal: Whether retriers are not asked.
    ///   - mayReplace: Whether a segment can replace it.
    mutating func ownTransferEnded(
        _ number: Int,
        _ failure: DownloadRequest.Failure?,
        isFinal: Bool,
        mayReplace: Bool
    ) -> OwnEnd {
        isOwnRunning = false
        guard let failure, self.failure == nil else { return .proceed }
        if !isFinal, !running.isEmpty, mayReplace {
            start(number)
            isCompletedBySegment = true
            return .replace
        }
        if running.isEmpty, !isFinal {
            // The download itself asks the retriers; there are no further segments until then.
            width = 0
            return .proceed
        }
        self.failure = failure
        return .stop
    }

    /// Handles the end of a segment.
    ///
    /// - Parameter isSmallPart: Whether the server sent a small part of the range, without an error.
    /// - Returns: Whether the other transfers have to stop.
    mutating func segmentEnded(_ number: Int, _ failure: DownloadRequest.Failure?, isSmallPart: Bool) -> Bool {
        running.remove(number)
        if isSmallPart {
            smallParts += 1
            guard smallParts <= Self.maximumSmallParts else {
                self.failure = self.failure ?? .attempt(.transfer(.shortSegment))
                return true
            }
        }
        guard let failure, self.failure == nil else { return false }
        // A server that rejects this number of connections gets fewer.
        let status = failure.error.responseCode
        if status != nil, runningCount > 0 {
            width = runningCount
            return false
        }
        // As the download's `responseCode` it would seem to be the status of its own response, which may be acceptable.
        self.failure = status.map { .download(DownloadFailure(.segmentRejected(status: $0), path: "")) } ?? failure
        return true
    }
}

extension TransferFailure {
    /// The failure of a response that was shorter than its announced range.
    static var shortSegment: TransferFailure {
        TransferFailure(.truncated, "the server sent less than the range that it announced")
    }
}
