internal import Glibc

/// The limits on threads of this process.
///
/// Dispatch waits indefinitely for a thread that it cannot start, so a shortage must be detected before.
enum ThreadLimit {
    /// Returns how many more threads can be started, at most `count`.
    ///
    /// Starts them only if a limit is low: a thread costs 20 µs, the two system calls less than one.
    static func available(_ count: Int) -> Int {
        Safety.refuses("28-threads", isLimitLow) ? startable(count) : count
    }

    private static var isLimitLow: Bool {
        var limit = rlimit()
        // The stack of each thread uses address space.
        if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != .max { return true }
        // RLIMIT_NPROC counts the threads of all processes of the user; usual limits are above 10,000.
        return getrlimit(__rlimit_resource_t(6), &limit) == 0 && limit.rlim_cur < 4096
    }

    /// Starts the threads concurrently, each of which waits until the last one runs.
    private static func startable(_ count: Int) -> Int {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { gate in
                    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
                    pthread_mutex_lock(gate)
                    pthread_mutex_unlock(gate)
                    return nil
                }, gate)
            guard code == 0 else { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        return threads.count
    }
}
