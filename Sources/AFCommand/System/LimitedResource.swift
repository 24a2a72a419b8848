/// A resource that the system limits and that every transfer uses.
///
/// Counted before anything is sent: in the middle of a run the same shortage shows as a failed look-up, a connection that
/// cannot be made, a download that cannot be saved or a thread that waits for ever.
enum LimitedResource: Sendable {
    case openFiles
    case threads

    /// The amount for a run with one transfer: event loops, name resolution, connection, download, report and session.
    var base: Int {
        switch self {
        case .openFiles: 24
        case .threads: 12
        }
    }

    /// The amount for each further transfer. Files: name resolution in the C library, two racing connections and the download.
    /// Threads: planning, name resolution, writing and printing.
    var perTransfer: Int {
        switch self {
        case .openFiles: 8
        case .threads: 4
        }
    }

    /// Returns how many transfers can run at once, at most as many as are wanted.
    ///
    /// - Parameter available: Returns how much of the resource there is, at most a count.
    /// - Throws: ``ResourceLimitReached`` if not even one transfer has what it needs.
    func transfers(
        wanted: Int,
        _ available: (_ count: Int) -> Int
    ) throws(ResourceLimitReached) -> Int {
        let free = available(base + (wanted - 1) * perTransfer)
        guard free >= base else { throw ResourceLimitReached(resource: self, free: free) }
        return min(wanted, 1 + (free - base) / perTransfer)
    }
}

/// The system gives the process less of a resource than one transfer may need.
struct ResourceLimitReached: Error, Equatable, Sendable {
    let resource: LimitedResource
    let free: Int
}
