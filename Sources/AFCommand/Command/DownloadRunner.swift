internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Runs a request whose response is saved to a file.
final class DownloadRunner: Sendable {
    /// The destination of a response's body.
    private enum BodyDestination: Sendable {
        /// A path as typed or generated, relative if it was typed so.
        case file(String)
        /// A temporary file: the response is not the requested one and is shown or discarded.
        case aside
        /// No destination: the response is an error whose body is not shown, or must not replace the existing file.
        case unwanted
        /// No destination: an earlier run's file is this version.
        case complete(String)
    }

    private let runner: RequestRunner
    private let download: DownloadPlan
    /// The destination of the latest response, determined after its header.
    private let bodyDestination = Mutex<BodyDestination?>(nil)
    /// The path of the first attempt, and its free alternative. Retries reuse the path; they use the alternative if the
    /// existing file must be preserved.
    private let chosenPath = Mutex<(name: FreeName, free: String, isReplaced: Bool)?>(nil)

    /// The file of an earlier run or of another program.
    private let earlier: EarlierDownload
    /// Weak, as the request retains this object.
    private let request = Mutex(WeakRequest())
    /// The record that this run resumes, determined at its start.
    private let continued = Mutex<(record: DownloadRecord, hadAllBytes: Bool)?>(nil)

    init(_ runner: RequestRunner, _ download: DownloadPlan) {
        self.runner = runner
        self.download = download
        earlier = EarlierDownload(
            download, of: runner.plan.url, decodesContent: runner.plan.session.decodesContent, runner.part?.names)
    }

    private var plan: Plan { runner.plan }
    private var printer: Printer { runner.printer }
    private var isAside: Bool { if case .aside = bodyDestination.withLock({ $0 }) { true } else { false } }
    private var isUnwanted: Bool { if case .unwanted = bodyDestination.withLock({ $0 }) { true } else { false } }

    func run(in session: Session) throws -> ExitStatus {
        guard let request = try start(in: session) else { return runner.recorder.finish(.success, attempts: nil) }
        return runner.finish(session, request, endsInOrder: true)
    }

    /// Starts the download.
    ///
    /// - Returns: The request, running if the session starts requests immediately; `nil` if nothing must be downloaded.
    func start(in session: Session) throws -> DownloadRequest? {
        if let path = download.skippedPath(for: plan.url, plan.request.method, runner.part?.names) {
            runner.messages.note("\(path) exists: skipped")
            return nil
        }
        try download.checkDestination(expectedPath)
        // Other methods have effects besides the response.
        if plan.request.method == .get, earlier.isCompleteByChecksum {
            runner.messages.note("\(expectedPath) is complete: its checksum matches")
            return nil
        }
        try earlier.checkDestination()
        let partial = try earlier.partial ?? earlier.adopted()
        if earlier.isOfOtherURL, !download.keepsExisting {
            runner.messages.note("the partial file is from another URL: restarting the download")
        }
        if partial?.proof == .overlap {
            runner.messages.warning("the contents of \(expectedPath) are not verified: only the end is compared")
        }
        continued.withLock { $0 = partial.map { ($0, $0.hasAllBytes) } }
        let request = session.download(
            try runner.convertible(),
            resumingWith: partial?.json,
            unlessSameAs: isConditionalRequest ? earlier.complete : nil,
            // The runner's session already has it.
            interceptor: runner.part.flatMap { _ in runner.interceptor },
            to: destination,
            // In a batch, one queue for the disk, the progress and the messages of a file: fewer threads and switches.
            on: runner.part.map { _ in runner.dispatchQueue }
        )
        self.request.withLock { $0.value = request }
        runner.prepare(request)
        request.segmented(into: download.segments)
        request.avoidConflicts(by: otherPath)
        if let part = runner.part { request.onReceived(part.received) }
        for source in download.checksums {
            // Lists contain the file's original name, without the number that avoids an existing file.
            request.validate { [self] in source.checksums(of: chosenPath.withLock(\.self)?.name.path ?? $0.path) }
        }
        if runner.mayReplace { request.validate { [runner] _, response, _ in runner.validate(response) } }
        if runner.bodyCapture != nil { request.validate { [self] _, response, file in search(file, response) } }
        if let progress = runner.progress {
            request.downloadProgress(queue: runner.dispatchQueue) { [self] in if !isAside { progress.receiving($0) } }
        }
        request.response(queue: runner.dispatchQueue) { [self] response in
            runner.progress?.end(isComplete: response.error == nil && !isAside && !isUnwanted)
            if let path = existingPath {
                runner.messages.note("\(path) is complete and up to date")
            }
            runner.end(with: end(response, request))
        }
        return request
    }

