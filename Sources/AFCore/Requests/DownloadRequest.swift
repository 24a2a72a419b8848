public import AFHTTP
internal import AFTransport
internal import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A request whose response body is saved to a file.
///
/// The body is written to a partial file beside its destination, which is renamed when it is complete: an existing file
/// stays until then. A retry resumes the previous attempt if the server's validators show that the rest belongs to it.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
public final class DownloadRequest: Request, @unchecked Sendable {
    /// How a file gets to its destination.
    public typealias Options = DownloadOptions

    /// A closure that returns the destination, given the default destination and the final response's header.
    ///
    /// Called before the body is written, on a queue of the request: it may wait for the disk. The request does not end
    /// before it returns, even if it is canceled; over HTTP/2, libcurl may buffer 32 MiB of the body meanwhile.
    public typealias Destination =
        @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// The source of a download.
    public enum Downloadable: Sendable {
        /// A request.
        case request(any URLRequestConvertible)
        /// The resume data of an earlier download; see ``DownloadRecord``.
        case resumeData(Data)
    }

    /// A validation of the request, the response header and the file; a failure ends the attempt without renaming it.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, URL?) -> ValidationResult

    struct Files {
        /// The URL of the current attempt, before adapters.
        var url = ""
        /// The record of an earlier attempt.
        var record: DownloadRecord?
        /// The record that the current attempt resumes.
        var resumed: DownloadRecord?
        /// The latest check of the partial file.
        var verified: VerifiedFile?
        /// The record of the complete file at the destination, on whose change the request is conditional.
        var known: DownloadRecord?
        var receiver: DownloadWriter?
        /// The current response, until its file is ready.
        var pending: PendingFile?
        /// Whether the content coding of the current response's body is decoded; `nil` before its file is chosen.
        var decodesBody: Bool?
        /// Whether the body waits for ``decodesBody``.
        var isDecodingAwaited = false
        var failure: DownloadFailure?
        /// The destination, if it is the cause of the failure.
        var unusableDestination: URL?
        var fileURL: URL?
        /// The file of a running validator.
        var validatedURL: URL?
        /// The path of an earlier attempt's file, which may be replaced.
        var ownPath: String?
        var isStartingOver = false
        /// The fault that the response before the latest restart has proven.
        var validatorFault: ValidatorFault?
        /// Called when all bytes are received and accepted, before they are on disk.
        var receivedHandler: (@Sendable () -> Void)?
        /// Returns another destination if the chosen one is in use.
        var otherDestination: (@Sendable () -> URL?)?
        var checksums: [@Sendable (_ destinationURL: URL) -> [Checksum]] = []
        /// Whether the existing file is kept as the result.
        var keepsPreviousFile = false
        var keepsPartialFile = true
        /// The options for segments; `nil` for a sequential download.
        var segmentation: Segmentation?
        /// The segments of the current attempt; `nil` for a sequential download.
        var segmented: SegmentedDownload?
        /// The segments of all attempts.
        var segments: [SegmentRequest] = []
        /// Whether a segment's failure ended the attempt, after its own retries.
        var isBeyondRetry = false
    }

    /// The source of the download.
    public let downloadable: Downloadable
    let destination: Destination?
    let files: Mutex<Files>
    /// The digests of the current response, if it is encoded. Used by the transport's thread, and after its last call by
    /// the queue.
    var codedDigests: CodedDigests?
    /// The serial queue for operations that wait for the disk.
    let queue: DispatchQueue

    init(
        _ downloadable: Downloadable,
        resumeData: Data?,
        known: DownloadRecord? = nil,
        destination: Destination?,
        on queue: DispatchQueue? = nil,
        _ origin: RequestOrigin
    ) {
        self.downloadable = downloadable
        self.destination = destination
        self.queue = queue ?? DispatchQueue(label: "org.afcli.download")
        files = Mutex(Files(record: resumeData.flatMap { try? DownloadRecord(json: $0) }, known: known))
        super.init(origin, validationQueue: self.queue)
    }

    /// The URL of the complete file; during a validation that of the file to validate.
    public var fileURL: URL? { files.withLock { $0.fileURL ?? $0.validatedURL } }

