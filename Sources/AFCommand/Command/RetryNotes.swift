internal import AFCore
internal import AFHTTP
internal import Synchronization

/// Prints and records the reason why a request is sent again.
final class RetryNotes: Sendable {
    private let plan: Plan
    private let messages: Messages
    private let recorder: Recorder
    private let progress: ProgressReporter?
    private let reported = Mutex<[RetryRule.NextAttempt.Cause]>([])

    init(_ plan: Plan, _ messages: Messages, _ recorder: Recorder, _ progress: ProgressReporter?) {
        (self.plan, self.messages, self.recorder, self.progress) = (plan, messages, recorder, progress)
    }

    func add(_ request: Request, _ next: RetryRule.NextAttempt) {
        progress?.breakLine()
        let cause =
            next.unmet ?? next.response?.statusMessage ?? Diagnosis(next.error, FailureContext(plan, request)).message
        let reason = recorder.redaction.masked(cause)
        if let wait = plan.retry.wait {
            // One line for each cause, not for each value that the response has meanwhile.
            let isNew = reported.withLock { reported in
                if reported.contains(next.cause) { return false }
                reported.append(next.cause)
                return true
            }
            if isNew { messages.note("waiting up to \(HumanUnits.duration(wait)): \(reason)") }
        } else {
            let count = plan.retry.limit < .max ? "\(next.number) of \(plan.retry.limit)" : "\(next.number)"
            messages.note("\(reason); retrying in \(HumanUnits.duration(next.delay)) (\(count))")
        }
        recorder.record(
            RunRecord.Retry(
                number: next.number, delay: next.delay, reason: reason, status: next.response?.statusCode))
    }
}