    /// Searches the body before it replaces the existing file.
    private func search(_ file: URL?, _ response: HTTPURLResponse) -> Result<Void, any Error> {
        guard let capture = runner.bodyCapture, let file, !isAside else { return .success(()) }
        capture.load(file.path, plan.output.mediaType ?? response.contentType, charset: plan.output.charset)
        let failures = runner.search.result(in: capture.text) { [plan] body in
            body.map(plan.expectations.failures(in:)) ?? []
        }
        guard let failures else { return .failure(CancellationError()) }
        guard failures.isEmpty else { return .failure(UnexpectedBody()) }
        capture.accept()
        return .success(())
    }

    // The destination; on the download's queue.

    private var destination: DownloadRequest.Destination {
        { [self] temporaryURL, response in
            let isReplaced = runner.replaces(response)
            if !isReplaced, showsHead { printer.queue.async { [self] in showHead(response) } }
            // An unexpected response is shown and not saved.
            let isAccepted = plan.expectations.accepts(response) && !isReplaced
            if isComplete(by: response), isAccepted || response.statusCode == 304 && !isReplaced {
                let path = earlier.path(for: response)
                bodyDestination.withLock { $0 = .complete(path) }
                return (
                    URL(literalPath: path),
                    download.keepsRemoteTime ? [.keepPreviousFile, .remoteModificationDate] : .keepPreviousFile
                )
            }
            // The body may be endless.
            if !isReplaced, isHidden(response) {
                bodyDestination.withLock { $0 = .unwanted }
                return (URL(literalPath: expectedPath), .keepPreviousFile)
            }
            guard isAccepted else {
                bodyDestination.withLock { $0 = .aside }
                return (asideURL(temporaryURL), [.removePreviousFile, .ownerOnly, .skipChecksums])
            }
            if response.statusCode == 200, earlier.isToBeKept {
                runner.cancellation.note(
                    Diagnosis(
                        "\(keepingReason): '\(expectedPath)' is unchanged",
                        hint: "omit -C - to download it again", status: .broken))
                bodyDestination.withLock { $0 = .unwanted }
                return (URL(literalPath: expectedPath), .keepPreviousFile)
            }
            if let failure = runner.codingFailure(response) {
                runner.cancellation.note(failure)
                bodyDestination.withLock { $0 = .unwanted }
                return (URL(literalPath: expectedPath), .keepPreviousFile)
            }
            noteRestart(response)
            let path = path(for: response)
            bodyDestination.withLock { $0 = .file(path) }
            runner.progress?.rename(to: URL(literalPath: path).lastPathComponent)
            var options: DownloadRequest.Options = [.rememberOrigin]
            if replaces(by: response) { options.insert(.removePreviousFile) }
            if download.keepsRemoteTime { options.insert(.remoteModificationDate) }
            if download.createsDirectories { options.insert(.createIntermediateDirectories) }
            return (URL(literalPath: path), options)
        }
    }

    /// Reports that the download is restarted.
    private func noteRestart(_ response: HTTPURLResponse) {
        guard response.statusCode == 200 else { return }
        if isContradicted {
            note("the server's 304 contradicts the record of '\(expectedPath)': downloading it again")
        }
        let isAgain = bodyDestination.withLock { if case .file? = $0 { true } else { false } }
        guard let (beginning, hadAllBytes) = continued.withLock({ $0 }) else {
            if !isAgain, earlier.isOfOtherProgram, !earlier.isOfOtherURL, !download.keepsExisting {
                note("could not verify that '\(expectedPath)' is a part of the server's file: restarting the download")
            }
            if isAgain, hasAskedForRange {
                noteRestart(because: faultReason ?? "the received bytes could not be continued")
            }
            return
        }
        guard beginning.savedBytes > 0 || beginning.hasBytes else { return }
        let reason =
            if beginning.savedBytes == 0 {
                "the earlier run ended before it recorded which bytes are on disk"
            } else if let faultReason {
                faultReason
            } else if isAgain {
                "the partial file is not the start of the server's file"
            } else if !hadAllBytes {
                "a part of the partial file is missing"
            } else if !beginning.isResumable {
                "cannot verify that the partial file matches the server's file"
            } else if beginning.fingerprint == nil {
                "the record of '\(beginning.partialPath)' is from an earlier version of afcli"
            } else if !beginning.isUsable(decodingContent: plan.session.decodesContent) {
                "the partial file was downloaded \(plan.session.decodesContent ? "with" : "without") --no-decode"
            } else if !hasAskedForRest {
                "'\(beginning.partialPath)' has changed since it was written"
            } else if let resource = otherResource(response, than: beginning) {
                "'\(resource)' is not the resource of the first part"
            } else if beginning.validator != nil, beginning.length != nil, !beginning.describes(response) {
                "the server has another version"
            } else if let coding = refusedCoding {
                "the server sends the rest with the coding '\(coding)'"
            } else if let mismatch = refusedPart {
                mismatch.sentence
            } else if !asksForRest {
                "the server refuses to send the rest"
            } else {
                "the server sends the complete file"
            }
        noteRestart(because: reason)
    }

