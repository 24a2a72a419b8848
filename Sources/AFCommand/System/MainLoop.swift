internal import AFCore
internal import Dispatch
internal import Synchronization

/// Runs closures on the thread that waits for a result.
///
/// A plain request is thus processed on the main thread, and no other needs to be started.
final class MainLoop<Result: Sendable>: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var result: Result?
    }

    private let state = Mutex(State())
    private let wakeup = DispatchSemaphore(value: 0)

    /// A queue that runs closures in ``run(whenIdle:)``, in order.
    var queue: CallbackQueue { CallbackQueue { [self] in post($0) } }

    /// Returns a queue that runs closures on a dispatch queue; each also counts as activity of this loop.
    func queue(following queue: DispatchQueue) -> CallbackQueue {
        CallbackQueue { work in
            queue.async {
                work()
                self.post {}
            }
        }
    }

    /// Ends ``run(whenIdle:)`` after all earlier closures.
    func end(with result: Result) {
        post { self.state.withLock { $0.result = result } }
    }

    /// Runs closures until the end. Must be called once.
    ///
    /// - Parameter whenIdle: A closure to call if no other closure follows within 50 ms.
    func run(whenIdle: () -> Void = {}) -> Result {
        while true {
            if wakeup.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
                whenIdle()
                wakeup.wait()
            }
            let work = state.withLock { state in
                defer { state.work = [] }
                return state.work
            }
            for job in work { job() }
            if let result = state.withLock({ $0.result }) { return result }
        }
    }

    private func post(_ job: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.work.append(job)
            return state.work.count == 1
        }
        if isFirst { wakeup.signal() }
    }
}
