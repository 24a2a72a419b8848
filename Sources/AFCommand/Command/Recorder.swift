internal import AFCore
internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFHurl
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

extension RecordPlan {
    /// Creates the plan of a command line.
    ///
    /// - Throws: ``UsageError`` or ``FileProblem``.
    init(_ invocation: Invocation, _ files: FileAccess) throws {
        try self.init(invocation.reports, files)
        locating = { [assignments = invocation.assignments] in assignments.naming($0) }
    }
}

/// Collects the data of a run and writes its reports at the end, even after a failure.
final class Recorder: Sendable {
    let plan: RecordPlan
    private let environment: Environment
    private let messages: Messages
    private let record = Mutex(RunRecord())
    /// The entry of `--save`.
    private let suiteEntry = Mutex<SuiteEntry?>(nil)
    /// The secrets of the request; `nil` until they are needed.
    private let secrets = Mutex<KnownSecrets?>(nil)
    /// Whether the run is not one of several that share their reports.
    private let writesReports: Bool

    init(_ plan: RecordPlan, _ environment: Environment, _ messages: Messages, writesReports: Bool = true) {
        self.plan = plan
        self.writesReports = writesReports
        self.environment = environment
        self.messages = messages
        record.withLock { $0.name = plan.name }
    }

    /// Records the plan of the request.
    ///
    /// - Throws: ``UsageError`` if `--save` has no form for the request.
    func record(_ plan: Plan) throws(UsageError) {
        if let path = self.plan.suite {
            let content = FileStatus(path)?.isRegular == true ? try? environment.files.read(path, .text) : nil
            let entry = try SuiteEntry(plan, in: path, after: Self.suiteFile(content ?? [], path))
            suiteEntry.withLock { $0 = entry }
        }
        let expectations =
            self.plan.recordsExpectations ? plan.expectations.results(in: nil, body: nil, times: nil) : []
        record.withLock { record in
            (record.request, record.login, record.isSent) = (plan.request, plan.login, !plan.isDryRun)
            record.requestTarget = plan.session.messages.requestTarget
            record.proxyPassword = plan.session.proxies.proxy(for: plan.url)?.credential?.password
            record.expectations = expectations
        }
        secrets.withLock { $0 = nil }
    }

    func record(_ results: [ExpectationResult]) {
        if results.isEmpty { return }
        let redaction = redaction
        record.withLock { $0.expectations = results.map { $0.masked(by: redaction) } }
    }

    /// Records the failure of the response's status, which a failed expectation must not hide.
    func record(status diagnosis: Diagnosis) {
        let diagnosis = diagnosis.masked(by: redaction)
        record.withLock {
            $0.statusFailure = RunRecord.Failure(status: diagnosis.exitStatus, message: diagnosis.message)
        }
    }

    /// Records the start of the body of the final response.
    func record(_ body: RunRecord.Body) { record.withLock { $0.body = body } }

    /// Records the transfers of a run. The last ones count.
    func record(attempts: [TransferMetrics], segments: [TransferMetrics], ended: Date?) {
        record.withLock { ($0.attempts, $0.segments, $0.ended) = (attempts, segments, ended) }
        secrets.withLock { $0 = nil }
    }

    func record(_ evidence: ResponseEvidence) { record.withLock { $0.evidence = evidence.lines } }

    /// Records the response that the entry of `--save` must accept.
    func record(_ response: HurlResponseValues) { suiteEntry.withLock { $0?.check(response) } }

    /// Records the header of the final response.
    func record(head: [UInt8]) { record.withLock { $0.head = head } }

    func record(_ retry: RunRecord.Retry) { record.withLock { $0.retries.append(retry) } }
    /// The path of the saved body; `nil` if it was not saved.
    var savedPath: String? { record.withLock { $0.savedPath } }
    func recordSaved(to path: String) {
        record.withLock { $0.savedPath = path }
        environment.onSaved(path)
    }
    func recordDevice(_ path: String) { record.withLock { $0.device = path } }

