internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Runs a request whose response is saved to a file.
final class DownloadRunner: Sendable {
    /// The destination of a response's body.
    private enum BodyDestination: Equatable, Sendable {
        /// A path as typed or generated, relative if it was typed so.
        case file(String)
        /// A temporary file: the response is not the requested one and is shown or discarded.
        case aside
        /// No destination: the response is an error whose body is not shown, or must not replace the existing file.
        case unwanted
        /// No destination: an earlier run's file is this version.
        case complete(String)
    }

    private let run: Run
    private let download: DownloadPlan
    /// The destination of the latest response, determined after its header.
    private let latestDestination = Mutex<BodyDestination?>(nil)
    /// The path of the first attempt, which retries reuse, and the alternative if an existing file must be preserved.
    private let chosenPath = Mutex<(name: UnusedPath, free: String, isReplaced: Bool)?>(nil)
    /// The file of an earlier run or of another program.
    private let earlier: EarlierDownload
    /// The request until its end, as it retains this object.
    private let request = Mutex<DownloadRequest?>(nil)
    /// The record that this run resumes, determined at its start.
    private let continued = Mutex<(record: DownloadRecord, hadAllBytes: Bool)?>(nil)

    init(_ run: Run, _ download: DownloadPlan) {
        self.run = run
        self.download = download
        earlier = EarlierDownload(
            download, of: run.plan.url, decodesContent: run.plan.session.decodesContent, run.part?.names)
    }

    private var plan: Plan { run.plan }
    private var printer: Printer { run.printer }
    private var bodyDestination: BodyDestination? {
        get { latestDestination.withLock(\.self) }
        set { latestDestination.withLock { $0 = newValue } }
    }
    private var isAside: Bool { bodyDestination == .aside }
    /// The path of the saved body; `nil` if it has another destination.
    private var savedPath: String? { if case .file(let path)? = bodyDestination { path } else { nil } }
    private var history: DownloadHistory {
        DownloadHistory(
            request: request.withLock(\.self), resumed: continued.withLock { $0 },
            decodesContent: plan.session.decodesContent)
    }

    /// The state for the display of a batch. A response that is not the file has no progress.
    var displayedState: BatchProgress.Download {
        let name = savedPath?.lastComponent ?? download.fileName(for: plan.url) ?? run.messages.subject ?? ""
        let attempts = request.withLock(\.self)?.downloadProgressOfAttempts ?? []
        return BatchProgress.Download(name: name, attempts: isAside ? attempts.dropLast() : attempts)
    }

    /// Returns the request, running if the session starts requests immediately; `nil` if nothing must be downloaded.
    func start(in session: Session) throws -> DownloadRequest? {
        if let path = download.skippedPath(for: plan.url, plan.request.method, run.part?.names) {
            run.messages.note("\(path) exists: skipped")
            return nil
        }
        try download.checkDestination(expectedPath)
        // Other methods have effects besides the response.
        if plan.request.method == .get, earlier.isCompleteByChecksum {
            run.messages.note("\(expectedPath) is complete: its checksum matches")
            return nil
        }
        try earlier.checkDestination()
        let partial = try earlier.partial ?? earlier.adopted()
        if earlier.hasDifferentURL, !download.keepsExisting {
            run.messages.note("the partial file is from another URL: restarting the download")
        }
        if partial?.proof == .overlap {
            run.messages.warning("the contents of \(expectedPath) are not verified: only the end is compared")
        }
        continued.withLock { $0 = partial.map { ($0, $0.hasAllBytes) } }
        let request = session.download(
            try run.convertible(),
            resumingWith: partial?.json,
            unlessSameAs: isConditionalRequest ? earlier.complete : nil,
            // The session of a single run already has it.
            interceptor: run.part.flatMap { _ in run.interceptor },
            choosing: { [self] in destination(for: $0) },
            smallFiles: run.part?.smallFiles
        )
        self.request.withLock { $0 = request }
        run.prepare(request)
        request.segmented(into: download.segments)
        request.avoidConflicts(by: otherPath)
        if download.rules.removesPartialFile { request.discardsPartialFile() }
        if let received = run.part?.received ?? run.environment.onReceived { request.onReceived(received) }
        addValidators(to: request)
        if let progress = run.progress {
            request.downloadProgress(queue: run.dispatchQueue) { [self] in if !isAside { progress.receiving($0) } }
        }
        request.response(queue: run.dispatchQueue) { [self] response in
            let isComplete = response.error == nil && !isAside && bodyDestination != .unwanted
            let summary = isComplete && isReported(response) ? run.progress?.endWithSummary() : nil
            if summary == nil { run.progress?.end(isComplete: isComplete) }
            if let path = existingPath { run.messages.note("\(path) is complete and up to date") }
            run.complete(with: end(response, request, summary))
            self.request.withLock { $0 = nil }  // After the display has read its bytes.
        }
        return request
    }