    private func noteRestart(because reason: String) {
        note("\(reason): restarting the download")
        if let advice = validatorFault?.advice(about: faultyServer) { note(advice) }
    }

    /// The fault of the server's validators that its latest response to a request for the rest has proven.
    private var validatorFault: ValidatorFault? { request.withLock { $0.value?.validatorFault } }

    /// The server of that response, if it is known.
    private var faultyServer: KnownServer? { previousResponse.flatMap(KnownServer.init(of:)) }

    private var faultReason: String? { validatorFault?.reason(of: faultyServer) }

    /// The latest response before the current one.
    private var previousResponse: HTTPURLResponse? { request.withLock { $0.value?.tasks.dropLast().last?.response } }

    private func note(_ sentence: String) {
        printer.queue.async { [self] in
            runner.progress?.breakLine()
            runner.messages.note(sentence)
        }
    }

    /// Whether the first request asked for the rest of a file: not if the file was found changed.
    private var hasAskedForRest: Bool { asksForRest || request.withLock { $0.value?.retryCount != 0 } }

    /// Whether an earlier request of this run asked for the rest of a file.
    private var hasAskedForRange: Bool {
        request.withLock { $0.value?.tasks.dropLast().contains { $0.currentRequest.headers["Range"] != nil } ?? false }
    }

    /// Whether the latest request asks for the rest of a file.
    private var asksForRest: Bool { request.withLock { $0.value?.lastRequest?.headers["Range"] != nil } }

    /// Returns the resource of a response; `nil` if it is the recorded one.
    private func otherResource(_ response: HTTPURLResponse, than record: DownloadRecord) -> String? {
        response.resource == record.finalResource ?? response.resource ? nil : response.resource
    }

    /// The coding of the latest response to a request for the rest; `nil` if it had none.
    private var refusedCoding: String? {
        guard let response = previousResponse, response.statusCode == 206 else { return nil }
        return response.value(forHTTPHeaderField: "Content-Encoding")
    }

    /// The latest attempt before this one, if it asked for the rest of a file.
    private var earlierAttempt: TransferTask? {
        let task = request.withLock { $0.value?.tasks.dropLast().last }
        return task?.currentRequest.headers["Range"] == nil ? nil : task
    }

    /// The reason why the latest 206 was not used; `nil` if there was none, or if its header shows none.
    private var refusedPart: DownloadRecord.PartMismatch? {
        guard let response = earlierAttempt?.response, response.statusCode == 206 else { return nil }
        return continued.withLock { $0?.record.mismatch(of: response) }
    }

    /// The reason why a file of another program is neither continued nor replaced.
    private var keepingReason: String {
        switch earlierAttempt?.response?.statusCode {
        case 206: refusedPart?.sentence ?? "the end of the file differs from the server's"
        case 400, 416: "the server refuses to send the rest"
        default: "the server sends the complete file instead of the rest"
        }
    }

    /// Returns a temporary URL beside the destination, with an unpredictable name.
    private func asideURL(_ temporaryURL: URL) -> URL {
        let directory = URL(literalPath: expectedPath).deletingLastPathComponent()
        let url = directory.appending(path: ".\(temporaryURL.lastPathComponent)")
        return access(directory.path, W_OK | X_OK) == 0 ? url : temporaryURL
    }

    /// The path of the partial file that this run resumes.
    private var adoptedPath: String? { continued.withLock { $0 == nil ? nil : expectedPath } }

    private func path(for response: HTTPURLResponse) -> String {
        chosenPath.withLock { chosen in
            let replaces = replaces(by: response)
            if let chosen, replaces || !chosen.isReplaced { return chosen.free }
            let path = adoptedPath ?? earlier.path(for: response)
            let isNamed = if case .file = download.target { true } else { false }
            var name = FreeName(path, isOwn: isNamed || earlier.path != nil)
            let free = replaces ? path : name.next(for: plan.url.text, runner.part?.names)
            chosen = (name, free, replaces)
            return free
        }
    }

