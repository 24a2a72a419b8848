internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// An exchange whose response becomes a file.
final class DownloadExchange: Sendable {
    /// Where a response's body goes.
    private enum Place: Sendable {
        /// The path as typed or made up, relative where that was.
        case file(String)
        /// It is none that was asked for: kept aside, to be shown or to be forgotten.
        case aside
        /// Nowhere: an earlier run's file is this very version.
        case complete(String)
    }

    private let exchange: Exchange
    private let download: DownloadPlan
    /// Of the latest response; decided when its head is known.
    private let place = Mutex<Place?>(nil)
    /// The path that was chosen first, and what it would be if nothing stood there: another try must not choose another,
    /// unless the file there may not be replaced after all.
    private let chosenPath = Mutex<(wanted: String, free: String, isReplaced: Bool)?>(nil)

    /// What an earlier run left, or another program.
    private let earlier: EarlierDownload
    /// Weak, as it holds this exchange.
    private let request = Mutex(WeakRequest())
    /// What this run goes on with; decided when it begins.
    private let continued = Mutex<DownloadRecord?>(nil)

    init(_ exchange: Exchange, _ download: DownloadPlan) {
        self.exchange = exchange
        self.download = download
        earlier = EarlierDownload(download, of: exchange.plan.url)
    }

    private var plan: Plan { exchange.plan }
    private var printer: Printer { exchange.printer }
    private var isAside: Bool { if case .aside = place.withLock({ $0 }) { true } else { false } }

    func run(in session: Session) throws -> ExitStatus {
        guard let request = try start(in: session) else { return exchange.recorder.finish(.success, attempts: nil) }
        return exchange.finish(session, request, endsInOrder: true)
    }

    /// - Returns: The request; it is running if the session starts requests immediately. `nil` if there is nothing to fetch.
    func start(in session: Session) throws -> DownloadRequest? {
        try download.checkPlace(expectedPath)
        // What another method is sent for is more than its answer.
        if plan.request.method == .get, earlier.isWholeByChecksum {
            exchange.messages.note("\(expectedPath) is complete: its checksum is right")
            return nil
        }
        try earlier.checkPlace()
        let partial = try earlier.partial ?? earlier.adopted()
        if earlier.isOfOtherURL, !download.keepsExisting {
            exchange.messages.note("what was there came from another URL: starting over")
        }
        if partial?.proof == .overlap {
            exchange.messages.warning("what is in \(expectedPath) is taken on trust: only its end is compared")
        }
        continued.withLock { $0 = partial }
        let request = session.download(
            try convertible(),
            resumingWith: partial?.json,
            // A session of the exchange's own has it already.
            interceptor: exchange.part.flatMap { _ in exchange.interceptor },
            to: destination
        )
        self.request.withLock { $0.value = request }
        exchange.prepare(request)
        request.segmented(into: download.segments)
        for source in download.checksums {
            // Lists know the file by its own name, without the number that makes it a new one.
            request.validate { [self] in source.checksums(of: chosenPath.withLock(\.self)?.wanted ?? $0.path) }
        }
        if exchange.mayReplace { request.validate { [exchange] _, response, _ in exchange.validate(response) } }
        if exchange.bodyKeeper != nil { request.validate { [self] _, _, file in search(file) } }
        if let progress = exchange.progress {
            request.downloadProgress(queue: exchange.dispatchQueue) { [self] in if !isAside { progress.receiving($0) } }
        }
        request.response(queue: exchange.dispatchQueue) { [self] response in
            exchange.progress?.end(isWhole: response.error == nil)
            if let path = keptPath(by: response.response) {
                exchange.messages.note("\(path) is complete, and the server has no other version")
            }
            exchange.end(with: end(response, request))
        }
        return request
    }

    /// Looks into the body before it takes the place of what is there.
    private func search(_ file: URL?) -> Result<Void, any Error> {
        guard let keeper = exchange.bodyKeeper, let file, !isAside else { return .success(()) }
        keeper.load(file.path)
        return plan.expectations.complaints(about: keeper.body).isEmpty ? .success(()) : .failure(UnexpectedBody())
    }

    // Where it goes, on the transport's thread.

    private var destination: DownloadRequest.Destination {
        { [self] temporaryURL, response in
            let isReplaced = exchange.replaces(response)
            if !isReplaced { printer.queue.async { [self] in showHead(response) } }
            // What was not asked for is shown, and stored under no name.
            let isAccepted = plan.expectations.accepts(response) && !isReplaced
            if isAccepted, isComplete(by: response) {
                let path = earlier.path(for: response)
                place.withLock { $0 = .complete(path) }
                return (URL(literalPath: path), [.keepPreviousFile])
            }
            guard isAccepted else {
                place.withLock { $0 = .aside }
                return (asideURL(temporaryURL), [.removePreviousFile, .ownerOnly, .skipChecksums])
            }
            tellStartingOver(response)
            let path = path(for: response)
            place.withLock { $0 = .file(path) }
            exchange.progress?.rename(to: URL(literalPath: path).lastPathComponent)
            var options: DownloadRequest.Options = [.rememberOrigin]
            if replaces(by: response) { options.insert(.removePreviousFile) }
            if download.keepsRemoteTime { options.insert(.remoteModificationDate) }
            if download.createsFolders { options.insert(.createIntermediateDirectories) }
            return (URL(literalPath: path), options)
        }
    }