    private func addValidators(to request: DownloadRequest) {
        if !download.checksums.isEmpty {
            // Lists contain the file's original name, without the number that avoids an existing file.
            request.validate { [self] file in
                let path = chosenPath.withLock(\.self)?.name.path ?? file.path
                return download.checksums(of: path, from: plan.url)
            }
            // A file with a wrong checksum is deleted, but may be a page that explains it.
            request.validate { [self] _, _, file in
                if let file, !isAside { run.bodyPrefix.begin(withFileAt: file.path) }
                return .success(())
            }
        }
        if run.mayReplace { request.validate { [run] _, response, _ in run.validate(response) } }
        if run.search.capture != nil { request.validate { [self] _, response, file in search(file, response) } }
    }

    /// Searches the body before it replaces the existing file.
    private func search(_ file: URL?, _ response: HTTPURLResponse) -> Result<Void, any Error> {
        guard let capture = run.search.capture, let file, !isAside else { return .success(()) }
        capture.load(file.path, plan.output.mediaType ?? response.contentType, charset: plan.output.charset)
        let failures = run.search.result(in: capture.text) { [plan] body in
            body.map(plan.expectations.failures(in:)) ?? []
        }
        guard let failures else { return .failure(CancellationError()) }
        guard failures.isEmpty else { return .failure(UnexpectedBody()) }
        capture.accept()
        return .success(())
    }

    // The destination; on the download's queue.

    private func destination(
        for response: HTTPURLResponse
    ) -> (path: String, options: DownloadRequest.Options) {
        let isReplaced = run.replaces(response)
        if !isReplaced, showsHead { printer.queue.async { [run] in run.showHead(response) } }
        // An unexpected response is shown and not saved.
        let isAccepted = plan.expectations.accepts(response) && !isReplaced
        if isComplete(by: response) || earlier.isKeptComplete(by: response),
            isAccepted || response.statusCode == 304 && !isReplaced
        {
            let path = earlier.path(for: response)
            bodyDestination = .complete(path)
            return (
                path, download.keepsRemoteTime ? [.keepPreviousFile, .remoteModificationDate] : .keepPreviousFile
            )
        }
        // The body may be endless.
        if !isReplaced, isHidden(response) { return discard() }
        guard isAccepted || !isReplaced && download.rules.savesErrors && response.statusCode != 304 else {
            bodyDestination = .aside
            return (asideURL.path, [.removePreviousFile, .ownerOnly, .skipChecksums])
        }
        if let failure = unsavedFailure(response) ?? run.codingFailure(response) { return discard(failure) }
        reportRestart(response)
        run.limitStream(response, of: request.withLock(\.self))
        let path = path(for: response)
        if let option = download.optionWriting(path) {
            return discard(
                Diagnosis("'\(path)' is the file of \(option)", hint: "use different files", status: .file))
        }
        bodyDestination = .file(path)
        run.progress?.rename(to: path.lastComponent)
        var options = download.options
        if isAccepted { options.insert(.rememberOrigin) }
        if replaces(by: response) { options.insert(.removePreviousFile) }
        if download.createsDirectories { path.createDirectories(mode: download.rules.directoryMode) }
        return (path, options)
    }

    /// Returns the error of a body that the rules of a curl command do not save.
    private func unsavedFailure(_ response: HTTPURLResponse) -> Diagnosis? {
        guard download.rules.savesErrors else { return nil }
        let isError = response.statusCode != 200 && response.statusCode != 206
        if response.statusCode != 206 && earlier.isToBeKept || isError && !isNew {
            return Diagnosis(
                "\(history.keepingReason): '\(expectedPath)' is unchanged",
                hint: "omit -C - to download it again", status: .broken, curlCode: 33)
        }
        return nil
    }

