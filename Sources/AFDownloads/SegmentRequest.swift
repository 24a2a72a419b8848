public import AFHTTP
@_spi(Requests) public import AFRequests
public import AFTransport
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
        /// The failure because of which the body is not received.
        var failure: DownloadRequest.Failure?
        /// The first bytes of that body.
        var rejectedBytes: [UInt8] = []
    }

    /// The download; `nil` after it was deallocated.
    public weak let download: DownloadRequest?
    /// The index of the segment in the file's map.
    let segmentIndex: Int
    private let attempt = Mutex(Attempt())

    /// The first bytes of a response that is not the requested range, at most 1000; empty for others. They may show the
    /// server's explanation.
    public var rejectedBytes: [UInt8] { attempt.withLock { $0.rejectedBytes } }

    /// The failure of the ended request, for the download; `nil` if the segment is complete.
    var failure: DownloadRequest.Failure? {
        guard let error else { return nil }
        let failure = attempt.withLock { $0.failure }
        return failure?.reason == nil || error.isExplicitlyCancelledError ? .attempt(.request(error)) : failure
    }

    init(_ segmentIndex: Int, of download: DownloadRequest, in session: Session) {
        self.segmentIndex = segmentIndex
        self.download = download
        super.init(RequestOrigin(session: session, interceptor: download.interceptor, shouldAutomaticallyResume: false))
        inherit(from: download)
    }

    @_spi(Requests) public override func startAttempt(_ number: Int) -> Preparation {
        if number > 0 {
            attempt.withLock { $0 = Attempt() }
            download?.rejoin(segment: segmentIndex, after: (task ?? download?.task)?.countOfBytesReceived ?? 0)
        }
        return .queue
    }

    @_spi(Requests) public override func makeURLRequest() throws(AFError) -> URLRequest {
        guard let download, let range = download.rest(ofSegment: segmentIndex) else {
            throw AFError.explicitlyCancelled
        }
        attempt.withLock { $0.range = range }
        return try download.makeURLRequest(for: range)
    }

    @_spi(Requests) public override func configure(_ hop: inout Hop) { download?.configure(&hop) }

    @_spi(Requests) public override func receive(_ response: HTTPURLResponse) {
        let range = attempt.withLock { attempt in
            attempt.rangeLength = response.partLength
            return attempt.range
        }
        guard let range, let download else { return }
        if download.isPart(response, of: range) { return }
        let code = response.statusCode
        // Another version, or a server that does not support ranges as announced.
        let isOfRanges = code == 200 || code == 206 || response.mayRefuseRange(isConditional: false)
        let failure: DownloadRequest.Failure =
            isOfRanges
            ? .download(DownloadFailure(.wrongRange, path: ""))
            : .attempt(.request(.responseValidationFailed(reason: .unacceptableStatusCode(code: code))))
        attempt.withLock { $0.failure = failure }
    }

    /// A range is of the file's encoded bytes, or not accepted.
    @_spi(Requests) public override func decodesBody(of response: HTTPURLResponse) -> Bool? { false }

    @_spi(Requests) public override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (failure, rangeLength) = attempt.withLock { attempt in
            if attempt.failure != nil { attempt.rejectedBytes = Array(bytes.prefix(1000)) }
            return (attempt.failure, attempt.rangeLength)
        }
        guard failure == nil, let task, let download else { return .stop }
        return download.receive(bytes, ofSegment: segmentIndex, from: task, rangeLength)
    }

    @_spi(Requests) public override func finishTransfer(_ end: TransferEnd) {
        var end = end
        end.localFailure = attempt.withLock { $0.failure?.ofAttempt }
        // Another segment may have taken over the rest.
        if end.localFailure == nil, download?.rest(ofSegment: segmentIndex) == nil { end.failure = nil }
        endTransfer(end)
    }

    @_spi(Requests) public override func finishAttempt(with failure: AttemptFailure?) {
        let isComplete = download?.rest(ofSegment: segmentIndex) == nil || task?.hasWholeRange == true
        endAttempt(with: failure ?? (isComplete ? nil : .transfer(.shortSegment)))
    }

    @_spi(Requests) public override func retryRule() -> RetryRule {
        // A failure caused by the disk or by another version on the server.
        let isFinal = download?.hasFailed != false || attempt.withLock { $0.failure?.reason != nil }
        return isFinal ? .doNotRetry : .askRetriers
    }
}

extension TransferTask {
    /// The number of bytes in the range of the response; `nil` if it has none.
    var rangeLength: Int64? { response?.partLength }

    /// Whether all bytes of the response's range were received.
    var hasWholeRange: Bool { rangeLength == countOfBytesReceived }
}
