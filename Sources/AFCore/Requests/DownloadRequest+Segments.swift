internal import AFHTTP
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

    /// Fetches the file in several ranges at once, where the server allows that. It pays where each connection is slowed
    /// down, and over HTTP/1: over HTTP/2 all of them share one.
    ///
    /// The first request asks for everything, as without. When the response has a strong validator, a length and
    /// `Accept-Ranges: bytes`, other requests ask for the parts behind with `Range` and `If-Range`, and the first one is
    /// ended where the second part begins. The disk must have room for all of it at that time. Whoever is through takes
    /// over half of what the slowest lacks. A part that fails is retried by itself, as the session's retriers have it, and
    /// a final failure ends the download; so does not a status that refuses one of several: then fewer go on.
    ///
    /// A part that is not of the same version, or not the range that was asked for, discards all of them: then the file is
    /// fetched anew in one piece. Digests are made of the file as it is in the end. `maximumReceiveRate` holds for
    /// all parts together; `ConnectionLimits.perHost` must allow as many connections.
    ///
    /// ```swift
    /// let file = try await session.download(image, to: destination)
    ///     .segmented(into: 4)
    ///     .serializingDownloadedFileURL()
    ///     .value
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many transfers run at once; 1 is the same as not to call this.
    ///   - minimumLength: No part is cut into shorter ones than so many bytes.
    @discardableResult
    public func segmented(into count: Int, ofAtLeast minimumLength: Int64 = 1 << 20) -> Self {
        precondition(count > 0 && minimumLength > 0, "There is at least one segment, and it is at least a byte long.")
        let rate = session?.configuration.network.maximumReceiveRate.flatMap(SharedRate.init)
        let segmentation = Segmentation(count: count, minimum: minimumLength, rate: rate)
        files.withLock { $0.segmentation = count > 1 ? segmentation : nil }
        return self
    }

    /// The past and current requests for segments of the file, in the order of their start.
    public var segments: [SegmentRequest] { files.withLock { $0.segments } }

    // For segments.

    /// Whether the download has failed.
    var hasFailed: Bool {
        let (failure, segmented) = files.withLock { ($0.failure, $0.segmented) }
        return failure != nil || segmented?.failure != nil
    }

    func note(_ segment: SegmentRequest) { files.withLock { $0.segments.append(segment) } }

    /// Returns the missing range of a part; `nil` if it is complete.
    func rest(ofPiece number: Int) -> Range<Int64>? {
        files.withLock({ $0.segmented })?.receiver.rest(ofPiece: number)
    }

    /// Returns a request for a range of the current version.
    func makeURLRequest(for range: Range<Int64>) throws -> URLRequest {
        var request = try makeWholeRequest()
        guard let validator = files.withLock({ $0.segmented })?.receiver.version.validator else {
            throw AFError.explicitlyCancelled
        }
        // Conditions that have been decided.
        for name in ["If-None-Match", "If-Modified-Since"] { request.headers.remove(name: name) }
        request.headers.update(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        request.headers.update(name: "If-Range", value: validator)
        return request
    }

    /// Whether a response contains exactly this range of the current version.
    func isPart(_ response: HTTPURLResponse, of range: Range<Int64>) -> Bool {
        let (segmented, isVerified) = files.withLock { ($0.segmented, !$0.checksums.isEmpty) }
        return segmented?.receiver.version.isContinued(by: response, in: range, isVerified: isVerified) ?? false
    }

    /// Writes bytes of a part, on the transport's thread.
    func receive(_ bytes: UnsafeRawBufferPointer, ofPiece number: Int, from task: TransferTask) -> Flow {
        guard let receiver = files.withLock({ $0.failure == nil ? $0.segmented?.receiver : nil }) else { return .stop }
        let flow = note(bytes, in: receiver, from: task) { () throws(DownloadFailure) in
            try receiver.receive(bytes, ofPiece: number)
        }
        guard flow == .proceed, receiver.rest(ofPiece: number) == nil else { return flow }
        // A response that ends here leaves its connection reusable.
        let received = task.countOfBytesReceived + Int64(bytes.count)
        return task.response?.expectedContentLength == received ? .proceed : .stop
    }

    // For the download itself.

    /// Divides the file among several transfers if that is requested and possible, or if an earlier run left gaps.
    func divide(_ receiver: FileReceiver, after response: HTTPURLResponse) throws(DownloadFailure) {
        let version = receiver.version
        let wanted = files.withLock({ $0.segmentation }).flatMap { mayDivide(version, response, $0) ? $0 : nil }
        guard wanted != nil || version.segments != nil else { return }
        let minimum = wanted?.minimum ?? .max
        guard let piece = try receiver.divide(into: wanted?.count ?? 1, ofAtLeast: minimum) else { return }
        let segmented = SegmentedDownload(
            self,
            receiver,
            ownPiece: piece.number,
            width: wanted?.count ?? 1,
            minimum: minimum
        )
        files.withLock { $0.segmented = segmented }
        segmented.fill()
    }

    private func mayDivide(_ version: DownloadRecord, _ response: HTTPURLResponse, _ wanted: Segmentation) -> Bool {
        guard let length = version.length, version.validator != nil, let request = task?.currentRequest,
            request.method ?? .get == .get, task?.originalRequest.method ?? .get == .get,
            contents.withLock({ $0.sentBody == nil }),
            // A range that the caller requested is not a segment.
            request.headers["Range"] == nil || files.withLock({ $0.asked != nil }),
            (length - version.savedBytes) / 2 >= wanted.minimum,
            length <= session?.configuration.limits.bodyBytes ?? .max,
            // libcurl 7.88 loses transfers that join a connection in cleartext HTTP/2 while it is in use.
            session?.configuration.httpVersion != .http2PriorKnowledge
        else { return false }
        return response.statusCode == 206 || response.acceptsByteRanges
    }
}
