extension Invocation {
    /// Reduces the number of simultaneous transfers to what the limit on open files allows.
    ///
    /// - Returns: A warning if there are fewer than were asked for.
    /// - Throws: ``FileLimitReached`` if none is possible.
    mutating func fit(_ environment: inout Environment) throws(FileLimitReached) -> String? {
        let segments = download.segments?.count ?? 1
        let parallel = download.input == nil ? 1 : (download.parallel ?? .standard).count
        let budget = try DescriptorBudget(for: segments * parallel, environment.availableDescriptors)
        guard budget.transfers < segments * parallel else { return nil }
        environment.connectionLimit = budget.transfers
        // Several files before several ranges of one.
        let files = min(parallel, budget.transfers)
        if download.input != nil { download.parallel = ParallelCount(count: files) }
        if segments > 1 { download.segments = SegmentCount(count: min(segments, budget.transfers / files)) }
        let (option, count) = parallel > files ? ("--parallel", files) : ("--segments", budget.transfers / files)
        return "the limit on open files allows \(option) \(count) only; ulimit -n raises it"
    }
}