    /// What an earlier run brought is of no use after all.
    private func tellStartingOver(_ response: HTTPURLResponse) {
        guard response.statusCode == 200, let beginning = continued.withLock({ $0 }), beginning.savedBytes > 0 else {
            return
        }
        let isAgain = place.withLock { if case .file? = $0 { true } else { false } }
        let reason =
            if isAgain {
                "what was there is not the beginning of what the server has"
            } else if !beginning.isWhereItWas {
                "what was there is gone in part"
            } else if !beginning.isResumable {
                "nothing proves that what was there belongs to what the server has"
            } else if beginning.fingerprint == nil {
                "the record of '\(beginning.partialPath)' is from an earlier version of afcli"
            } else if !hasAskedForRest {
                "'\(beginning.partialPath)' is not as it was left"
            } else if beginning.validator != nil, beginning.length != nil, !beginning.describes(response) {
                "the server has another version"
            } else if let origin = otherOrigin(response, than: beginning) {
                "'\(origin)' is not the server that the first part came from"
            } else {
                "the server sends all of it"
            }
        printer.queue.async { [self] in
            exchange.progress?.breakLine()
            exchange.messages.note("\(reason): starting over")
        }
    }

    /// Whether the first request was for the rest of a file: not if that was found changed.
    private var hasAskedForRest: Bool {
        guard let request = request.withLock({ $0.value }) else { return true }
        return request.retryCount > 0 || request.lastRequest?.headers["Range"] != nil
    }

    /// The origin of a response; `nil` if it is the recorded one.
    private func otherOrigin(_ response: HTTPURLResponse, than record: DownloadRecord) -> String? {
        let origin = DownloadRecord(url: record.url, partialPath: record.partialPath, response: response).finalOrigin
        return origin == record.finalOrigin ?? origin ? nil : origin
    }

    /// Beside the file that was asked for, under a name that nobody can foresee.
    private func asideURL(_ temporaryURL: URL) -> URL {
        let folder = URL(literalPath: expectedPath).deletingLastPathComponent()
        let url = folder.appending(path: ".\(temporaryURL.lastPathComponent)")
        return access(folder.path, W_OK | X_OK) == 0 ? url : temporaryURL
    }

    /// Where what this run goes on with came from.
    private var adoptedPath: String? { continued.withLock { $0 == nil ? nil : expectedPath } }

    private func path(for response: HTTPURLResponse) -> String {
        chosenPath.withLock { chosen in
            let replaces = replaces(by: response)
            if let chosen, replaces || !chosen.isReplaced { return chosen.free }
            let path = adoptedPath ?? earlier.path(for: response)
            let isNamed = if case .file = download.target { true } else { false }
            let names = exchange.part?.names
            let free = replaces ? path : FreeName.next(to: path, for: plan.url.text, names, isOwn: isNamed)
            chosen = (path, free, replaces)
            return free
        }
    }

    /// Another version may take the place of what this tool put there, and the whole that of its beginning.
    private func replaces(by response: HTTPURLResponse) -> Bool {
        let continues = response.statusCode == 206 && continued.withLock { $0?.proof != nil }
        return !download.keepsExisting || earlier.whole != nil || continues
    }

    private var expectedPath: String { earlier.expectedPath }

    /// Whether nothing is wanted but another version than the one that is there.
    private var asksForAnother: Bool {
        earlier.whole != nil && earlier.partial == nil && download.checksums.isEmpty && mayKeepFile
    }

    /// Whether the answer may be that the file is what it was asked for.
    private var mayKeepFile: Bool {
        plan.request.method == .get && plan.expectations.acceptsNotModified
            && !plan.request.headers.contains { $0.name.lowercased().hasPrefix("if-") }
    }

    /// Whether the answer says that the file is what it was asked for: in so many words, or by a head that is the file's
    /// own, where a server passes over the question or was not asked.
    private func isComplete(by response: HTTPURLResponse?) -> Bool {
        guard let response, mayKeepFile, continued.withLock({ $0 == nil }) else { return false }
        return asksForAnother && response.statusCode == 304 || earlier.isWhole(by: response)
    }

    /// The file that was left alone, as it is what was asked for.
    private func keptPath(by response: HTTPURLResponse?) -> String? {
        if case .complete(let path) = place.withLock({ $0 }) { return path }
        return asksForAnother && response?.statusCode == 304 ? expectedPath : nil
    }

