internal import Glibc

/// How many transfers the open files that the system allows are enough for.
///
/// Counted before anything is sent: in the middle of a run the same shortage shows as a failed look-up, a connection that
/// cannot be made or a download that cannot be saved, each with a reason that is not the real one.
struct DescriptorBudget: Equatable, Sendable {
    /// For one transfer with all that belongs to a run: the loops, a look-up, a connection, a download, a record, a session.
    static let base = 24
    /// For one more transfer: a look-up with the files and sockets of the C library, two connections that race, a file.
    static let perTransfer = 8

    /// Transfers at once, at most as many as were asked for.
    let transfers: Int

    /// - Parameter available: Returns how many of a number of descriptors can be opened.
    /// - Throws: ``FileLimitReached`` if not even one transfer has what it needs.
    init(for wanted: Int, _ available: (_ count: Int) -> Int) throws(FileLimitReached) {
        let free = available(Self.base + (wanted - 1) * Self.perTransfer)
        guard free >= Self.base else { throw FileLimitReached(free: free, needed: Self.base) }
        transfers = min(wanted, 1 + (free - Self.base) / Self.perTransfer)
    }
}

/// The process may open too few files for a transfer.
struct FileLimitReached: Error, Equatable, Sendable {
    let free: Int
    let needed: Int
}

/// The limit of this process on open files.
enum OpenFileLimit {
    /// Returns how many more descriptors can be opened, at most `count`.
    ///
    /// Raises the soft limit if that helps.
    static func available(_ count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
        let free = unused(below: limit.rlim_cur, atMost: count)
        guard free < count, limit.rlim_cur < limit.rlim_max else { return free }
        limit.rlim_cur = min(limit.rlim_max, limit.rlim_cur + rlim_t(count - free))
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return free }
        return unused(below: limit.rlim_cur, atMost: count)
    }

    /// Counts from the top, where descriptors are rarely in use: usually one system call does.
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
