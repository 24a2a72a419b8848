public import AFHTTP
@_spi(Requests) public import AFRequests
public import AFTransport
internal import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A request whose response body is saved to a file.
///
/// The body is written to a partial file beside its destination, which is renamed when it is complete: an existing file
/// stays until then. A retry resumes the previous attempt if the server's validators show that the rest belongs to it.
///
/// The transport's thread reports the header, the body and the end of a transfer: it writes bytes as soon as there is a
/// file. Work that may wait for the disk, and the program's code, runs on `queue`, in this
/// order: the check of an earlier partial file, the choice of the destination, the creation of the file and the bytes that
/// were buffered meanwhile, the last bytes, the validators, and the rename. `resume`, `suspend` and `cancel` come from any
/// thread.
///
/// `@unchecked` like its superclass; every property added here is immutable, a `Mutex`, or used by one thread after another.
public final class DownloadRequest: Request, @unchecked Sendable {
    /// How a file gets to its destination.
    public typealias Options = DownloadOptions

    /// A closure that returns the destination, given the default destination and the final response's header.
    ///
    /// Called before the body is written, on a queue of the request: it may wait for the disk. The request does not end
    /// before it returns, even if it is canceled; over HTTP/2, libcurl may buffer 32 MiB of the body meanwhile.
    public typealias Destination =
        @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// A closure that returns the path of the destination: Foundation takes 75,000 instructions for the URLs of a file.
    package typealias ResponseDestination =
        @Sendable (_ response: HTTPURLResponse) -> (path: String, options: Options)

    /// The source of a download.
    public enum Downloadable: Sendable {
        /// A request.
        case request(any URLRequestConvertible)
        /// The resume data of an earlier download; see ``DownloadRecord``.
        case resumeData(Data)
    }

    /// A validation of the request, the response header and the file; a failure ends the attempt without renaming it.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, URL?) -> ValidationResult

    /// The file of an attempt.
    typealias File = DownloadFile<DownloadWriter, SegmentedDownload>

    /// The source of the download.
    public let downloadable: Downloadable
    let destination: Destination?
    /// Replaces ``destination``.
    let responseDestination: ResponseDestination?
    let downloadState: OrderedMutex<DownloadState>
    /// The digests of the current response, if it is encoded. Used by the transport's thread, and after its last call by
    /// the queue.
    var codedDigests: CodedDigests?
    /// The serial queue for operations that wait for the disk, unless ``DownloadState/smallFiles`` is another one.
    let ownQueue = DispatchQueue(label: "org.afcli.download")

    init(
        _ downloadable: Downloadable,
        resumeData: Data?,
        known: DownloadRecord? = nil,
        destination: Destination?,
        responseDestination: ResponseDestination? = nil,
        smallFiles: SmallFileQueue? = nil,
        _ origin: RequestOrigin
    ) {
        self.downloadable = downloadable
        self.destination = destination
        self.responseDestination = responseDestination
        let record = resumeData.flatMap { try? DownloadRecord(json: $0) }
        let earlier = DownloadState.EarlierBytes(record: record, known: known)
        downloadState = OrderedMutex(DownloadState(earlier: earlier, smallFiles: smallFiles))
        super.init(origin, validationQueue: ownQueue)
    }

    /// The queue of the current attempt. It changes only while none of them has work: with a header or bytes that show
    /// that the body is not a small file, and before a small file is saved.
    var queue: DispatchQueue { downloadState.withLock(\.smallFiles)?.queue ?? ownQueue }

    /// The URL of the complete file; during a validation that of the file to validate.
    public var fileURL: URL? {
        let (path, validated) = downloadState.withLock { ($0.file.path, $0.validatedURL) }
        return path.map { URL(literalPath: $0) } ?? validated
    }

    /// The data for resuming a failed download; see ``DownloadRecord``. `nil` if that is impossible.
    public var resumeData: Data? {
        keepsPartialFile ? downloadState.withLock { $0.resumeData } : nil
    }

