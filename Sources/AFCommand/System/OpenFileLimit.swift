internal import Glibc

/// The limit on open files of this process.
enum OpenFileLimit {
    /// Returns how many more descriptors can be opened, at most `count`.
    ///
    /// Raises the soft limit if necessary.
    static func available(_ count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
        let free = unused(below: limit.rlim_cur, atMost: count)
        guard Safety.refuses("28-soft-limit", free < count), limit.rlim_cur < limit.rlim_max else { return free }
        limit.rlim_cur = min(limit.rlim_max, limit.rlim_cur + rlim_t(count - free))
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return free }
        return unused(below: limit.rlim_cur, atMost: count)
    }

    /// Counts from the top, where descriptors are rarely in use: usually one system call is sufficient.
    private static func unused(below limit: rlim_t, atMost count: Int) -> Int {
        var end = Int32(clamping: limit)
        var unused = 0
        while unused < count, end > 0 {
            let start = max(0, end - Int32(clamping: count))
            var requests = (start..<end).map { pollfd(fd: $0, events: 0, revents: 0) }
            poll(&requests, nfds_t(requests.count), 0)
            unused += requests.count { $0.revents & Int16(POLLNVAL) != 0 }
            end = start
        }
        return min(unused, count)
    }
}
