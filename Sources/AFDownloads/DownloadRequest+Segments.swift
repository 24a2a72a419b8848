internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// Downloads in several segments at once.
extension DownloadRequest {
    /// The caller's options for segments.
    struct Segmentation {
        let count: Int
        let minimum: Int64
        /// The rate limit of all transfers, if the session has one.
        let rate: SharedRate?
    }

    /// Downloads the file in several concurrent ranges, if the server supports that. This is useful if the server
    /// limits the rate of each connection, and over HTTP/1: over HTTP/2 all ranges share one connection.
    ///
    /// The first request is for the complete file. If the response has a strong validator, a length and `Accept-Ranges:
    /// bytes`, further requests with `Range` and `If-Range` download the other parts, and the first one ends at the
    /// start of the second part. The disk must have space for the complete file. A transfer that completes its part
    /// continues with half of the largest missing range. A failed part is retried by itself according to the session's
    /// retriers, and its final failure ends the download; a status that rejects one of several only reduces their
    /// number.
    ///
    /// A response of another version, or with another range, discards all parts: the file is then downloaded again
    /// sequentially. Digests are computed of the complete file. `maximumReceiveRate` applies to all parts together; with
    /// it, a download over HTTP/2 is sequential. `ConnectionLimits.perHost` must allow the number of connections.
    ///
    /// ```swift
    /// let file = try await session.download(image, to: destination)
    ///     .segmented(into: 4)
    ///     .serializingDownloadedFileURL()
    ///     .value
    /// ```
    ///
    /// - Parameters:
    ///   - count: The maximum number of concurrent transfers; 1 has no effect.
    ///   - minimumLength: The minimum length of a part in bytes.
    @discardableResult
    public func segmented(into count: Int, ofAtLeast minimumLength: Int64 = 1 << 20) -> Self {
        precondition(count > 0 && minimumLength > 0, "There is at least one segment, and it is at least a byte long.")
        let rate = session?.configuration.network.maximumReceiveRate.flatMap(SharedRate.init)
        let segmentation = Segmentation(count: count, minimum: minimumLength, rate: rate)
        downloadState.withLock { $0.segmentation = count > 1 ? segmentation : nil }
        return self
    }

    /// The past and current requests for segments of the file, in the order of their start.
    public var segments: [SegmentRequest] { downloadState.withLock { $0.segments } }

    // For segments.

    /// Whether the download has failed.
    var hasFailed: Bool {
        let (failure, segments) = downloadState.withLock { ($0.file.failure, $0.file.output?.segments) }
        return failure != nil || segments?.failure != nil
    }

    func add(_ segment: SegmentRequest) { downloadState.withLock { $0.segments.append(segment) } }

    /// The file that several transfers share; `nil` if the download has no segments.
    private var sharedWriter: DownloadWriter? { downloadState.withLock({ $0.file.output?.segments })?.writer }

    /// Returns the range that the transfer of a segment requests; `nil` if the segment is complete.
    func rest(ofSegment number: Int) -> Range<Int64>? { sharedWriter?.rest(ofSegment: number)?.requested }

    /// Lets the next transfer of a segment compare the end of the bytes on disk.
    func rejoin(segment number: Int, after new: Int64) { sharedWriter?.rejoin(number, after: new) }

    /// Returns a request for a range of the version of the file that is being downloaded.
    func makeURLRequest(for range: Range<Int64>) throws(AFError) -> URLRequest {
        var request = try makeCompleteRequest()
        guard let version = sharedWriter?.version else { throw .explicitlyCancelled }
        // The first response has already met these conditions.
        for name in ["If-None-Match", "If-Modified-Since"] { request.headers.remove(name: name) }
        request.headers.update(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        if let validator = version.validator { request.headers.update(name: "If-Range", value: validator) }
        return request
    }

    /// Whether a response contains exactly this range of the current version.
    func isPart(_ response: HTTPURLResponse, of range: Range<Int64>) -> Bool {
        let isVerified = downloadState.withLock { !$0.checksums.isEmpty }
        return sharedWriter?.version.isContinued(by: response, in: range, isVerified: isVerified) ?? false
    }

    /// Writes bytes of a segment, on the transport's thread.
    ///
    /// - Parameter rangeLength: The length of the range that the task receives; `nil` for a complete response.
    func receive(
        _ bytes: UnsafeRawBufferPointer,
        ofSegment number: Int,
        from task: TransferTask,
        _ rangeLength: Int64?
    ) -> Flow {
        let (failure, output) = downloadState.withLock { ($0.file.failure, $0.file.output) }
        guard failure == nil, let output, output.segments != nil else { return .stop }
        return write(bytes, to: output.writer, segment: number, from: task, rangeLength)
    }

    // For the download itself.

    /// Requests what the response to a resume left out, range by range.
    ///
    /// - Parameter completion: Called after the last range.
    func continueRest(of writer: DownloadWriter, then completion: @escaping @Sendable () -> Void) {
        writer.openRest()
        // No segment has this number: the own transfer has ended.
        let rest = SegmentedDownload(self, writer, ownSegment: 0, width: 1, minimum: .max)
        share(rest)
        rest.ownTransferEnded(nil, isFinal: false) { _ in completion() }
    }

    /// Divides the file among several transfers if that is requested and possible, or if an earlier run left gaps.
    func divide(_ writer: DownloadWriter, after response: HTTPURLResponse) throws(DownloadFailure) {
        let version = writer.version
        let segmentation = downloadState.withLock({ $0.segmentation })
            .flatMap { mayDivide(version, response, $0) ? $0 : nil }
        guard segmentation != nil || version.segments != nil else { return }
        let (count, minimum) = (segmentation?.count ?? 1, segmentation?.minimum ?? .max)
        guard let segment = try writer.divide(into: count, ofAtLeast: minimum) else { return }
        let segments = SegmentedDownload(self, writer, ownSegment: segment.number, width: count, minimum: minimum)
        share(segments)
        segments.startSegments()
    }

    /// Lets several transfers share the file, which then have the state of this request.
    private func share(_ segments: SegmentedDownload) {
        downloadState.withLock { $0.file.divide(among: segments) }
        observeState { [weak segments] in segments?.applyState() }
    }

    private func mayDivide(_ version: DownloadRecord, _ response: HTTPURLResponse, _ segmentation: Segmentation) -> Bool
    {
        guard let length = version.length, version.validator != nil, let request = task?.currentRequest,
            request.method ?? .get == .get, task?.originalRequest.method ?? .get == .get,
            !hasBody,
            // A range that the caller requested is not a segment.
            request.headers["Range"] == nil || downloadState.withLock({ $0.earlier.resumed != nil }),
            (length - version.savedBytes) / 2 >= segmentation.minimum,
            length <= session?.configuration.limits.bodyBytes ?? .max,
            // libcurl 7.88 loses transfers that join a connection in cleartext HTTP/2 while it is in use.
            session?.configuration.httpVersion != .http2PriorKnowledge,
            // With a rate limit, the window of the first stream fills the connection that all ranges share.
            segmentation.rate == nil || response.httpVersion.hasPrefix("HTTP/1")
        else { return false }
        return response.statusCode == 206 || response.acceptsByteRanges
    }
}