    /// Whether the received bytes are kept if the download fails.
    var keepsPartialFile: Bool {
        let (keeps, outlastsCancellation) = downloadState.withLock { ($0.keepsPartialFile, $0.outlastsCancellation) }
        return keeps && (outlastsCancellation || !isCancelled)
    }

    /// The fault of the server's validators because of which the download was restarted; `nil` if none is proven.
    public var validatorFault: ValidatorFault? { downloadState.withLock { $0.earlier.validatorFault } }

    /// Cancels. With `true`, the received bytes are kept for another download, see ``resumeData``. With `false`, and if
    /// the request is canceled in another way, they are discarded with those of earlier attempts and downloads: the
    /// partial file is removed before any response handler is called.
    ///
    /// The first call counts.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        if shouldProduceResumeData, !isCancelled { downloadState.withLock { $0.outlastsCancellation = true } }
        return cancel()
    }

    /// Cancels, then calls back with the resume data or `nil`; immediately if the request has ended.
    ///
    /// The handler runs on the thread that ends the request, which may be the caller's or the transport's, and must not
    /// block. It returns before any response handler is called.
    @discardableResult
    public func cancel(byProducingResumeData handler: @escaping @Sendable (_ data: Data?) -> Void) -> Self {
        whenFinished { [unowned self] _ in handler(resumeData) }
        return cancel(producingResumeData: true)
    }

    /// Adds a validation of the response; validations run in order until one fails, on the queue of the `Destination`.
    ///
    /// The file is not at its destination yet: a rejected response never replaces an existing file.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { [unowned self] response in failure(of: validation, response) }
        return self
    }

    private func failure(of validation: Validation, _ response: HTTPURLResponse) -> AFError? {
        let (request, fileURL) = (request, receivedFileURL)
        downloadState.withLock { $0.validatedURL = fileURL }
        let result = validation(request, response, fileURL)
        downloadState.withLock { $0.validatedURL = nil }
        observers?.notifyOfDownload {
            $0.request(self, didValidateRequest: request, response: response, fileURL: fileURL, withResult: result)
        }
        return result.validationError
    }

    /// Adds checksums: the file is renamed only if its bytes match all of them.
    ///
    /// The server's digests (`Repr-Digest`, `Content-Digest`, `Digest`, `Content-MD5`) are always checked. Bytes of an
    /// earlier download are read again. They apply to any status; see ``DownloadOptions/skipChecksums``.
    @discardableResult
    public func validate(checksums: Checksum...) -> Self {
        validate { _ in checksums }
    }

    /// Adds checksums that depend on the destination; an empty result fails the request.
    ///
    /// Called after the destination is chosen, on the same queue.
    @discardableResult
    public func validate(checksums: @escaping @Sendable (_ destinationURL: URL) -> [Checksum]) -> Self {
        downloadState.withLock { $0.checksums.append(checksums) }
        return self
    }

    // The attempt

    /// Returns a request for the complete file.
    func makeCompleteRequest() throws(AFError) -> URLRequest {
        var request =
            switch downloadable {
            case .request(let convertible): try convertible.makeURLRequest()
            case .resumeData(let data): try RequestConvertible(url: Self.record(in: data).url).makeURLRequest()
            }
        // An encoded body cannot be resumed, and its length differs from the file's.
        if Safety.refuses("06-identity", request.headers["Accept-Encoding"] == nil) {
            request.headers["Accept-Encoding"] = "identity"
        }
        return request
    }

    var decodesContent: Bool { session?.configuration.decodesContent ?? true }

    @_spi(Requests) public override func startAttempt(_ number: Int) -> Preparation {
        if number > 0 { downloadState.withLock { $0.resetForRetry() } }
        return needsNoQueue ? .none : .work { self.verifyFile(then: $0) }
    }

    /// Checks that the remainder of an earlier attempt matches its record.
    private func verifyFile(then completion: @escaping @Sendable () -> Void) {
        let decodesContent = decodesContent
        let (record, known) = downloadState.withLock { state in
            let record = state.resumableRecord(decodingContent: decodesContent)
            let known = state.earlier.verified
            if record == nil { (state.earlier.resumed, state.earlier.verified) = (nil, nil) }
            return (record, known)
        }
        guard let record else { return completion() }
        ownQueue.async {
            let verified = record.verified(known) {
                self.isCancelled || self.isDone
            }
            self.downloadState.withLock {
                ($0.earlier.resumed, $0.earlier.verified) = (verified == nil ? nil : record, verified)
            }
            completion()
        }
    }

    @_spi(Requests) public override func makeURLRequest() throws(AFError) -> URLRequest {
        var request = try makeCompleteRequest()
        let url = (try? request.httpURL)?.text ?? ""
        let decodesContent = decodesContent
        let (resumed, known) = downloadState.withLock { state in
            state.url = url
            if state.earlier.known?.isUsable(decodingContent: decodesContent) == false { state.earlier.known = nil }
            return (state.earlier.resumed, state.earlier.known)
        }
        if let resumed { resumed.addRange(to: &request) } else { known?.makeConditional(&request) }
        return request
    }

    @_spi(Requests) public override func makeBody(for request: URLRequest) throws(AFError) -> BodySource? {
        guard case .request(let convertible) = downloadable else { return nil }
        return try convertible.makeBody()
    }

    /// Whether the preparation is ``Preparation/none``: a small download has 11.6 context switches instead of 13.2, and
    /// as many instructions.
    private var needsNoQueue: Bool {
        guard case .request(let convertible) = downloadable, convertible is URLRequest else { return false }
        return downloadState.withLock { $0.earlier.isEmpty }
    }

    @_spi(Requests) public override func configure(_ hop: inout Hop) {
        // Fewer and larger writes.
        hop.receiveBufferSize = max(hop.receiveBufferSize, 128 << 10)
        hop.sharedRate = downloadState.withLock { $0.segmentation?.rate }
    }

    // The response

    @_spi(Requests) public override func receive(_ response: HTTPURLResponse) {
        do throws(DownloadFailure) {
            let pending = PendingFile(response: response, kind: try kind(of: response))
            let announced =
                response.headers.contentCodings.isEmpty || pending.kind.isDiscardable ? [] : response.announcedChecksums
            codedDigests = announced.isEmpty ? nil : CodedDigests(announced)
            let isLate = downloadState.withLock { state in
                // Two segments are longer than such a body, and a record needs its partial file.
                let mayBeDivided = (state.segmentation?.minimum ?? .max) <= BodyBuffer.maximumChunk / 2
                let mayWaitForEnd = state.earlier.record == nil && !mayBeDivided
                let buffer = pending.makeBuffer(mayWaitForEnd: mayWaitForEnd)
                if buffer.chunkLength == nil { state.smallFiles = nil }
                let isLate = state.smallFiles != nil
                state.file.begin(pending, buffer, isLate: isLate)
                return isLate
            }
            if !isLate { ownQueue.async { self.prepareFile(pending) } }
        } catch {
            _ = downloadState.withLock { $0.file.fail(error) }
        }
    }

    @_spi(Requests) public override func decodesBody(of response: HTTPURLResponse) -> Bool? {
        downloadState.withLock { $0.file.decodesBody() }
    }

    @_spi(Requests) public override func receiveEncoded(_ bytes: UnsafeRawBufferPointer) { codedDigests?.update(bytes) }

    /// Buffers bytes, or writes them.
    ///
    /// A chunk that is written takes four locks, each of them once: the task's, this one's, the writer's, and the request's
    /// for the progress. Only the range of a resumed download, segments, and observers take more.
    @_spi(Requests) public override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        switch downloadState.withLock({ $0.file.receive(bytes) }) {
        case .buffered: return .proceed
        case .split:
            downloadState.withLock { $0.smallFiles = nil }
            // It has no effect if the file is created already.
            ownQueue.async {
                self.prepareFile()
                self.createFile()
            }
            return .proceed
        case .pause: return .pause
        case .stop: return .stop
        case .write(let output):
            let writer = output.writer
            return write(bytes, to: writer, segment: output.segments?.ownSegment, writer.rangeLength)
        }
    }

    /// Whether only the header is needed, so that a missing body is not a failure.
    var isHeaderSufficient: Bool {
        let (path, output) = downloadState.withLock { ($0.file.path, $0.file.output) }
        return path != nil || output?.isOwnSegmentComplete == true
    }

    /// The file's failure; takes precedence over the transport's failure that it causes.
    var localFailure: Failure? {
        let (failure, segments) = downloadState.withLock { ($0.file.failure, $0.file.output?.segments) }
        return failure?.ofAttempt ?? segments?.failure
    }

    // The end

    @_spi(Requests) public override func finishTransfer(_ end: TransferEnd) {
        let failure = isHeaderSufficient ? nil : end.failure
        let isRead = observers != nil || hasValidators
        queue.async {
            self.prepareFile()
            self.finishWriting(after: failure, isRead: isRead) { failure in
                var end = end
                (end.failure, end.localFailure) = (failure, self.localFailure?.ofAttempt)
                self.endTransfer(end)
            }
        }
    }

    @_spi(Requests) public override func finishAttempt(with failure: AttemptFailure?) {
        let smallFiles = downloadState.withLock { state in
            let smallFiles = state.smallFiles
            if smallFiles?.isDiskSlow == true { state.smallFiles = nil }
            return smallFiles
        }
        queue.async { self.saveFile(after: failure, smallFiles) }
    }

    /// Saves the file, or after a failure what can be resumed.
    private func saveFile(after failure: AttemptFailure?, _ smallFiles: SmallFileQueue?) {
        if failure == nil {
            downloadState.withLock({ $0.receivedHandler.take() })?()
            createFile(isComplete: true)
        }
        let failure = self.failure(of: failure)
        let output = downloadState.withLock { $0.file.end() }
        let isOfSegment = output?.segments?.failure != nil
        guard let writer = output?.writer else { return endAttempt(failure) }
        let ended =
            if let failure {
                storePartialFile(writer, failure)
            } else if let smallFiles {
                smallFiles.measure { complete(writer) }
            } else {
                complete(writer)
            }
        endAttempt(ended, isOfSegment: isOfSegment)
    }

    /// Returns the failure of an attempt: its transfer's, or the file's.
    private func failure(of attempt: AttemptFailure?) -> Failure? {
        switch attempt {
        case nil, .local, .move: localFailure ?? attempt.map(Failure.attempt)
        case .transfer, .redirect, .trust, .request: attempt.map(Failure.attempt)
        }
    }

    private func endAttempt(_ failure: Failure?, isOfSegment: Bool = false) {
        if let failure {
            let end = DownloadState.AttemptEnd(reason: failure.reason, isOfSegment: isOfSegment)
            downloadState.withLock { $0.attemptEnd = end }
        }
        endAttempt(with: failure?.ofAttempt)
    }

    @_spi(Requests) public override func retryRule() -> RetryRule {
        if prepareRestart() { return .retry }
        return downloadState.withLock { $0.mayBeRetried } ? .askRetriers : .doNotRetry
    }

    /// Prepares a request for the complete file, once, from a server that cannot resume it.
    private func prepareRestart() -> Bool {
        let (reason, resumed) = downloadState.withLock { ($0.attemptEnd?.reason, $0.earlier.resumed) }
        guard let reason, reason.isOfEarlierBytes else { return false }
        resumed?.discardCopy()
        let fault = task.flatMap { task in
            task.response.flatMap { resumed?.validatorFault(in: $0, to: task.currentRequest, after: reason) }
        }
        return downloadState.withLock { $0.prepareRestart(after: reason, fault) }
    }

    /// Releases the closures, and removes a partial file that no attempt had opened when the request ended.
    @_spi(Requests) public override func cleanUp() {
        let isKept = keepsPartialFile
        let (_, unused) = downloadState.withLock { ($0.takeClosures(), isKept ? nil : $0.takeRecord()) }
        unused?.discard()
    }

    /// The URL of the file, at its destination or the partial one.
    private var receivedFileURL: URL? {
        let path = downloadState.withLock { $0.file.path ?? $0.file.output?.writer.path }
        return path.map { URL(literalPath: $0) }
    }
}
