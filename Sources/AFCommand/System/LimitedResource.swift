/// A limited system resource that every transfer uses.
///
/// Checked before a request is sent: later, a shortage appears as a failed lookup, a failed connection, a download that
/// cannot be saved, or a thread that waits indefinitely.
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

    /// The amount for each further transfer. Files: name resolution in the C library, two racing connections and the
    /// download. Threads: planning, name resolution, writing and printing.
    var perTransfer: Int {
        switch self {
        case .openFiles: 8
        case .threads: 4
        }
    }

    /// Returns the number of transfers that can run concurrently, at most the wanted number.
    ///
    /// - Parameter available: Returns how much of the resource is available, at most a count.
    /// - Throws: ``ResourceLimitReached`` if there is not enough for one transfer.
    func transfers(
        requested: Int,
        _ available: (_ count: Int) -> Int
    ) throws(ResourceLimitReached) -> Int {
        let free = available(base + (requested - 1) * perTransfer)
        guard free >= base else { throw ResourceLimitReached(resource: self, free: free) }
        return min(requested, 1 + (free - base) / perTransfer)
    }
}

/// The error if the system provides less of a resource than one transfer needs.
struct ResourceLimitReached: Error, Equatable, Sendable {
    let resource: LimitedResource
    let free: Int
}