    /// Returns another path, as another process uses the chosen one.
    private func otherPath() -> URL? {
        let path = chosenPath.withLock { chosen -> String? in
            guard let old = chosen, !old.isReplaced else { return nil }
            var name = old.name
            let free = name.next(for: plan.url.text, runner.part?.names)
            chosen = (name, free, false)
            return free
        }
        guard let path else { return nil }
        bodyDestination.withLock { $0 = .file(path) }
        runner.progress?.rename(to: URL(literalPath: path).lastPathComponent)
        return URL(literalPath: path)
    }

    /// Whether the response may replace the existing file: as another version of this program's file, or as the
    /// complete file of a partial one.
    private func replaces(by response: HTTPURLResponse) -> Bool {
        let continues = response.statusCode == 206 && continued.withLock { $0?.record.proof != nil }
        return !download.keepsExisting || earlier.complete != nil || continues
    }

    private var expectedPath: String { earlier.expectedPath }

    /// Whether the request is conditional on a new version.
    private var isConditionalRequest: Bool {
        earlier.isCompleteFileUsable && earlier.partial == nil && download.checksums.isEmpty && mayKeepFile
    }

    /// Whether the existing file may be the result.
    private var mayKeepFile: Bool {
        plan.request.method == .get && plan.expectations.acceptsNotModified
            && !plan.request.headers.contains { $0.name.lowercased().hasPrefix("if-") }
    }

    /// Whether the response confirms that the existing file is current: explicitly, or by a matching header if the
    /// server ignored the condition or was not asked.
    private func isComplete(by response: HTTPURLResponse) -> Bool {
        guard mayKeepFile, continued.withLock({ $0 == nil }), !isContradicted else { return false }
        return response.statusCode == 304 && isConditionalRequest || earlier.isComplete(by: response)
    }

    /// Whether the server's 304 contradicted the record of the existing file: the latest request has no condition then.
    private var isContradicted: Bool {
        let headers = request.withLock { $0.value?.lastRequest?.headers }
        return isConditionalRequest && (headers?["If-None-Match"] ?? headers?["If-Modified-Since"]) == nil
    }

    /// The existing file that is the result.
    private var existingPath: String? {
        if case .complete(let path)? = bodyDestination.withLock({ $0 }) { path } else { nil }
    }

    // Output; on the printer's queue.

    private var showsHead: Bool { runner.view != nil || plan.output.parts.contains(.responseHead) }

    private func showHead(_ response: HTTPURLResponse) {
        runner.view?.release()
        if plan.output.parts.contains(.responseHead) { printer.showHead(response.rawHead) }
        printer.flush()
    }

    private func end(_ result: AFDownloadResponse<URL?>, _ request: DownloadRequest) -> ExitStatus {
        runner.view?.end(isAnswered: !request.segments.isEmpty)
        printer.flush()
        let unmet = result.response.flatMap(notModifiedFailure)
        if isAside, let file = result.fileURL, let response = result.response {
            showAside(file.path, response)
            if response.hasNoContent, unmet == nil {
                runner.messages.note("nothing was saved: \(response.statusMessage)")
            }
        }
        if result.error?.underlyingError is UnexpectedBody, let response = result.response { showRefused(response) }
        if result.fileURL != nil, case .file(let path) = bodyDestination.withLock({ $0 }) {
            if let reason = sequentialReason(request) { runner.messages.note(reason) }
            if let response = result.response, response.hasNoContent, request.downloadProgress.completedUnitCount == 0 {
                runner.messages.note("the file is empty: \(response.statusMessage)")
            }
            runner.messages.note("saved to \(path)")
            if let response = result.response, let kept = earlier.unprovenPath(for: response), kept != path {
                let isNamed = if case .file = download.target { true } else { false }
                runner.messages.note(
                    "\(kept) is kept: without a strong ETag or Last-Modified it may be another version; "
                        + (isNamed ? "omit --no-clobber to replace it" : "--output FILE replaces it"))
            }
            runner.recorder.noteSaved(to: path)
        }
        return runner.conclude(request, result.error, hint: partialFileHint(result), unmet: unmet)
    }

    /// Returns an error for a 304 to an unconditional request, which neither has a body nor confirms the existing file.
    private func notModifiedFailure(_ response: HTTPURLResponse) -> String? {
        let conditions = ["if-none-match", "if-modified-since"]
        guard response.statusCode == 304, existingPath == nil, plan.expectations.statuses == nil,
            !plan.request.headers.contains(where: { conditions.contains($0.name.lowercased()) })
        else { return nil }
        return "expected a file, got \(response.statusWithReason), although the request has no condition"
    }

