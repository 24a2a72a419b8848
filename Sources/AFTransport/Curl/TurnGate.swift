internal import CCurl
internal import Glibc
internal import Synchronization

/// Keeps a loop's thread out of libraries that are being torn down.
///
/// OpenSSL frees its tables when the process ends, while the loop may be closing connections with them: a crash after
/// all is done. Whoever ends the process closes the gates first, and no loop begins another turn.
///
/// `@unchecked`: the lock in it is what makes it safe.
final class TurnGate: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    private static let all = Mutex<[TurnGate]>([])
    /// How long a turn that does not end may hold up the process, in seconds.
    private static let patience = 1

    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // Somebody may end the process from within a turn: then locking fails instead of waiting for ever.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(lock, &attributes)
        Self.all.withLock { $0.append(self) }
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs a turn.
    func pass<Result>(_ turn: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return turn()
    }

    /// There will be no other turn.
    func drop() { Self.all.withLock { gates in gates.removeAll { $0 === self } } }

    /// To be called once, after everything that registers an end of its own: ends run in the opposite order.
    static func closeAllAtEnd() { atexit { TurnGate.closeAll() } }

    private static func closeAll() {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += patience
        for gate in all.withLock(\.self) { pthread_mutex_timedlock(gate.lock, &end) }
    }
}
