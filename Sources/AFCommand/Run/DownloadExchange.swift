internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// An exchange whose response becomes a file.
struct DownloadExchange: Sendable {
    private let exchange: Exchange
    private let download: DownloadPlan
    private let view: RequestView?
    /// Decided when the head is known.
    private let place = Place()

    init(_ exchange: Exchange, _ download: DownloadPlan, _ view: RequestView?) {
        self.exchange = exchange
        self.download = download
        self.view = view
    }

    func run(in session: Session) async throws -> ExitStatus {
        let request = session.download(try convertible(), resumingWith: try resumeData(), to: destination)
        if case .digest(let credential) = exchange.plan.request.authentication {
            request.authenticate(with: credential)
        }
        let retry = exchange.plan.retry
        if retry.limit > 0 {
            request.validate { _, response, _ in
                guard retry.conditions.statuses.contains(response.statusCode) else { return .success(()) }
                let reason = AFError.ResponseValidationFailureReason.unacceptableStatusCode(code: response.statusCode)
                return .failure(AFError.responseValidationFailed(reason: reason))
            }
        }
        let progress = ProgressReporter(
            exchange.plan.progress,
            name: expectedName,
            isTransferToFile: true,
            exchange.environment
        )
        if let progress {
            let place = place
            request.downloadProgress(queue: exchange.printer.queue) { if !place.isAside { progress.receiving($0) } }
        }
        let interruption = exchange.environment.onInterrupt { status in
            place.interrupt(status)
            request.cancel(producingResumeData: true)
        }
        let response = await withCheckedContinuation { waiter in
            request.response(queue: exchange.printer.queue) { waiter.resume(returning: $0) }
        }
        withExtendedLifetime(interruption) {}
        return exchange.printer.queue.sync {
            progress?.end(isWhole: response.error == nil)
            return end(response, metrics: request.allMetrics)
        }
    }

    private func convertible() throws -> any URLRequestConvertible {
        if let upload = try PlannedUpload(exchange.plan) { return upload }
        return PlannedRequest(plan: exchange.plan)
    }

    // Where it goes.

    private var destination: DownloadRequest.Destination {
        { [self] temporaryURL, response in
            let isAccepted = exchange.plan.expectations.accepts(response)
            // What was not asked for is shown, and stored under no name.
            guard isAccepted else {
                place.settle(temporaryURL.path, isAside: true)
                return (temporaryURL, [.removePreviousFile])
            }
            let path = path(for: response)
            place.settle(path, isAside: false)
            var options: DownloadRequest.Options = download.keepsExisting ? [] : .removePreviousFile
            if download.createsFolders { options.insert(.createIntermediateDirectories) }
            return (URL(filePath: path), options)
        }
    }

    /// A retry and a download that goes on keep the name that was chosen first.
    private func path(for response: HTTPURLResponse) -> String {
        if let path = place.path, !place.isAside { return path }
        let path =
            switch download.target {
            case .file(let path), .device(let path): path
            case .folder(let folder): folder + DownloadName.name(for: exchange.plan.url, response: name(from: response))
            }
        return download.keepsExisting ? FreeName.next(to: path) : path
    }

    /// A name that the server announces late would not find the partial file again.
    private func name(from response: HTTPURLResponse) -> HTTPURLResponse? { download.resume == nil ? response : nil }

    /// What the destination will be as far as the command line tells; for --resume and for the progress.
    private var expectedPath: String {
        switch download.target {
        case .file(let path), .device(let path): path
        case .folder(let folder): folder + DownloadName.name(from: exchange.plan.url)
        }
    }

    private var expectedName: String { String(expectedPath.split(separator: "/").last ?? "download") }

    private func resumeData() throws -> Data? {
        try refuseLink(expectedPath)
        guard download.resume != nil else { return nil }
        return DownloadRecord.left(at: URL(filePath: expectedPath))?.json
    }

    private func refuseLink(_ path: String) throws {
        var status = stat()
        guard !download.replacesLinks, !download.keepsExisting, lstat(path, &status) == 0,
            status.st_mode & S_IFMT == S_IFLNK
        else { return }
        throw FileProblem(
            path: path, reason: "it is a symbolic link; --overwrite replaces the link", argument: "--output")
    }

    // The end, on the printer's queue.

    private func end(_ response: AFDownloadResponse<URL?>, metrics: [TransferMetrics]) -> ExitStatus {
        view?.release()
        let plan = exchange.plan
        if plan.output.parts.contains(.responseHead), let head = response.response {
            exchange.printer.showHead(head.rawHead)
        }
        if place.isAside, let file = response.fileURL, let head = response.response { showAside(file, head) }
        if let status = place.interruption {
            exchange.messages.error(interrupted(response, status))
            return status
        }
        if let error = response.error, error.responseCode == nil {
            var diagnosis = Diagnosis(error)
            if response.resumeData != nil { diagnosis.hint = resumeHint(response.resumeData) }
            exchange.messages.error(diagnosis)
            return diagnosis.status
        }
        if !place.isAside, let path = response.fileURL?.path { exchange.messages.note("saved to \(path)") }
        return exchange.conclude(response.response, response.error, metrics: metrics)
    }

    private func interrupted(_ response: AFDownloadResponse<URL?>, _ status: ExitStatus) -> Diagnosis {
        Diagnosis("interrupted", hint: resumeHint(response.resumeData), status: status)
    }

    private func resumeHint(_ data: Data?) -> String? {
        guard let record = data.flatMap({ try? DownloadRecord(json: $0) }) else { return nil }
        return "\(HumanUnits.bytes(record.completedBytes)) are kept; the same command with --resume goes on from there"
    }

    private func showAside(_ file: URL, _ head: HTTPURLResponse) {
        defer { unlink(file.path) }
        guard exchange.plan.output.quietness == 0 else { return }
        let type = head.value(forHTTPHeaderField: "Content-Type").flatMap(MediaType.init(parsing:))
        exchange.printer.beginBody(of: type)
        try? BodySource.file(path: file.path).forEachChunk { exchange.printer.showBody($0) }
        exchange.printer.endBody()
    }
}

/// Where a download goes, and whether the user ended it.
private final class Place: Sendable {
    private struct Contents {
        var path: String?
        var isAside = false
        var interruption: ExitStatus?
    }

    private let contents = Mutex(Contents())

    var path: String? { contents.withLock(\.path) }
    /// Whether the body is none that was asked for, kept aside to be shown.
    var isAside: Bool { contents.withLock(\.isAside) }
    var interruption: ExitStatus? { contents.withLock(\.interruption) }

    func settle(_ path: String, isAside: Bool) { contents.withLock { ($0.path, $0.isAside) = (path, isAside) } }
    func interrupt(_ status: ExitStatus) { contents.withLock { $0.interruption = status } }
}

/// Names for files that must not take an existing one's place.
enum FreeName {
    /// The path itself, else `PATH-1`, `PATH-2`, …
    static func next(to path: String) -> String {
        var status = stat()
        var candidate = path
        var number = 0
        while lstat(candidate, &status) == 0 {
            number += 1
            candidate = "\(path)-\(number)"
        }
        return candidate
    }
}
