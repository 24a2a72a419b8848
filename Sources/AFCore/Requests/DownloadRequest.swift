public import AFHTTP
internal import AFTransport
internal import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A request whose response body goes to a file.
///
/// It grows in a partial file beside its destination and gets its name once it is whole: what stands there before stays
/// until then. Another attempt goes on where the last one ended, if the server can prove that the rest belongs to it.
///
/// `@unchecked` as its superclass is; every property added here is immutable or a `Mutex`.
public final class DownloadRequest: Request, @unchecked Sendable {
    /// How a file gets to its destination.
    public typealias Options = DownloadOptions

    /// Says where the file goes, given where it would go otherwise and the final response's head.
    ///
    /// Called on the transport's thread, before the first byte of the body: it must not wait for anything.
    public typealias Destination =
        @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// What is downloaded.
    public enum Downloadable: Sendable {
        /// What a request asks for.
        case request(any URLRequestConvertible)
        /// The rest of what an earlier download left; see ``DownloadRecord``.
        case resumeData(Data)
    }

    /// `URLRequest?`, head and file in; a failure ends the attempt, and the file does not get its name.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, URL?) -> ValidationResult

    struct Files {
        /// What the attempt of the moment asked for, before adapters.
        var url = ""
        /// What an earlier attempt left.
        var record: DownloadRecord?
        /// The record that the attempt of the moment asked to go on with.
        var asked: DownloadRecord?
        /// The latest check of the partial file.
        var verified: VerifiedFile?
        var receiver: FileReceiver?
        var failure: DownloadFailure?
        var fileURL: URL?
        /// Where an earlier attempt of this request put its file, which may be replaced.
        var ownPath: String?
        var isStartingOver = false
        var checksums: [@Sendable (_ destinationURL: URL) -> [Checksum]] = []
        /// Whether the file that was there before is the one that was wanted.
        var keepsPreviousFile = false
        var keepsPartialFile = true
        /// What is wanted of segments; `nil` where the file is to come in one piece.
        var segmentation: Segmentation?
        /// Those of the attempt of the moment; `nil` where its file comes in one piece.
        var segmented: SegmentedDownload?
        /// Of all attempts.
        var segments: [SegmentRequest] = []
        /// Whether a segment's failure ended the attempt, which was tried again by itself.
        var isBeyondRetry = false
    }

    /// What is downloaded.
    public let downloadable: Downloadable
    let destination: Destination?
    let files: Mutex<Files>

    init(_ downloadable: Downloadable, resumeData: Data?, destination: Destination?, _ origin: RequestOrigin) {
        self.downloadable = downloadable
        self.destination = destination
        files = Mutex(Files(record: resumeData.flatMap { try? DownloadRecord(json: $0) }))
        super.init(origin)
    }

    /// Where the file is, once it is whole.
    public var fileURL: URL? { files.withLock({ $0.fileURL }) }

    /// What it takes to go on with a download that ended early; see ``DownloadRecord``. `nil` where that is impossible.
    public var resumeData: Data? {
        files.withLock { $0.record.flatMap { $0.isResumable ? $0.json : nil } }
    }

    @discardableResult
    public override func resume() -> Self {
        super.resume()
        return steeringSegments()
    }

    @discardableResult
    public override func suspend() -> Self {
        super.suspend()
        return steeringSegments()
    }

    private func steeringSegments() -> Self {
        files.withLock({ $0.segmented })?.steer()
        return self
    }

    /// Cancels, and throws away what has come; see ``cancel(producingResumeData:)``.
    @discardableResult
    public override func cancel() -> Self { cancel(producingResumeData: false) }

