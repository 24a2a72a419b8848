internal import AFCore
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Cancels a request for a local reason: a signal, a limit, or a closed output.
///
/// The first reason counts.
final class Cancellation: Sendable {
    /// A separate queue, as the global queue's threads may be busy.
    private static let queue = DispatchQueue(label: "afcli.cancellation")

    private let reason = Mutex<Diagnosis?>(nil)
    private let time = Mutex<Date?>(nil)

    /// The reason of the cancellation; `nil` if the run was not canceled.
    var diagnosis: Diagnosis? { reason.withLock({ $0 }) }

    /// Calls a closure after a delay in seconds.
    static func perform(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + seconds, execute: action)
    }

    /// The time of the cancellation; `nil` if the run was not canceled.
    var end: Date? { time.withLock { $0 } }

    /// Records the reason of an end in order.
    func record(_ diagnosis: Diagnosis) { reason.withLock { $0 = $0 ?? diagnosis } }

    /// Records the reason and the time of the end of a run whose request has finished.
    func end(_ diagnosis: Diagnosis) {
        record(diagnosis)
        time.withLock { $0 = $0 ?? .now }
    }

    func end(_ request: Request, _ diagnosis: Diagnosis) {
        end(diagnosis)
        if let download = request as? DownloadRequest {
            download.cancel(producingResumeData: true)
        } else {
            request.cancel()
        }
    }

    /// Cancels the request after a delay, which includes redirects, retries and the waits before them.
    ///
    /// - Parameters:
    ///   - seconds: The delay; `nil` if the run has no time limit.
    ///   - total: The time limit of the run in seconds, for the message.
    func end(_ request: Request, after seconds: Double?, of total: Double?) {
        guard let seconds, let total else { return }
        Self.perform(after: seconds) { [weak request] in
            // The handler of a complete download may wait for a terminal.
            guard let request, !request.isFinished, (request as? DownloadRequest)?.hasSavedFile != true else { return }
            self.end(request, .totalTimedOut(after: total))
        }
    }
}
