internal import AFFormatting
internal import Dispatch
internal import Synchronization

/// Searches of the captured body for what is expected.
///
/// A long search is abandoned at the deadline of the run or after a signal, which then is the end of the run.
struct BodySearch: Sendable {
    /// The captured body; `nil` if it is not searched.
    let capture: BodyCapture?
    private let expectations: Expectations
    private let limits: WaitLimits
    private let cancellation: Cancellation

    init(_ plan: Plan, _ cancellation: Cancellation) {
        let isSearched = plan.expectations.requireBody || plan.pages?.cursor != nil
        capture = isSearched ? BodyCapture(limit: plan.output.bodies.holdingLimit) : nil
        (expectations, limits) = (plan.expectations, plan.waits)
        self.cancellation = cancellation
    }

    /// Returns the result of a search; `nil` if it was abandoned.
    func result<Value: Sendable>(
        in body: CapturedBody?,
        _ search: @escaping @Sendable (CapturedBody?) -> Value
    ) -> Value? {
        guard Safety.refuses("27-search", limits.mayInterruptWaits), expectations.takeLong(in: body) else {
            return search(body)
        }
        guard cancellation.diagnosis == nil else { return nil }
        let result = SearchResult<Value>()
        DispatchQueue(label: "afcli.search").async {
            let value = search(body)
            result.value.withLock { $0 = value }
        }
        let wait = LocalWait(limits)
        do throws(WaitFailure) {
            // RE2 cannot be interrupted: its thread ends with the process.
            while cancellation.diagnosis == nil {
                if let value = result.value.withLock(\.self) { return value }
                try wait.pause()
            }
        } catch {
            if case .timeout(_, let seconds, _) = error { cancellation.end(.totalTimedOut(after: seconds)) }
            if case .interrupted(let status) = error { cancellation.end(.interrupted(ExitStatus(code: status))) }
        }
        return nil
    }

    private final class SearchResult<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
