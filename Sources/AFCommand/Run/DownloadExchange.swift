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
    }

    private let exchange: Exchange
    private let download: DownloadPlan
    /// Of the latest response; decided when its head is known.
    private let place = Mutex<Place?>(nil)
    /// The name that was chosen first: another try must not choose another one.
    private let chosenPath = Mutex<String?>(nil)

    init(_ exchange: Exchange, _ download: DownloadPlan) {
        self.exchange = exchange
        self.download = download
    }

    private var plan: Plan { exchange.plan }
    private var printer: Printer { exchange.printer }
    private var isAside: Bool { if case .aside = place.withLock({ $0 }) { true } else { false } }

    func run(in session: Session) throws -> ExitStatus {
        try download.checkPlace(expectedPath)
        let request = session.download(try exchange.convertible(), resumingWith: resumeData, to: destination)
        exchange.prepare(request)
        if plan.retry.limit > 0 { request.validate { [exchange] _, response, _ in exchange.rule.validate(response) } }
        if let progress = exchange.progress {
            request.downloadProgress(queue: exchange.dispatchQueue) { [self] in if !isAside { progress.receiving($0) } }
        }
        let interruption = exchange.environment.onInterrupt { [exchange] status in
            exchange.ending.end(request, Diagnosis("interrupted", status: status))
        }
        request.response(queue: exchange.dispatchQueue) { [self] response in
            exchange.progress?.end(isWhole: response.error == nil)
            exchange.end(with: end(response, request))
        }
        return withExtendedLifetime(interruption) { exchange.finish(session) }
    }

    // Where it goes, on the transport's thread.

    private var destination: DownloadRequest.Destination {
        { [self] temporaryURL, response in
            let isReplaced = exchange.rule.replaces(response)
            if !isReplaced { printer.queue.async { [self] in showHead(response) } }
            // What was not asked for is shown, and stored under no name.
            guard plan.expectations.accepts(response), !isReplaced else {
                place.withLock { $0 = .aside }
                return (temporaryURL, [.removePreviousFile])
            }
            let path = path(for: response)
            place.withLock { $0 = .file(path) }
            var options: DownloadRequest.Options = download.keepsExisting ? [] : .removePreviousFile
            if download.createsFolders { options.insert(.createIntermediateDirectories) }
            return (URL(filePath: path), options)
        }
    }

    private func path(for response: HTTPURLResponse) -> String {
        chosenPath.withLock { chosen in
            if let chosen { return chosen }
            // A name that the server announces would not find the partial file of an earlier run.
            let path = download.path(for: plan.url, download.resumes ? nil : response)
            let free = download.keepsExisting ? FreeName.next(to: path) : path
            chosen = free
            return free
        }
    }

    /// What the path will be as far as the command line tells.
    private var expectedPath: String { download.path(for: plan.url, nil) }

    private var resumeData: Data? {
        download.resumes ? DownloadRecord.left(at: URL(filePath: expectedPath))?.json : nil
    }

    // What is shown, on the printer's queue.

    private func showHead(_ response: HTTPURLResponse) {
        exchange.view?.release()
        if plan.output.parts.contains(.responseHead) { printer.showHead(response.rawHead) }
        printer.flush()
    }

    private func end(_ result: AFDownloadResponse<URL?>, _ request: DownloadRequest) -> ExitStatus {
        exchange.view?.end()
        if isAside, let file = result.fileURL, let response = result.response { showAside(file.path, response) }
        if result.fileURL != nil, case .file(let path) = place.withLock({ $0 }) {
            exchange.messages.note("saved to \(path)")
        }
        return exchange.conclude(request, result.error, hint: keptHint(result.resumeData))
    }

    private func keptHint(_ resumeData: Data?) -> String? {
        guard let record = resumeData.flatMap({ try? DownloadRecord(json: $0) }) else { return nil }
        return "\(HumanUnits.bytes(record.completedBytes)) are kept; the same command with --resume goes on from there"
    }

    private func showAside(_ file: String, _ response: HTTPURLResponse) {
        defer { unlink(file) }
        guard plan.output.quietness == 0 else { return }
        exchange.beginBody(of: response)
        // The file was there a moment ago, and is of no use where it cannot be read.
        try? BodySource.file(path: file).forEachChunk { printer.showBody($0) }
        printer.endBody()
    }
}
