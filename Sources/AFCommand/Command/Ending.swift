internal import AFCore
internal import Dispatch
internal import Synchronization

/// Ends a request before its time, for a reason of this side's: a signal, a limit, an output that takes nothing.
///
/// The first reason counts.
final class Ending: Sendable {
    /// Of its own, as other work may occupy the threads of the global queue.
    private static let queue = DispatchQueue(label: "afcli.ending")

    private let reason = Mutex<Diagnosis?>(nil)

    /// Why the request was ended; `nil` while it was not.
    var diagnosis: Diagnosis? { reason.withLock({ $0 }) }

    func end(_ request: Request, _ diagnosis: Diagnosis) {
        reason.withLock { $0 = $0 ?? diagnosis }
        if let download = request as? DownloadRequest {
            download.cancel(producingResumeData: true)
        } else {
            request.cancel()
        }
    }

    /// Ends the request so many seconds from now, redirects, tries and waits between them included.
    ///
    /// - Parameter total: The seconds of the run, for the message.
    func end(_ request: Request, after seconds: Double?, of total: Double?) {
        guard let seconds, let total else { return }
        Self.queue.asyncAfter(deadline: .now() + seconds) { [weak request] in
            guard let request else { return }
            self.end(request, .totalTimedOut(after: total))
        }
    }
}
