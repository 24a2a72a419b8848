internal import Glibc

/// The files that a command line names to be written: of two with one name, only the later would be there in the end.
enum OutputFiles {
    /// A name in a folder, however the path to it is spelled. Files are replaced by name, so that is what counts.
    struct Place: Hashable {
        let device: dev_t
        let folder: ino_t
        let name: String

        /// `nil` for what no file takes the place of: standard output, devices, pipes and folders.
        init?(_ path: String) {
            var status = stat()
            guard path != "-", !path.hasSuffix("/") else { return nil }
            if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
            let nameStart = path.lastIndex(ofAny: "/").map(path.utf8.index(after:)) ?? path.startIndex
            let parent = String(path[..<nameStart])
            guard stat(parent.isEmpty ? "." : parent, &status) == 0 else { return nil }
            device = status.st_dev
            folder = status.st_ino
            name = String(path[nameStart...])
        }
    }

    /// - Throws: ``UsageError`` that names the second of two options that would write the same file.
    static func check(_ invocation: Invocation, _ files: FileAccess) throws(UsageError) {
        var options: [Place: String] = [:]
        for (option, path) in named(invocation) {
            guard let path, let place = Place(files.expanding(path)) else { continue }
            guard let earlier = options.updateValue(option, forKey: place) else { continue }
            throw UsageError(
                "names the same file as \(earlier): '\(path)'",
                argument: option,
                hint: "give each a file of its own"
            )
        }
    }

    private static func named(_ invocation: Invocation) -> KeyValuePairs<String, String?> {
        let sessions = invocation.sessions
        let session: String? = if case .path(let path)? = sessions.session?.place { path } else { nil }
        let output = invocation.download.writesFile ? invocation.download.output : nil
        return [
            "--output": output,
            "the partial file of --output": output.map { $0 + ".part" },
            "the record of --output": output.map { $0 + ".part.json" },
            "--report": invocation.records.report,
            "--har": invocation.records.har,
            sessions.session?.isReadOnly == true ? "--session-read-only" : "--session": session,
            "--cookie-jar": sessions.cookieJar,
            "--hsts": sessions.hstsFile,
        ]
    }
}
