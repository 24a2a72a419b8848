internal import AFCore
internal import FoundationEssentials
internal import Synchronization

/// Gathers what is told of a run, and writes the records of it at the end: also of a run that failed.
final class Recorder: Sendable {
    let plan: RecordPlan
    /// For the run: what it writes to the output is noticed, as a record may have to follow it there.
    let environment: Environment
    private let output: LineOutput
    private let messages: Messages
    private let record = Mutex(RunRecord())

    init(_ plan: RecordPlan, _ environment: Environment, _ messages: Messages) {
        let output = LineOutput(environment.output)
        self.plan = plan
        self.output = output
        var environment = environment
        environment.output = output
        self.environment = environment
        self.messages = messages
    }

    func note(_ plan: Plan) { record.withLock { ($0.request, $0.isSent) = (plan.planned, !plan.isDry) } }

    func note(_ retry: RunRecord.Retry) { record.withLock { $0.retries.append(retry) } }
    /// Where the body was stored; `nil` where it was not.
    var savedPath: String? { record.withLock { $0.savedPath } }
    func noteSaved(to path: String) { record.withLock { $0.savedPath = path } }

    /// Why the run failed; what is told last counts.
    func note(_ diagnosis: Diagnosis) {
        // A closed pipe is a quiet end, but an end.
        let message = diagnosis.message.isEmpty ? "the output was closed" : diagnosis.message
        let failure = RunRecord.Failure(status: diagnosis.status, message: message, details: diagnosis.excerpt)
        record.withLock { $0.failure = failure }
    }

    /// Why nothing was sent.
    func note(_ error: any Error) {
        let usage = error as? UsageError
        note(Diagnosis(plan.showsSecrets ? error : usage?.withoutValues ?? error))
    }

    /// Writes everything, once the output is flushed.
    ///
    /// - Parameter attempts: `nil` where nothing was sent and nothing can be written out about it.
    /// - Returns: The status of the run: a record that cannot be written fails one that was good.
    func finish(
        _ status: ExitStatus,
        attempts: [TransferMetrics]?,
        segments: [TransferMetrics] = []
    ) -> ExitStatus {
        let run = record.withLock { record in
            record.status = status
            record.attempts = attempts ?? []
            record.segments = segments
            return record
        }
        do {
            if let template = plan.writeOut, attempts != nil { try write(template, about: run) }
            let redaction = Redaction(revealsSecrets: plan.showsSecrets)
            if let path = plan.report {
                try write(Report(run: run, redaction: redaction).text, to: path, option: "--report")
            }
            if let path = plan.har {
                try write(HARLog(run: run, redaction: redaction).text, to: path, option: "--har")
            }
        } catch {
            let diagnosis = Diagnosis(error)
            // Said already.
            if (error as? FileProblem)?.cause == .interruption(status) { return status }
            messages.error(diagnosis)
            return status == .success ? diagnosis.status : status
        }
        return status
    }

    private func write(_ text: String, to path: String, option: String) throws {
        guard path != "-" else {
            // Whoever reads the last line of the output reads the record.
            try output.endLine()
            return try show(text, on: .output)
        }
        try RecordFile.write(
            text,
            to: path,
            isPrivate: plan.showsSecrets,
            waits: environment.files.waits,
            option: option
        )
    }

    private func write(_ template: WriteOutTemplate, about run: RunRecord) throws {
        for piece in WriteOut(run).render(template) { try show(piece.text, on: piece.destination) }
    }

    /// What a server wrote into a header must not command a terminal.
    private func show(_ text: String, on destination: WriteOutTemplate.Destination) throws {
        let isOutput = destination == .output
        let isTerminal = (isOutput ? environment.outputTerminal : environment.errorTerminal) != nil
        let output: any ByteOutput = isOutput ? self.output : environment.errors
        try output.write(isTerminal ? Sanitizer.text(text) : text)
    }
}
