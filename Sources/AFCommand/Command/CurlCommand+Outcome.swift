internal import AFCore
internal import AFHTTP

/// The options about the response and its file. Those that curl lacks are reported.
extension CurlCommand {
    mutating func addOutcome() {
        if let download = plan.destination { add(download) }
        if let limit = session.limits.bodyBytes { add("--max-filesize", "\(limit)") }
        if let path = plan.headerFile { add("--dump-header", path) }
        add(plan.retry)
        guard !plan.missingInCurl.isEmpty else { return }
        warn("the command does not contain \(plan.missingInCurl.joined(separator: ", "))")
    }

    private mutating func add(_ download: DownloadPlan) {
        add("--output", download.path(for: url, nil))
        // An error page is not saved.
        if plan.expectations.statusCheck != .none { add("--fail") }
        if download.createsDirectories { add("--create-dirs") }
        if download.keepsExisting { add("--no-clobber") }
        if download.skipsExisting {
            add("--skip-existing")
            warn("curl has --skip-existing since version 8.10")
        }
        if download.keepsRemoteTime { add("--remote-time") }
        if download.resume != nil {
            add("--resume", "-")
            warn("curl resumes without proof that the file is unchanged")
        }
        if download.segments > 1 { warn("curl downloads sequentially, without --segments") }
        if !download.checksums.isEmpty { warn("curl cannot verify --checksum") }
    }

    private mutating func add(_ retry: RetryPlan) {
        guard retry.limit > 0 else { return }
        add("--retry", "\(min(retry.limit, Int(Int32.max)))")
        if let delay = retry.delay { add("--retry-delay", "\(Int(min(delay, 1e9).rounded(.up)))") }
        if let total = retry.totalTime { add("--retry-max-time", "\(Int(min(total, 1e9).rounded(.up)))") }
        let failures = retry.conditions.failures
        if failures.contains(.any) {
            add("--retry-all-errors")
        } else if failures.contains(.connect) {
            add("--retry-connrefused")
        }
        if retry.conditions != .default || retry.includesUnsafe {
            warn("curl decides which failures to retry, and retries every method")
        }
    }
}