    /// The data for resuming a failed download; see ``DownloadRecord``. `nil` if that is impossible.
    public var resumeData: Data? {
        files.withLock { $0.record.flatMap { $0.isResumable ? $0.json : nil } }
    }

    /// The fault of the server's validators because of which the download was restarted; `nil` if none is proven.
    public var validatorFault: ValidatorFault? { files.withLock { $0.validatorFault } }

    @discardableResult
    public override func resume() -> Self {
        super.resume()
        return updatingSegments()
    }

    @discardableResult
    public override func suspend() -> Self {
        super.suspend()
        return updatingSegments()
    }

    private func updatingSegments() -> Self {
        files.withLock({ $0.segmented })?.applyState()
        return self
    }

    /// Cancels and discards the received bytes; see ``cancel(producingResumeData:)``.
    @discardableResult
    public override func cancel() -> Self { cancel(producingResumeData: false) }

    /// Cancels. With `true`, the received bytes are kept for another download, see ``resumeData``.
    ///
    /// The first call counts.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        if !isCancelled { files.withLock { $0.keepsPartialFile = shouldProduceResumeData } }
        super.cancel()
        return updatingSegments()
    }

    /// Cancels, then calls back with the resume data or `nil`; immediately if the request has ended.
    ///
    /// The handler runs on the session's threads and must not block. It returns before any response handler is called.
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
        files.withLock { $0.validatedURL = fileURL }
        let result = validation(request, response, fileURL)
        files.withLock { $0.validatedURL = nil }
        observers?.notify {
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
        files.withLock { $0.checksums.append(checksums) }
        return self
    }

    // The attempt

    /// Returns a request for the complete file.
    func makeCompleteRequest() throws -> URLRequest {
        var request =
            switch downloadable {
            case .request(let convertible): try convertible.asURLRequest()
            case .resumeData(let data): try URLRequest(url: Self.record(in: data).url, method: .get)
            }
        // An encoded body cannot be resumed, and its length differs from the file's.
        if Safety.refuses("06-identity", request.headers["Accept-Encoding"] == nil) {
            request.headers["Accept-Encoding"] = "identity"
        }
        return request
    }

    private var decodesContent: Bool { session?.configuration.decodesContent ?? true }

    override func startAttempt(_ number: Int) -> Preparation {
        if number > 0 { reset() }
        return isQuicklyMade ? .none : .work { self.verifyFile(then: $0) }
    }

    /// Checks that the remainder of an earlier attempt matches its record.
    private func verifyFile(then completion: @escaping @Sendable () -> Void) {
        let (record, known) = files.withLock { files in
            // A record that requires a checksum is useless without one.
            let isProvable = files.record?.proof != .checksum || !files.checksums.isEmpty
            let isUsable = files.record?.isUsable(decodingContent: decodesContent) == true
            return (files.record.flatMap { $0.isResumable && isProvable && isUsable ? $0 : nil }, files.verified)
        }
        guard let record else {
            files.withLock { ($0.resumed, $0.verified) = (nil, nil) }
            return completion()
        }
        queue.async {
            let verified = record.verified(known) {
                self.isCancelled || self.mutableState.withLock { $0.lifecycle.isDone }
            }
            self.files.withLock { ($0.resumed, $0.verified) = (verified == nil ? nil : record, verified) }
            completion()
        }
    }

    override func makeURLRequest() throws -> URLRequest {
        var request = try makeCompleteRequest()
        let url = (try? request.httpURL)?.text ?? ""
        let (resumed, known) = files.withLock { files in
            files.url = url
            if files.known?.isUsable(decodingContent: decodesContent) == false { files.known = nil }
            return (files.resumed, files.known)
        }
        if let resumed { resumed.ask(in: &request) } else { known?.makeConditional(&request) }
        return request
    }

    override func makeBody(for request: URLRequest) throws -> BodySource? {
        guard case .request(let convertible) = downloadable else { return nil }
        return try convertible.makeBody()
    }

    private var isQuicklyMade: Bool {
        guard case .request(let convertible) = downloadable, convertible is URLRequest else { return false }
        return files.withLock { $0.record == nil && $0.resumed == nil && $0.verified == nil && $0.known == nil }
    }

    override func configure(_ hop: inout Hop) {
        // Fewer and larger writes.
        hop.receiveBufferSize = max(hop.receiveBufferSize, 128 << 10)
        hop.sharedRate = files.withLock { $0.segmentation?.rate }
    }

    override func receive(_ response: HTTPURLResponse) {
        do throws(DownloadFailure) {
            let kind = try kind(of: response)
            let announced =
                response.headers.contentCodings.isEmpty || kind.isPassing ? [] : response.announcedChecksums
            codedDigests = announced.isEmpty ? nil : CodedDigests(announced)
            let pending = files.withLock { files in
                // The rest of a file has its coding, and is not decoded either.
                let isRest = if case .continuing = kind { true } else { false }
                (files.decodesBody, files.isDecodingAwaited) = (isRest ? false : nil, false)
                // Two segments are longer than such a body, and a record needs its partial file.
                let mayBeDivided = (files.segmentation?.minimum ?? .max) <= PendingFile.maximumLength / 2
                let pending = PendingFile(response, kind, mayWaitForEnd: files.record == nil && !mayBeDivided)
                files.pending = pending
                return pending
            }
            queue.async { self.prepareFile(pending) }
        } catch {
            files.withLock { ($0.failure, $0.decodesBody) = (error, true) }
        }
    }

    override func decodesBody(of response: HTTPURLResponse) -> Bool? {
        files.withLock { files in
            files.isDecodingAwaited = files.decodesBody == nil
            return files.decodesBody
        }
    }

    override func receiveEncoded(_ bytes: UnsafeRawBufferPointer) { codedDigests?.update(bytes) }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        if let flow = receiveBeforeFile(bytes) { return flow }
        let (receiver, segment) = files.withLock { ($0.failure == nil ? $0.receiver : nil, $0.segmented?.ownSegment) }
        guard let receiver, let task else { return .stop }
        if let segment { return receive(bytes, ofSegment: segment, from: task) }
        return note(bytes, in: receiver, from: task) { () throws(DownloadFailure) in try receiver.receive(bytes) }
    }

    /// Writes bytes to the file and reports the progress.
    func note(
        _ bytes: UnsafeRawBufferPointer,
        in receiver: DownloadWriter,
        from task: TransferTask,
        _ write: () throws(DownloadFailure) -> DownloadWriter.Progress
    ) -> Flow {
        do throws(DownloadFailure) {
            if let length = task.rangeLength, receiver.isFile, task.countOfBytesReceived + Int64(bytes.count) > length {
                throw DownloadFailure(.wrongRange, path: "")
            }
            let progress = try write()
            report(bytes.count, progress, from: task, resumed: receiver.resumedBytes)
            return .proceed
        } catch {
            files.withLock { $0.failure = error }
            return .stop
        }
    }

    private var needsNoBody: Bool {
        let (keepsFile, segmented) = files.withLock { ($0.keepsPreviousFile, $0.segmented) }
        return keepsFile || segmented.map { $0.receiver.rest(ofSegment: $0.ownSegment) == nil } ?? false
    }

    var ownFailure: AFError? {
        let (failure, segmented) = files.withLock { ($0.ownFailure, $0.segmented) }
        return failure ?? segmented?.failure
    }

    override func finishTransfer(_ end: TransferEnd) {
        let failure = needsNoBody ? nil : end.failure
        let isRead = observers != nil || mutableState.withLock { !$0.validators.isEmpty }
        queue.async {
            self.finishWriting(after: failure, isRead: isRead) { failure in
                var end = end
                (end.failure, end.localFailure) = (failure, self.ownFailure)
                self.endTransfer(end)
            }
        }
    }

    /// Writes all received bytes.
    ///
    /// - Parameter isRead: Whether validators or monitors may read the file.
    private func finishWriting(
        after failure: AttemptFailure?,
        isRead: Bool,
        then completion: @escaping @Sendable (AttemptFailure?) -> Void
    ) {
        // The existing file may have been kept after the end of the transfer.
        let failure = needsNoBody ? nil : failure
        if failure == nil { if isRead { createFile() } else { reportBody() } }
        let (own, segmented) = files.withLock { ($0.failure, $0.segmented) }
        guard let segmented else {
            if own == nil { flush() }
            guard own == nil, failure == nil, let receiver = files.withLock({ $0.receiver }), receiver.isFile, let task,
                let rangeLength = task.rangeLength, receiver.receivedBytes < receiver.length ?? 0
            else { return completion(failure) }
            guard task.countOfBytesReceived == rangeLength else { return completion(.response(.shortSegment)) }
            return continueRest(of: receiver) { completion(nil) }
        }
        let isComplete = segmented.receiver.rest(ofSegment: segmented.ownSegment) == nil || task?.hasWholeRange == true
        let segmentFailure = failure ?? (isComplete ? nil : .response(.shortSegment))
        let error = own.map { .sessionTaskFailed(error: $0) } ?? segmentFailure?.error
        let isFinal = own != nil || error?.isExplicitlyCancelledError == true
        segmented.ownTransferEnded(error, isFinal: isFinal) { completion($0 ? nil : segmentFailure) }
    }

    private func flush() {
        do throws(DownloadFailure) {
            try files.withLock({ $0.receiver })?.flush()
        } catch {
            files.withLock { $0.failure = error }
        }
    }

    override func finishAttempt(with error: AFError?) {
        // The segments retain this request.
        if let segmented = files.withLock({ $0.segmented.take() }) {
            let isBeyondRetry = segmented.failure != nil
            files.withLock { $0.isBeyondRetry = isBeyondRetry }
        }
        queue.async {
            if error == nil {
                self.files.withLock({ $0.receivedHandler.take() })?()
                self.createFile(isComplete: true)
            }
            let error = error ?? self.ownFailure
            let receiver = self.files.withLock { files in
                files.pending = nil
                return files.receiver
            }
            guard let receiver else { return self.endAttempt(with: error) }
            let final = error.map { self.storePartialFile(receiver, $0) } ?? self.complete(receiver)
            self.files.withLock { $0.receiver = nil }
            self.endAttempt(with: final)
        }
    }

    override func retryRule(after error: AFError) -> RetryRule {
        if startsOver(after: error) { return .retry }
        return files.withLock { $0.isBeyondRetry } ? .doNotRetry : .askRetriers
    }

    /// Whether to request the complete file once from a server that cannot resume it.
    private func startsOver(after error: AFError) -> Bool {
        guard let failure = error.underlyingError as? DownloadFailure, failure.reason.isOfEarlierBytes else {
            return false
        }
        let resumed = files.withLock { $0.resumed }
        resumed?.discardCopy()
        let fault = task.flatMap { task in
            task.response.flatMap { resumed?.validatorFault(in: $0, to: task.currentRequest, after: failure.reason) }
        }
        return files.withLock { files in
            files.validatorFault = fault
            if failure.reason == .contradictoryNotModified { return files.known.take() != nil }
            // The server's ranges do not work as announced: they are not requested again.
            let isOfRanges = failure.reason == .wrongRange || failure.reason == .differentBytes
            let isOfSegments = isOfRanges && !files.segments.isEmpty && files.isBeyondRetry
            if isOfSegments { files.segmentation = nil }
            defer { (files.record, files.isStartingOver) = (nil, files.isStartingOver || !isOfSegments) }
            return isOfSegments || !files.isStartingOver && files.resumed != nil
        }
    }

    private func reset() {
        files.withLock { files in
            (files.failure, files.fileURL, files.keepsPreviousFile, files.pending) = (nil, nil, false, nil)
            (files.isBeyondRetry, files.unusableDestination) = (false, nil)
        }
    }

    /// Releases the closures. Those for checksums may retain the request; without them no other attempt may follow.
    override func cleanUp() {
        var checksums: [@Sendable (URL) -> [Checksum]] = []
        files.withLock { files in
            (files.otherDestination, files.receivedHandler) = (nil, nil)
            swap(&files.checksums, &checksums)
            if !checksums.isEmpty { files.isBeyondRetry = true }
        }
    }

    /// The URL of the file, at its destination or the partial one.
    private var receivedFileURL: URL? {
        files.withLock { files in files.fileURL ?? files.receiver.map { URL(literalPath: $0.path) } }
    }
}