    private func convertible() throws -> any URLRequestConvertible {
        let convertible = try exchange.convertible()
        guard asksForAnother, var request = convertible as? URLRequest else { return convertible }
        earlier.whole?.askForAnother(in: &request)
        return request
    }

    // What is shown, on the printer's queue.

    private func showHead(_ response: HTTPURLResponse) {
        exchange.view?.release()
        if plan.output.parts.contains(.responseHead) { printer.showHead(response.rawHead) }
        printer.flush()
    }

    private func end(_ result: AFDownloadResponse<URL?>, _ request: DownloadRequest) -> ExitStatus {
        exchange.view?.end(isAnswered: !request.segments.isEmpty)
        if isAside, let file = result.fileURL, let response = result.response {
            showAside(file.path, response)
            if response.hasNoContent, keptPath(by: response) == nil {
                exchange.messages.note("nothing was saved: the server answered \(response.statusWithReason)")
            }
        }
        if result.error?.underlyingError is UnexpectedBody, let response = result.response { showRefused(response) }
        if result.fileURL != nil, case .file(let path) = place.withLock({ $0 }) {
            if let remark = segmentRemark(request) { exchange.messages.note(remark) }
            if let response = result.response, response.hasNoContent, request.downloadProgress.completedUnitCount == 0 {
                exchange.messages.note("the file is empty: the server answered \(response.statusWithReason)")
            }
            exchange.messages.note("saved to \(path)")
            exchange.recorder.noteSaved(to: path)
        }
        let unmet = result.response.flatMap(complaintAboutNotModified)
        return exchange.conclude(request, result.error, hint: keptHint(result), unmet: unmet)
    }

    /// A 304 to a request that had no condition brings no file, and says nothing of the one that is there.
    private func complaintAboutNotModified(_ response: HTTPURLResponse) -> String? {
        let conditions = ["if-none-match", "if-modified-since"]
        guard response.statusCode == 304, keptPath(by: response) == nil, plan.expectations.statuses == nil,
            !plan.request.headers.contains(where: { conditions.contains($0.name.lowercased()) })
        else { return nil }
        return "expected a file, got \(response.statusWithReason), though the request has no condition"
    }

    /// Why ranges were not fetched side by side, though they might have been.
    private func segmentRemark(_ request: DownloadRequest) -> String? {
        guard download.segments > 1, let response = request.response else { return nil }
        if !request.segments.isEmpty {
            let isAnew = request.lastRequest?.headers["Range"] == nil && request.retryCount > 0
            return isAnew ? "the server's ranges were not of one version: the file was fetched anew in one piece" : nil
        }
        guard response.statusCode == 200, response.expectedContentLength >> 21 != 0 else { return nil }
        return "the file came in one piece: the server does not tell its version and length, or that it has ranges"
    }

    /// What to do with the bytes that came before a failure.
    private func keptHint(_ result: AFDownloadResponse<URL?>) -> String? {
        let reason = (result.error?.underlyingError as? DownloadFailure)?.reason
        // The file at the path is not the one that this run wrote.
        if reason == .foreignFile || reason == .notOwnFile || reason == .busy { return nil }
        if let record = result.resumeData.flatMap({ try? DownloadRecord(json: $0) }) {
            let amount = HumanUnits.bytes(record.savedBytes)
            let more = if case .tooLarge? = reason { " and a larger --max-filesize" } else { "" }
            return "\(amount) are kept; the same command with --resume\(more) goes on from there"
        }
        // What a failed file operation met may be another process's partial file.
        guard let error = result.error, !(error.underlyingError is DownloadFailure),
            case .file(let path) = place.withLock({ $0 }),
            let record = DownloadRecord.left(at: URL(literalPath: path))
        else { return nil }
        let amount = HumanUnits.bytes(record.savedBytes)
        return "\(amount) are kept in '\(record.partialPath)', but nothing tells whether the rest will belong to them"
    }

    private func showAside(_ file: String, _ response: HTTPURLResponse) {
        defer { unlink(file) }
        exchange.bodyKeeper?.load(file)
        show(.file(path: file), of: response)
    }

    /// Its file is gone by now; what was searched is still there.
    private func showRefused(_ response: HTTPURLResponse) {
        if case .whole(let bytes)? = exchange.bodyKeeper?.body { show(.bytes(bytes), of: response) }
    }

    private func show(_ body: BodySource, of response: HTTPURLResponse) {
        guard plan.output.quietness == 0, exchange.part == nil else { return }
        exchange.beginBody(of: response)
        // A file was there a moment ago, and is of no use where it cannot be read.
        try? body.forEachChunk { printer.showBody($0) }
        printer.endBody()
    }
}

private struct WeakRequest {
    weak var value: DownloadRequest?
}

extension HTTPURLResponse {
    /// Whether there is nothing that a file could hold, not even an empty one (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    fileprivate var hasNoContent: Bool { [204, 205, 304].contains(statusCode) }
}