    /// Cancels. With `true`, what has come stays for another download to go on with, see ``resumeData``.
    ///
    /// The first cancel counts.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        if !isCancelled { files.withLock { $0.keepsPartialFile = shouldProduceResumeData } }
        super.cancel()
        return steeringSegments()
    }

    /// Cancels, then calls back with the resume data, `nil` if there is none; at once if the request is over.
    ///
    /// The handler runs on the session's own threads and must not block. It returns before a response handler of the
    /// request is called, on any queue.
    @discardableResult
    public func cancel(byProducingResumeData handler: @escaping @Sendable (_ data: Data?) -> Void) -> Self {
        whenFinished { request in handler((request as? DownloadRequest)?.resumeData) }
        return cancel(producingResumeData: true)
    }

    /// Adds a check of the response; checks run in order until one fails.
    ///
    /// The file does not have its final place yet: a response that is refused never takes the place of what is there.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { request in
            guard let request = request as? DownloadRequest, let response = request.response else { return nil }
            let fileURL = request.receivedFileURL
            let result = validation(request.request, response, fileURL)
            request.tell {
                $0.request(
                    request,
                    didValidateRequest: request.request,
                    response: response,
                    fileURL: fileURL,
                    withResult: result
                )
            }
            return result.validationError
        }
        return self
    }

    /// Holds the file to checksums: it gets its name only when its bytes add up to all of them.
    ///
    /// What the server announces (`Repr-Digest`, `Content-Digest`, `Digest`, `Content-MD5`) is always looked at. Bytes that
    /// an earlier download left are read again. Whatever the status, nothing else gets the name; see
    /// ``DownloadOptions/skipChecksums``.
    @discardableResult
    public func validate(checksums: Checksum...) -> Self {
        validate { _ in checksums }
    }

    /// The same, with checksums that depend on where the file goes; none at all end the request.
    ///
    /// Called on the transport's thread, before the first byte of the body: it must not wait for anything.
    @discardableResult
    public func validate(checksums: @escaping @Sendable (_ destinationURL: URL) -> [Checksum]) -> Self {
        files.withLock { $0.checksums.append(checksums) }
        return self
    }

    // The attempt.

    /// Asks for all of it.
    func makeWholeRequest() throws -> URLRequest {
        var request =
            switch downloadable {
            case .request(let convertible): try convertible.asURLRequest()
            case .resumeData(let data): try URLRequest(url: Self.record(in: data).url, method: .get)
            }
        // A coded body has no ranges, and its length is not that of the file.
        if request.headers["Accept-Encoding"] == nil { request.headers["Accept-Encoding"] = "identity" }
        return request
    }

    /// Reads what an earlier attempt left, to make sure that it is what the record describes.
    override func getReady(then goOn: @escaping @Sendable () -> Void) {
        let (record, known) = files.withLock { files in
            // What only a checksum can prove is of no use without one.
            let isProvable = files.record?.proof != .checksum || !files.checksums.isEmpty
            return (files.record.flatMap { $0.isResumable && isProvable ? $0 : nil }, files.verified)
        }
        guard let record else {
            files.withLock { ($0.asked, $0.verified) = (nil, nil) }
            return goOn()
        }
        // A thread of its own: reading would occupy the few of the global queue.
        DispatchQueue(label: "org.afcli.download.check").async {
            let verified = record.verified(known) { self.isCancelled || self.contents.withLock { $0.lifecycle.isDone } }
            self.files.withLock { ($0.asked, $0.verified) = (verified == nil ? nil : record, verified) }
            goOn()
        }
    }

    override func makeURLRequest() throws -> URLRequest {
        var request = try makeWholeRequest()
        let url = (try? request.httpURL)?.text ?? ""
        let asked = files.withLock { files in
            files.url = url
            return files.asked
        }
        asked?.ask(in: &request)
        return request
    }

    override func makeBody(for request: URLRequest) throws -> BodySource? {
        guard case .request(let convertible) = downloadable else { return nil }
        return try convertible.makeBody()
    }

    // Fewer and larger writes.
    override var receiveBufferSize: Int { 128 * 1024 }

    override var sharedRate: SharedRate? { files.withLock { $0.segmentation?.rate } }

    override func receive(_ response: HTTPURLResponse) {
        do throws(DownloadFailure) {
            let kind = try kind(of: response)
            let (url, options) = place(for: response)
            if options.contains(.keepPreviousFile) { return keepFile(at: url) }
            try checkLength(of: response, kind)
            let receiver = try FileReceiver(
                response,
                to: files.withLock { $0.url },
                kind: kind,
                destination: url.path,
                checksums: options.contains(.skipChecksums) ? [] : try checksums(of: url),
                options: options
            )
            let left = files.withLock { files -> DownloadRecord? in
                files.receiver = receiver
                guard case .resumable = kind else { return nil }
                return files.record.take()
            }
            // What an earlier attempt left is gone, unless the file goes elsewhere now.
            if let left, left.partialPath != receiver.path { left.discardCopy() }
            if case .continuing = kind {
                tellTask { monitor, task in
                    monitor.request(
                        self,
                        task: task,
                        didResumeAtOffset: receiver.resumedBytes,
                        expectedTotalBytes: receiver.length ?? 0
                    )
                }
            }
            if !kind.isPassing { try divide(receiver, after: response) }
        } catch {
            files.withLock { $0.failure = error }
        }
    }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (receiver, piece) = files.withLock { ($0.failure == nil ? $0.receiver : nil, $0.segmented?.ownPiece) }
        guard let receiver, let task else { return .stop }
        if let piece { return receive(bytes, ofPiece: piece, from: task) }
        return note(bytes, in: receiver, from: task) { () throws(DownloadFailure) in try receiver.receive(bytes) }
    }

    /// Puts bytes into the file, and tells how far it is.
    func note(
        _ bytes: UnsafeRawBufferPointer,
        in receiver: FileReceiver,
        from task: TransferTask,
        _ write: () throws(DownloadFailure) -> Int64
    ) -> Flow {
        do throws(DownloadFailure) {
            let received = try write()
            let total = receiver.length ?? 0
            didReceive(
                TransferProgress(
                    completedUnitCount: received,
                    totalUnitCount: total,
                    resumedUnitCount: receiver.resumedBytes
                )
            )
            tell {
                $0.request(
                    self,
                    task: task,
                    didWriteData: Int64(bytes.count),
                    totalBytesWritten: received,
                    totalBytesExpectedToWrite: total
                )
            }
            return .proceed
        } catch {
            files.withLock { $0.failure = error }
            return .stop
        }
    }

    /// Ends the transfer with its head.
    private func keepFile(at url: URL) {
        files.withLock { ($0.fileURL, $0.keepsPreviousFile) = (url, true) }
        task?.cancel()
    }

    override var needsNoBody: Bool {
        let (keepsFile, segmented) = files.withLock { ($0.keepsPreviousFile, $0.segmented) }
        return keepsFile || segmented.map { $0.receiver.rest(ofPiece: $0.ownPiece) == nil } ?? false
    }

    override var ownFailure: AFError? {
        let (failure, segmented) = files.withLock { ($0.failure, $0.segmented) }
        return failure.map { .sessionTaskFailed(error: $0) } ?? segmented?.failure
    }

    override var isQuicklyConcluded: Bool { false }

    override func concludeTransfer(
        after failure: (any Error)?,
        then goOn: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let (own, segmented) = files.withLock { ($0.failure, $0.segmented) }
        guard let segmented else {
            if own == nil { flush() }
            return goOn(failure)
        }
        let isWhole = segmented.receiver.rest(ofPiece: segmented.ownPiece) == nil
        let failure = failure ?? (isWhole ? nil : AFError.shortSegment)
        let error = own.map { .sessionTaskFailed(error: $0) } ?? failure.map(error(for:))
        let isFinal = own != nil || error?.isExplicitlyCancelledError == true
        segmented.ownTransferEnded(error, isFinal: isFinal) { goOn($0 ? nil : failure) }
    }

    /// Validators, monitors and whoever retries find all that has come in the file.
    private func flush() {
        do throws(DownloadFailure) {
            try files.withLock({ $0.receiver })?.flush()
        } catch {
            files.withLock { $0.failure = error }
        }
    }

    override var isBeyondRetry: Bool { files.withLock { $0.isBeyondRetry } }

    override func conclude(after error: AFError?, then goOn: @escaping @Sendable (AFError?) -> Void) {
        // They hold this request.
        if let segmented = files.withLock({ $0.segmented.take() }) {
            let isBeyondRetry = segmented.failure != nil
            files.withLock { $0.isBeyondRetry = isBeyondRetry }
        }
        guard let receiver = files.withLock({ $0.receiver }) else { return goOn(error) }
        receiver.queue.async {
            let error = error.map { self.giveUp(receiver, $0) } ?? self.complete(receiver)
            self.files.withLock { $0.receiver = nil }
            goOn(error)
        }
    }

    private func complete(_ receiver: FileReceiver) -> AFError? {
        let place = URL(literalPath: receiver.destination)
        tellTask { $0.request(self, task: $1, didFinishDownloadingTo: URL(literalPath: receiver.path)) }
        do throws(DownloadFailure) {
            try receiver.complete()
            files.withLock { ($0.fileURL, $0.ownPath, $0.record) = (place, place.path, nil) }
            tell { [task] in $0.request(self, didFinishDownloadingUsing: task, with: .success(place)) }
            return nil
        } catch {
            switch error.reason {
            case .wrongLength, .contradictoryLength, .unsupportedChecksum, .changedFile:
                return giveUp(receiver, .sessionTaskFailed(error: error))
            case .wrongChecksum:
                // Bytes that are wrong somewhere are nothing to go on with.
                receiver.discard()
                if receiver.isRecorded { files.withLock { $0.record = nil } }
                return .sessionTaskFailed(error: error)
            default: break
            }
            let source = URL(literalPath: receiver.path)
            let error = AFError.downloadedFileMoveFailed(error: error, source: source, destination: place)
            tell { [task] in $0.request(self, didFinishDownloadingUsing: task, with: .failure(error)) }
            return giveUp(receiver, error)
        }
    }

    /// Tells the monitors of something that happened to the task of the moment.
    private func tellTask(_ event: (any EventMonitor, TransferTask) -> Void) {
        if let task { tell { event($0, task) } }
    }

    /// Keeps what can be of use to another attempt; gives the error with the means to make it.
    private func giveUp(_ receiver: FileReceiver, _ error: AFError) -> AFError {
        // A whole body that was refused is of no use, unless it holds what an earlier run brought; nor are parts of which
        // some may be of another version.
        let isRefused =
            error.isResponseValidationError && receiver.resumedBytes == 0
            || (error.underlyingError as? DownloadFailure)?.reason.discardsBytes == true
        guard !isRefused, files.withLock({ $0.keepsPartialFile }) else {
            receiver.discard()
            if receiver.isRecorded { files.withLock { $0.record = nil } }
            return error
        }
        let record = receiver.interrupt(isWhole: error.isDownloadedFileMoveError)
        let resumeData = files.withLock { files in
            (files.record, files.verified) = (record ?? files.record, receiver.left)
            return files.record.flatMap { $0.isResumable ? $0.json : nil }
        }
        return resumeData.map { note(error.resumable(with: $0)) } ?? error
    }

    /// Replaces the request's error, unless that is another one by now.
    private func note(_ error: AFError) -> AFError {
        contents.withLock { contents in
            if contents.error?.isSessionTaskError == true { contents.error = error }
        }
        return error
    }

    /// A server that cannot continue the file is asked once for all of it.
    override func startsOver(after error: AFError) -> Bool {
        guard let failure = error.underlyingError as? DownloadFailure, failure.reason.isOfEarlierBytes else {
            return false
        }
        files.withLock({ $0.asked })?.discardCopy()
        return files.withLock { files in
            // The server does not do with ranges what it promised: they are not asked for again.
            let isOfSegments = failure.reason == .wrongRange && !files.segments.isEmpty && files.isBeyondRetry
            if isOfSegments { files.segmentation = nil }
            defer { (files.record, files.isStartingOver) = (nil, files.isStartingOver || !isOfSegments) }
            return isOfSegments || !files.isStartingOver && files.asked != nil
        }
    }

    override func resetForRetry() {
        files.withLock { files in
            (files.failure, files.fileURL, files.keepsPreviousFile) = (nil, nil, false)
            files.isBeyondRetry = false
        }
    }

    /// Checksums may hold the request itself; without them no other attempt may follow.
    override func cleanUp() {
        var checksums: [@Sendable (URL) -> [Checksum]] = []
        files.withLock { files in
            swap(&files.checksums, &checksums)
            if !checksums.isEmpty { files.isBeyondRetry = true }
        }
    }

    /// The file as far as there is one: in its final place, or on the way there.
    private var receivedFileURL: URL? {
        files.withLock { files in files.fileURL ?? files.receiver.map { URL(literalPath: $0.path) } }
    }
}