    /// The record with the contents of the file that is the body, in which secrets are recognized.
    private var recordWithSentFile: RunRecord {
        record.withLock { record in
            record.readSentFile(environment.files)
            return record
        }
    }

    /// The redaction of reports, and of messages about the response.
    var redaction: Redaction {
        if plan.showsSecrets { return Redaction(revealsSecrets: true) }
        let record = recordWithSentFile
        let known = secrets.withLock { secrets in
            let known = secrets ?? record.secrets
            secrets = known
            return known
        }
        return Redaction(of: record, known)
    }

    /// Hides all URLs besides that of the request, as they may be upload resources.
    func hideUploads(besides target: String?) { record.withLock { $0.uploadTarget = target } }

    /// Hides the upload resources in reports.
    func hide(_ resources: [HTTPURL]) { record.withLock { $0.secretTargets = resources.map(\.target) } }

    /// Records the reason of a failure; the last one counts.
    func record(_ diagnosis: Diagnosis) {
        let diagnosis = diagnosis.masked(by: redaction)
        // A closed pipe has no message, but needs one here.
        let message = diagnosis.message.isEmpty ? "the output was closed" : diagnosis.message
        let failure = RunRecord.Failure(status: diagnosis.exitStatus, message: message, details: diagnosis.excerpt)
        record.withLock { $0.failure = failure }
    }

    /// Records the method and the URL of a command line that may be invalid.
    func record(_ invocation: Invocation) {
        guard let target = try? invocation.target else { return }
        record.withLock { $0.typedTarget = (invocation.listMethod, target.address.url.text) }
    }

    /// Records the reason why no request was sent.
    func record(_ error: any Error) {
        let usage = error as? UsageError
        record(Diagnosis(plan.showsSecrets ? error : usage?.withoutValues ?? error))
    }

    /// Writes all reports after the output was flushed.
    ///
    /// - Parameter attempts: The attempts; `nil` if no request was sent.
    /// - Returns: The status of the run: a report that cannot be written fails a successful run.
    func writeReports(
        _ status: ExitStatus,
        attempts: [TransferMetrics]?,
        segments: [TransferMetrics] = [],
        ended: Date? = nil
    ) -> ExitStatus {
        record(attempts: attempts ?? [], segments: segments, ended: ended)
        _ = complete(status)
        // If writing one report fails, the next ones contain the failure.
        if let path = plan.headerFile { attempt { try writeHead($0, to: path) } }
        if let template = plan.writeOut, attempts != nil { attempt { try write(template, about: $0) } }
        for target in plan.reports where writesReports { attempt { try write([$0], nil, to: target) } }
        if let path = plan.suite, let entry = suiteEntry.withLock(\.self), attempts != nil {
            if status == .success {
                attempt { _ in try add(entry, to: path) }
            } else {
                messages.note("the run failed, so the request was not added to \(path)")
            }
        }
        return record.withLock(\.status)
    }

    /// Writes all reports about several requests.
    ///
    /// - Returns: The status of the run.
    func writeReports(_ status: ExitStatus, _ runs: [RunRecord], of list: RunList) -> ExitStatus {
        let list = RunList(name: plan.name ?? list.name)
        record.withLock { $0.status = status }
        for target in plan.reports { attempt { _ in try write(runs, list, to: target) } }
        return record.withLock(\.status)
    }

    /// Completes the record with the status, and returns it: that of a run which is part of a list.
    func complete(_ status: ExitStatus) -> RunRecord {
        record.withLock { record in
            record.status = status
            if !plan.reports.isEmpty { record.readSentFile(environment.files) }
            return record
        }
    }

    private func attempt(_ write: (RunRecord) throws -> Void) {
        let run = record.withLock { $0 }
        do {
            try write(run)
        } catch {
            // An interruption was reported already.
            if (error as? FileProblem)?.cause == .interruption(run.status) { return }
            let diagnosis = Diagnosis(plan.locating(error))
            messages.error(diagnosis)
            guard run.status == .success else { return }
            record(diagnosis)
            record.withLock { $0.status = diagnosis.exitStatus }
        }
    }

