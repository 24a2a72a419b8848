internal import AFTransport
package import Dispatch
internal import Glibc
internal import Synchronization

/// Whether Dispatch has started a timer, and so has its descriptors.
private let hasTimers = Atomic(false)

extension DispatchQueue {
    /// Runs `work` after a number of seconds; without a timer, if there are none to wait.
    ///
    /// Dispatch opens four descriptors for its first timer. If the system refuses them, Dispatch stops the process or
    /// never calls back, so that a thread waits instead. Once a timer has started, they are open: only the first call
    /// probes.
    package func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        guard seconds > 0 else { return async(execute: work) }
        if hasTimers.load(ordering: .relaxed) || canOpenDescriptors(5) {
            hasTimers.store(true, ordering: .relaxed)
            return asyncAfter(deadline: .now() + seconds, execute: work)
        }
        let isWaiting = startThread(named: "afcli.delay") {
            let seconds = min(seconds, 1e9)
            var delay = timespec()
            delay.tv_sec = Int(seconds)
            delay.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
            _ = uninterrupted {
                var rest = delay
                return nanosleep(&rest, &delay)
            }
            self.async(execute: work)
        }
        if !isWaiting { async(execute: work) }
    }
}
