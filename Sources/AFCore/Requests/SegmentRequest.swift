internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// A request for one segment of a ``DownloadRequest`` that is ``DownloadRequest/segmented(into:ofAtLeast:)``.
///
/// The download creates and starts it, and fails if the segment fails. Otherwise it is a request like any other:
/// adapters, retriers and monitors of the session and the download process it separately, and redirects are followed
/// from the first URL, so that the rules for credentials apply.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
public final class SegmentRequest: Request, @unchecked Sendable {
    private struct Attempt {
        /// The requested range.
        var range: Range<Int64>?
        /// The length of the response's range; `nil` if it has none.
        var rangeLength: Int64?
        var failure: AFError?
    }

    /// The download; `nil` after it was deallocated.
    public weak let download: DownloadRequest?
    /// The index of the segment in the file's map.
    let segmentIndex: Int
    private let attempt = Mutex(Attempt())

    init(_ segmentIndex: Int, of download: DownloadRequest, in session: Session) {
        self.segmentIndex = segmentIndex
        self.download = download
        super.init(RequestOrigin(session: session, interceptor: download.interceptor, shouldAutomaticallyResume: false))
        let (credential, handler, monitor) = download.mutableState.withLock { mutableState in
            (mutableState.credential, mutableState.redirectHandler, mutableState.eventMonitor)
        }
        hasOwnMonitors.store(download.hasOwnMonitors.load(ordering: .acquiring), ordering: .releasing)
        mutableState.withLock { mutableState in
            (mutableState.credential, mutableState.redirectHandler, mutableState.eventMonitor) = (
                credential, handler, monitor
            )
        }
    }

    override func makeURLRequest() throws -> URLRequest {
        guard let download, let range = download.rest(ofSegment: segmentIndex) else {
            throw AFError.explicitlyCancelled
        }
        attempt.withLock { $0.range = range }
        return try download.makeURLRequest(for: range)
    }

    override var receiveBufferSize: Int { download?.receiveBufferSize ?? 0 }
    override var sharedRate: SharedRate? { download?.sharedRate }

    override func receive(_ response: HTTPURLResponse) {
        let range = attempt.withLock { attempt in
            attempt.rangeLength = response.partLength
            return attempt.range
        }
        guard let range, let download else { return }
        if download.isPart(response, of: range) { return }
        let failure: AFError =
            switch response.statusCode {
            // Another version, or a server that does not support ranges as announced.
            case 200, 206, 412, 416: .sessionTaskFailed(error: DownloadFailure(.wrongRange, path: ""))
            case let code: .responseValidationFailed(reason: .unacceptableStatusCode(code: code))
            }
        attempt.withLock { $0.failure = failure }
    }

    /// A range is of the file's encoded bytes, or not accepted.
    override func decodesBody(of response: HTTPURLResponse) -> Bool? { false }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (failure, rangeLength) = attempt.withLock { ($0.failure, $0.rangeLength) }
        guard failure == nil, let task, let download else { return .stop }
        return download.receive(bytes, ofSegment: segmentIndex, from: task, rangeLength)
    }

    /// Sets the segment to the download's state.
    ///
    /// The download's state is read under the segment's lock: of several callers, the last one reads the latest state.
    func followDownload() {
        guard let download else { return }
        change({ download.isResumed ? $0.resume() : .none }, event: { $0.requestDidResume($1) })
        change({ download.isSuspended ? $0.suspend() : .none }, event: { $0.requestDidSuspend($1) })
        if download.isCancelled { cancel() }
    }

    override var localFailure: AFError? { attempt.withLock { $0.failure } }

    /// Another segment may have taken over the rest.
    override var isHeaderSufficient: Bool {
        attempt.withLock({ $0.failure == nil }) && download?.rest(ofSegment: segmentIndex) == nil
    }

    override var hasConclusion: Bool { true }

    override func conclude(after error: AFError?, then completion: @escaping @Sendable (AFError?) -> Void) {
        let isComplete = download?.rest(ofSegment: segmentIndex) == nil || task?.hasWholeRange == true
        completion(error ?? (isComplete ? nil : .shortSegment))
    }

    /// A failure caused by the disk or by another version on the server.
    override var isFinal: Bool {
        download?.hasFailed != false || attempt.withLock({ $0.failure?.underlyingError is DownloadFailure })
    }

    override func resetForRetry() {
        attempt.withLock { $0 = Attempt() }
        download?.rejoin(segment: segmentIndex, after: (task ?? download?.task)?.countOfBytesReceived ?? 0)
    }
}

extension TransferTask {
    /// The number of bytes in the range of the response; `nil` if it has none.
    var rangeLength: Int64? { response?.partLength }

    /// Whether all bytes of the response's range were received.
    var hasWholeRange: Bool { rangeLength == countOfBytesReceived }
}