    /// Returns the destination of a body that is not needed.
    private func discard(_ failure: Diagnosis? = nil) -> (path: String, options: DownloadRequest.Options) {
        if let failure { run.cancellation.record(failure) }
        bodyDestination = .unwanted
        return (expectedPath, .keepPreviousFile)
    }

    /// Reports that the download is restarted.
    private func reportRestart(_ response: HTTPURLResponse) {
        guard response.statusCode == 200 else { return }
        if isContradicted {
            report("the server's 304 contradicts the record of '\(expectedPath)': downloading it again")
        }
        let isAgain = savedPath != nil
        if earlier.isForeign, !earlier.hasDifferentURL, !download.keepsExisting, !isAgain, isNew {
            report("could not verify that '\(expectedPath)' is a part of the server's file: restarting the download")
        }
        guard let reason = history.restartReason(for: response, isAgain: isAgain) else { return }
        report("\(reason): restarting the download")
        if let advice = history.advice { report(advice) }
    }

    private func report(_ sentence: String) {
        printer.queue.async { [self] in
            run.progress?.breakLine()
            run.messages.note(sentence)
        }
    }

    /// A new temporary URL beside the destination, with an unpredictable name.
    private var asideURL: URL {
        let temporaryURL = DownloadRequest.temporaryURL(for: UUID())
        let path = "\(expectedPath.pathParts.directory).\(temporaryURL.lastPathComponent)"
        return access(expectedPath.directoryPath, W_OK | X_OK) == 0 ? URL(literalPath: path) : temporaryURL
    }

    /// Whether the run resumes no partial file.
    private var isNew: Bool { continued.withLock { $0 == nil } }

    private func path(for response: HTTPURLResponse) -> String {
        chosenPath.withLock { chosen in
            let replaces = replaces(by: response) || download.existingFile(for: response) == .refused
            if let chosen, replaces || !chosen.isReplaced { return chosen.free }
            let path = isNew ? earlier.path(for: response) : expectedPath
            let isNamed = if case .file = download.target { true } else { false }
            var name = UnusedPath(path, of: download, isOwn: isNamed || earlier.path != nil)
            let free = replaces ? path : name.next(for: plan.url.text, run.part?.names)
            chosen = (name, free, replaces)
            return free
        }
    }

    /// Returns another path, as another process uses the chosen one.
    private func otherPath() -> String? {
        let path = chosenPath.withLock { chosen -> String? in
            guard let old = chosen, !old.isReplaced else { return nil }
            var name = old.name
            let free = name.next(for: plan.url.text, run.part?.names)
            chosen = (name, free, false)
            return free
        }
        guard let path else { return nil }
        bodyDestination = .file(path)
        run.progress?.rename(to: path.lastComponent)
        return path
    }

    /// Whether the response may replace the existing file: as another version of this program's file, or as the
    /// complete file of a partial one.
    private func replaces(by response: HTTPURLResponse) -> Bool {
        let continues = response.statusCode == 206 && continued.withLock { $0?.record.proof != nil }
        return download.existingFile(for: response) == .replaced || earlier.complete != nil || continues
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
        guard mayKeepFile, isNew, !isContradicted else { return false }
        return response.statusCode == 304 && isConditionalRequest || earlier.isComplete(by: response)
    }

    /// Whether the server's 304 contradicted the record of the existing file: the latest request has no condition then.
    private var isContradicted: Bool {
        let headers = request.withLock { $0?.lastRequest?.headers }
        return isConditionalRequest && (headers?["If-None-Match"] ?? headers?["If-Modified-Since"]) == nil
    }

    /// The existing file that is the result.
    private var existingPath: String? {
        if case .complete(let path)? = bodyDestination { path } else { nil }
    }

    // Output; on the printer's queue.

    private var showsHead: Bool { run.view != nil || plan.output.parts.contains(.responseHead) }

    /// Whether a message reports that the file was saved.
    private func isReported(_ result: AFDownloadResponse<URL?>) -> Bool {
        result.fileURL != nil && savedPath != nil && run.messages.level <= .notes && run.messages.style == .afcli
    }

