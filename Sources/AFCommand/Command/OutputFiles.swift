internal import AFCore

/// The output files of a command line: two options with the same file would overwrite each other.
enum OutputFiles {
    /// Checks the files.
    ///
    /// - Throws: ``UsageError`` with the second of two options that name the same file.
    static func check(_ invocation: Invocation, _ files: FileAccess) throws(UsageError) {
        var options: [DirectoryEntry: String] = [:]
        for (option, path) in named(invocation) {
            guard let path, let entry = DirectoryEntry(files.expanding(path)) else { continue }
            guard let earlier = options.updateValue(option, forKey: entry) else { continue }
            throw UsageError(
                "names the same file as \(earlier): '\(path)'",
                argument: option,
                hint: "use different files"
            )
        }
    }

    private static func named(_ invocation: Invocation) -> KeyValuePairs<String, String?> {
        let sessions = invocation.sessions
        let session: String? = if case .path(let path)? = sessions.session?.file { path } else { nil }
        let output = invocation.download.writesFile ? invocation.download.output : nil
        let partial = output.map(PartialFile.path)
        return [
            "--output": output,
            "the partial file of --output": partial,
            "the record of --output": partial.map(PartialFile.recordPath),
            "--report": invocation.reports.report.json,
            "--report junit:": invocation.reports.report.junit,
            "--har": invocation.reports.har,
            sessions.session?.isReadOnly == true ? "--session-read-only" : "--session": session,
            "--cookie-jar": sessions.cookieJar,
            "--hsts": sessions.hstsFile,
        ]
    }
}
