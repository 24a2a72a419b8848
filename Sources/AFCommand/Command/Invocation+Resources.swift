extension Invocation {
    /// Reduces the number of concurrent transfers to what the system's limits allow.
    ///
    /// - Returns: A warning for each limit that allows fewer than requested.
    /// - Throws: ``ResourceLimitReached`` if none is possible.
    mutating func limitConcurrency(to environment: inout Environment) throws(ResourceLimitReached) -> [String] {
        let parallel = parallelCount
        let segments = download.segments ?? 1
        // The ranges of a file share its threads.
        let received = download.input == nil || showsList ? 0 : environment.receivedLimit
        let possible = try LimitedResource.threads.transfers(
            requested: parallel + received, environment.availableThreads)
        var files = min(parallel, possible)
        environment.receivedLimit = possible - files
        var warnings: [String] = []
        if files < parallel {
            warnings.append("the limit on threads allows --parallel \(files) only; ulimit -u and ulimit -v raise it")
        }
        let requested = files * segments
        let transfers = try LimitedResource.openFiles.transfers(requested: requested, environment.availableDescriptors)
        if transfers < requested {
            environment.idleConnectionLimit = transfers
            environment.receivedLimit = 0
            // Concurrent files take precedence over concurrent ranges.
            let ranges = max(1, transfers / files)
            var options: [String] = []
            if transfers < files { options.append("--parallel \(transfers)") }
            if ranges < segments { options.append("--segments \(ranges)") }
            files = min(files, transfers)
            if segments > 1 { download.segments = ranges }
            let list = options.joined(separator: " and ")
            warnings.append("the limit on open files allows \(list) only; ulimit -n raises it")
        }
        if download.input != nil || isSeries { download.parallel = files }
        return warnings
    }
}
