internal import CLinux
internal import Glibc

/// Runs `body` on a new thread that blocks all signals: SIGPIPE would otherwise end the process.
///
/// - Returns: `false` if the system cannot create a thread.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }
    let start = Unmanaged.passRetained(Start(name, body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread,
        nil,
        { raw in
            guard let raw else { return nil }
            let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
            af_name_thread(start.name)
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            start.body()
            return nil
        },
        start.toOpaque()
    )
    guard code == 0 else {
        start.release()
        return false
    }
    pthread_detach(thread)
    return true
}