    /// Returns the reason why a requested segmented download was not possible.
    private func sequentialReason(_ request: DownloadRequest) -> String? {
        guard download.segments > 1, let response = request.response else { return nil }
        if !request.segments.isEmpty {
            let isRestart = request.lastRequest?.headers["Range"] == nil && request.retryCount > 0
            return isRestart
                ? "parallel ranges were not possible: the file was downloaded again sequentially" : nil
        }
        guard response.statusCode == 200, response.expectedContentLength >> 21 != 0 else { return nil }
        if plan.session.network.maximumReceiveRate != nil, !response.httpVersion.hasPrefix("HTTP/1") {
            return "the download was sequential: with --limit-rate, parallel ranges need --http1.1"
        }
        return "the download was sequential: parallel ranges need a strong validator, a length and Accept-Ranges"
    }

    /// Returns the hint about the bytes received before a failure.
    private func partialFileHint(_ result: AFDownloadResponse<URL?>) -> String? {
        let reason = (result.error?.underlyingError as? DownloadFailure)?.reason
        // The file at the path was not written by this run.
        if reason == .unknownFile || reason == .unsafeFile || reason == .busy { return nil }
        if let record = result.resumeData.flatMap({ try? DownloadRecord(json: $0) }) {
            let amount = HumanUnits.bytes(record.savedBytes)
            let more = if case .tooLarge? = reason { " and a larger --max-filesize" } else { "" }
            return "\(amount) are saved; run the same command with --resume\(more) to continue"
        }
        // A failed file operation may concern another process's partial file.
        guard let error = result.error, !(error.underlyingError is DownloadFailure),
            case .file(let path) = bodyDestination.withLock({ $0 }),
            let record = DownloadRecord.partial(at: URL(literalPath: path)), download.resume != .unsafe
        else { return nil }
        let amount = HumanUnits.bytes(record.savedBytes)
        return "'\(record.partialPath)' has the first \(amount), but the response had no strong ETag or Last-Modified; "
            + "--resume=unsafe compares only its end"
    }

    private func showAside(_ file: String, _ response: HTTPURLResponse) {
        defer { unlink(file) }
        runner.bodyCapture?.load(file, plan.output.mediaType ?? response.contentType, charset: plan.output.charset)
        show(.file(path: file), of: response)
    }

    /// Shows the body of a rejected response, whose file is gone but whose searched bytes are stored.
    private func showRefused(_ response: HTTPURLResponse) {
        if case .complete(let bytes)? = runner.bodyCapture?.body { show(.bytes(bytes), of: response) }
    }

    /// Whether the response is an error whose body is not shown.
    private func isHidden(_ response: HTTPURLResponse) -> Bool {
        plan.output.hidesErrorBodies && response.statusCode >= 400
    }

    private func show(_ body: BodySource, of response: HTTPURLResponse) {
        guard plan.output.quietness == 0, !isHidden(response), runner.part == nil else { return }
        if plan.progress == .json {
            var start: [UInt8] = []
            try? body.forEachChunk { if start.count < 500 { start += $0.prefix(500 - start.count) } }
            let redaction = Redaction(revealsSecrets: runner.recorder.plan.showsSecrets)
            return runner.messages.body(redaction.prefix(start, type: response.contentType))
        }
        runner.beginBody(of: response)
        // The file existed a moment ago; if it cannot be read, nothing is shown.
        try? body.forEachChunk { printer.showBody($0) }
        printer.endBody()
    }
}

private struct WeakRequest {
    weak var value: DownloadRequest?
}

extension DownloadRecord {
    /// Whether the partial file has bytes, recorded or not.
    fileprivate var hasBytes: Bool {
        var status = stat()
        return lstat(partialPath, &status) == 0 && status.st_size > 0
    }
}

extension HTTPURLResponse {
    /// Whether the status allows no body, not even an empty file (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    var hasNoContent: Bool { [204, 205, 304].contains(statusCode) }
}

extension DownloadRecord.PartMismatch {
    fileprivate var sentence: String {
        switch self {
        case .severalRanges: "the server sent several ranges instead of the rest"
        case .unknownRange: "the server did not say which range of the file it sent"
        case .otherRange: "the server sent another range than requested"
        case .otherTotal: "the server's file has another length than recorded"
        case .shorterTotal: "the server's file is shorter than the bytes on disk"
        case .otherLength: "the server sent another number of bytes than its range has"
        case .otherVersion: "the server sent a part of another version"
        case .unknownVersion: "the server sent a part without the validator of the file"
        }
    }
}