    /// - Parameter summary: The size and the duration; `nil` if they were reported.
    private func end(
        _ result: AFDownloadResponse<URL?>, _ request: DownloadRequest, _ summary: String?
    ) -> ExitStatus {
        run.view?.end(hasResponse: !request.segments.isEmpty)
        printer.flush()
        let unmet = result.response.flatMap(notModifiedFailure)
        if isAside, let file = result.fileURL, let response = result.response {
            showAside(file.path, response)
            if response.hasNoContent, unmet == nil {
                run.messages.note("nothing was saved: \(run.statusMessage(response))")
            }
        }
        if result.error?.underlyingError is UnexpectedBody, let response = result.response { showRefused(response) }
        if result.fileURL != nil, let path = savedPath {
            if let reason = download.sequentialReason(request, plan.session.network) { run.messages.note(reason) }
            if let response = result.response, response.hasNoContent, request.downloadProgress.completedUnitCount == 0 {
                run.messages.note("the file is empty: \(run.statusMessage(response))")
            }
            let figures = summary.map { " (\($0))" } ?? ""
            run.messages.note("saved to \(download.typedPath(of: path))\(figures)")
            if let response = result.response, let kept = earlier.unprovenPath(for: response), kept != path {
                run.messages.note(
                    "\(kept) is kept: without a strong ETag or Last-Modified it may be another version; "
                        + download.replacementHint)
            }
            run.recorder.recordSaved(to: download.typedPath(of: path))
        }
        return run.reportOutcome(of: request, result.error, hint: partialFileHint(result), unmet: unmet)
    }

    /// Returns an error for a 304 to an unconditional request, which neither has a body nor confirms the existing file.
    private func notModifiedFailure(_ response: HTTPURLResponse) -> String? {
        let conditions = ["if-none-match", "if-modified-since"]
        guard response.statusCode == 304, !download.rules.savesErrors, existingPath == nil,
            plan.expectations.statuses == nil,
            !plan.request.headers.contains(where: { conditions.contains($0.name.lowercased()) })
        else { return nil }
        return "expected a file, got \(response.statusWithReason), although the request has no condition"
    }

    /// Returns the hint about the bytes received before a failure.
    private func partialFileHint(_ result: AFDownloadResponse<URL?>) -> String? {
        let reason = (result.error?.underlyingError as? DownloadFailure)?.reason
        // The file at the path was not written by this run.
        if reason == .unknownFile || reason == .unsafeFile || reason == .busy { return nil }
        if let record = result.resumeData.flatMap({ try? DownloadRecord(json: $0) }) {
            let amount = HumanUnits.bytes(record.savedBytes)
            let more = if case .tooLarge? = reason { " and a larger --max-filesize" } else { "" }
            let first = reason?.spaceHint.map { "\($0), then " } ?? ""
            return "\(amount) are saved; \(first)run the same command with --resume\(more) to continue"
        }
        // A failed file operation may concern another process's partial file.
        guard let error = result.error, !(error.underlyingError is DownloadFailure),
            let path = savedPath,
            let record = DownloadRecord.partial(at: URL(literalPath: path)), download.resume != .unsafe
        else { return nil }
        let amount = HumanUnits.bytes(record.savedBytes)
        return "'\(record.partialPath)' has the first \(amount), but the response had no strong ETag or Last-Modified; "
            + "the same command restarts; --resume=unsafe compares only its end"
    }

    private func showAside(_ file: String, _ response: HTTPURLResponse) {
        defer { unlink(file) }
        run.search.capture?.load(file, plan.output.mediaType ?? response.contentType, charset: plan.output.charset)
        show(.file(path: file), of: response)
    }

    /// Shows the body of a rejected response, whose file is gone but whose searched bytes are stored.
    private func showRefused(_ response: HTTPURLResponse) {
        if case .complete(let bytes, _)? = run.search.capture?.body { show(.bytes(bytes), of: response) }
    }

    /// Whether the response is an error whose body is not shown.
    private func isHidden(_ response: HTTPURLResponse) -> Bool {
        plan.output.hidesErrorBodies && response.statusCode >= 400
    }

    private func show(_ body: BodySource, of response: HTTPURLResponse) {
        run.bodyPrefix.begin(with: body)
        if plan.output.isQuiet || isHidden(response) || run.part != nil || plan.progress == .json { return }
        run.beginBody(of: response)
        // The file existed a moment ago; if it cannot be read, nothing is shown.
        try? body.forEachChunk { printer.showBody($0) }
        printer.endBody()
    }
}