    private func write(_ runs: [RunRecord], _ list: RunList?, to target: ReportTarget) throws {
        let redaction = redaction
        guard target.path != "-" else {
            // The report must start on a new line, after an incomplete last line of the body.
            try environment.output.endLine()
            return try show(target.text(of: runs, redaction, list: list), on: .output)
        }
        try target.write(isPrivate: plan.showsSecrets, environment.files.waits) { (old) throws(ReportMismatch) in
            try target.text(of: runs, redaction, list: list, extending: old)
        }
    }

    /// Reads the Hurl file to which an entry is added.
    private static func suiteFile(_ content: some Sequence<UInt8>, _ path: String) throws(UsageError) -> SuiteFile {
        guard let text = String(validating: Array(content), as: UTF8.self), let file = try? SuiteFile(parsing: text)
        else {
            throw UsageError(
                "'\(path)' is no Hurl file", argument: "--save",
                hint: "afcli run --check \(ShellWord.quoted(path)) names the error")
        }
        return file
    }

    /// Adds an entry to a Hurl file.
    private func add(_ entry: SuiteEntry, to path: String) throws {
        let waits = environment.files.waits
        var entry = entry
        let write = { (old: String, text: String) in
            let separator = old.isEmpty ? "" : old.hasSuffix("\n") ? "\n" : "\n\n"
            try AtomicFile.write(
                old + separator + text, to: path, isPrivate: false, waits: waits, option: "--save")
        }
        if FileStatus(path)?.isRegular != false {
            try naming("--save") {
                try PrivateFile(path: path, waits: waits).whileLocked(.report) { content, _ in
                    // Another run may have added an entry meanwhile.
                    entry = try entry.renamed(after: Self.suiteFile(content, path))
                    try write(String(decoding: content, as: UTF8.self), entry.text)
                }
            }
        } else {
            try write("", entry.text)
        }
        for file in entry.outsideFiles {
            messages.warning("the entry reads '\(file)', which afcli run refuses without --file-root")
        }
        for omission in entry.omissions { messages.warning("--save has no counterpart of \(omission)") }
        if !entry.secrets.isEmpty {
            let options = entry.secrets.map { "--secret \($0)=VALUE" }.joined(separator: " ")
            messages.note("secrets are variables: afcli run \(options) \(path)")
        }
    }

    private func writeHead(_ run: RunRecord, to path: String) throws {
        guard let head = run.head else { return }
        try AtomicFile.write(
            head, to: path, isPrivate: false, waits: environment.files.waits, option: "--header-file")
    }

    private func write(_ template: WriteOutTemplate, about run: RunRecord) throws {
        let values = WriteOut(run, at: environment.place, exitCode: environment.exitNumber(run.status))
        var files: [(path: String, appends: Bool, text: String)] = []
        for part in values.render(template) {
            guard case .file(let path, let appends) = part.destination else {
                try show(part.text, on: part.destination)
                continue
            }
            if files.last?.path != path { files.append((path, appends, "")) }
            files[files.count - 1].text += part.text
        }
        for file in files { try write(file.text, to: file.path, appends: file.appends) }
    }

    /// Writes text to a file of `%output{}`.
    private func write(_ text: String, to path: String, appends: Bool) throws {
        let waits = environment.files.waits
        let path = environment.files.expanding(path)
        guard appends else {
            return try AtomicFile.write(text, to: path, isPrivate: false, waits: waits, option: "--write-out")
        }
        let output = try DescriptorOutput(creating: path, appends: true, waits: waits, option: "--write-out")
        try output.write(text)
        try output.finish()
    }

    /// Sanitizes text of the server for a terminal.
    private func show(_ text: String, on destination: WriteOutTemplate.Destination) throws {
        let isOutput = destination == .output
        let isTerminal = (isOutput ? environment.outputTerminal : environment.errorTerminal) != nil
        let shown = Safety.refuses("05-records", isTerminal) ? Sanitizer.text(text) : text
        try (isOutput ? environment.output : environment.errors).write(shown)
    }
}
