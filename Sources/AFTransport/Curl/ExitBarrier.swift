internal import CCurl
internal import Glibc
internal import Synchronization

/// Stops the loop threads before exit handlers free the libraries that they use.
///
/// OpenSSL frees its tables when the process ends, while a loop may be closing connections with them, which would
/// crash. The barrier is closed first, and no loop starts another iteration.
///
/// `@unchecked`: its lock makes it safe.
final class ExitBarrier: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    private static let all = Mutex<[ExitBarrier]>([])
    /// The time in seconds that an endless iteration may delay the end of the process.
    private static let timeout = 1

    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // If an iteration itself ends the process, locking must fail instead of deadlocking.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(lock, &attributes)
        Self.all.withLock { $0.append(self) }
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs an iteration with the lock held.
    func pass<Result>(_ iteration: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return iteration()
    }

    /// Removes the barrier: there will be no further iteration.
    func drop() { Self.all.withLock { barriers in barriers.removeAll { $0 === self } } }

    /// Closes all barriers at exit. Must be called once, after all exit handlers of libraries were registered: handlers
    /// run in reverse order.
    static func closeAllAtEnd() { atexit { ExitBarrier.closeAll() } }

    private static func closeAll() {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += timeout
        for barrier in all.withLock(\.self) { pthread_mutex_timedlock(barrier.lock, &end) }
    }
}
