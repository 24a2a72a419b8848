internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Glibc

/// The destination of a response body that is saved to a file.
struct DownloadPlan: Sendable {
    enum Target: Hashable, Sendable {
        case file(String)
        /// A directory; the response or the URL determines the name.
        case directory(String)
        /// A device or a FIFO, which is written to directly.
        case device(String)

        var isDirectory: Bool { if case .directory = self { true } else { false } }
    }

    let target: Target
    /// The path of `--output`, whose links ``target`` follows.
    private let typedPath: String
    /// Whether another name is used if the file exists.
    let keepsExisting: Bool
    /// Whether an existing file is not downloaded again.
    let skipsExisting: Bool
    let createsDirectories: Bool
    let replacesLinks: Bool
    let resume: ResumeMode?
    let rules: SavingRules
    /// Whether the file gets the server's modification date.
    let keepsRemoteTime: Bool
    let checksums: [ChecksumSource]
    /// The number of concurrent ranges.
    let segments: Int
    /// The option named in errors about the path.
    private let pathOption: String
    /// Whether the URL is in the list of `--input`, which may have a name for the file.
    let isListed: Bool
    /// Whether `--output` has the path.
    private let isNamed: Bool
    /// The files that other options write at the end of the run, each with its option: no download may have such a name.
    let filesOfOptions: [DirectoryEntry: String]

    /// Creates a plan; `nil` if the body is written to standard output.
    ///
    /// - Parameters:
    ///   - typed: The options.
    ///   - url: The URL; `nil` if it is not known.
    ///   - rules: The rules besides the options.
    ///   - checksums: The checksums of the command line, if they were read already.
    ///   - filesOfOptions: The files that other options write at the end of the run, each with its option.
    /// - Throws: ``UsageError`` for contradicting options, ``FileProblem`` for an unreadable list of checksums.
    init?(
        _ typed: DownloadArguments,
        of url: HTTPURL?,
        _ files: FileAccess,
        _ rules: SavingRules = SavingRules(),
        checksums known: [ChecksumSource]? = nil,
        filesOfOptions: [DirectoryEntry: String] = [:]
    ) throws {
        self.rules = rules
        self.filesOfOptions = filesOfOptions
        skipsExisting = typed.skipsExisting
        segments = typed.segments ?? 1
        resume = typed.resume
        keepsRemoteTime = typed.keepsRemoteTime
        isListed = typed.input != nil
        pathOption =
            if typed.outputDirectory != nil {
                "--output-dir"
            } else if typed.output != nil, !typed.isNamedInList {
                "--output"
            } else {
                typed.input == nil ? "--download" : "--input"
            }
        createsDirectories = typed.createsDirectories
        replacesLinks = typed.overwritesLinks
        checksums = try known ?? ChecksumSource.all(typed.checksums, files)
        guard typed.writesFile else { return nil }
        if typed.output == "" { throw UsageError("expected the name of a file", argument: "--output") }
        isNamed = typed.output != nil
        typedPath = try Self.path(typed, files)
        // The name of a link is taken, too.
        let followsLinks = rules.followsLinks && !typed.keepsExisting
        target = Self.target(followsLinks ? typedPath.followingLinks : typedPath)
        if case .device = target, typed.segments != nil {
            throw UsageError("is for files, not for devices", argument: "--segments")
        }
        if case .device = target, skipsExisting {
            throw UsageError("is for files, not for devices", argument: "--skip-existing")
        }
        // A name from the server never replaces a file.
        if case .directory = target {
            keepsExisting = true
        } else {
            keepsExisting = typed.keepsExisting
        }
        try checkLists(url)
    }

    /// Checks that lists contain a file name that is already known.
    private func checkLists(_ url: HTTPURL?) throws(UsageError) {
        guard !checksums.isEmpty else { return }
        switch target {
        case .device: throw UsageError("is for files, not for devices", argument: "--checksum")
        case .directory: return
        case .file(let path):
            if let absence = ChecksumSource.absence(in: checksums, of: path, from: url, isListed: false) {
                throw absence
            }
        }
    }

    /// Checks the header fields.
    ///
    /// - Throws: ``UsageError`` for an explicit range that contradicts resuming.
    func checkHeaders(_ headers: HTTPHeaders) throws(UsageError) {
        guard resume != nil || segments > 1, headers.value(for: "Range") != nil else { return }
        let option = resume != nil ? "--resume" : "--segments"
        throw UsageError.withoutHint("cannot be combined with a Range header", argument: option)
    }

    /// Checks the method.
    ///
    /// - Throws: ``UsageError`` if the response has no body to save, or no ranges. A device is exempt: `-o /dev/null`
    ///   is used for other output.
    func checkMethod(_ method: HTTPMethod) throws(UsageError) {
        if case .device = target { return }
        if segments > 1, method != .get, method != .head {
            throw UsageError(
                "requires GET: parallel ranges repeat the request",
                argument: "--segments"
            )
        }
        guard method == .head else { return }
        throw UsageError(
            "the response to HEAD has no body to save",
            argument: isNamed ? "--output" : "--download",
            hint: "use GET, or omit the option to see the headers"
        )
    }

    /// Returns the path of `--output`, relative to `--output-dir`. That of a directory ends with a slash; it is empty if
    /// neither option was typed.
    private static func path(_ typed: DownloadArguments, _ files: FileAccess) throws(UsageError) -> String {
        let output = files.expanding(typed.output ?? "")
        guard let directory = typed.outputDirectory.map(files.expanding), !output.hasPrefix("/") else { return output }
        if directory.isEmpty { throw UsageError("expected the path of a directory", argument: "--output-dir") }
        return directory.withSlash + output
    }

    /// The way to replace a file that is kept, as the end of a sentence.
    var replacementHint: String {
        if case .file = target { return "omit --no-clobber to replace it" }
        return isListed ? "a file name after the URL in the list replaces it" : "--output FILE replaces it"
    }

    private static func target(_ path: String) -> Target {
        if path.isEmpty || path.hasSuffix("/") { return .directory(path) }
        guard path.descriptor == nil else { return .device(path) }
        guard let kind = FileStatus(path)?.kind else { return .file(path) }
        return [S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK].contains(kind) ? .device(path) : .file(path)
    }
}

extension DownloadPlan {
    /// Returns the path for a response; without a response, the name is derived from the URL.
    func path(for url: HTTPURL, _ response: HTTPURLResponse?) -> String {
        switch target {
        case .file(let path) where rules.announcedName != nil:
            path.pathParts.directory + (response?.announcedFilename ?? String(path.pathParts.name))
        case .file(let path), .device(let path): path
        case .directory(let directory): directory + DownloadName.name(for: url, response: response)
        }
    }

    /// Returns the path of a file as the user knows it.
    func typedPath(of path: String) -> String {
        if case .file(path) = target { typedPath } else { path }
    }

    /// Returns the treatment of an existing file.
    func existingFile(for response: HTTPURLResponse) -> ExistingFile {
        if keepsExisting { return .kept }
        return response.announcedFilename.flatMap { _ in rules.announcedName } ?? .replaced
    }

    /// Returns the path of an earlier run's file; `nil` if it is not needed, or there was none.
    ///
    /// - Parameter claims: The names used by other downloads of the run.
    func earlierPath(for url: HTTPURL, _ claims: ReservedPaths?) -> String? {
        guard resume != nil else { return nil }
        guard case .directory(let directory) = target else {
            let path = path(for: url, nil)
            guard keepsExisting else { return path }
            return UnusedPath.startedPath(at: path, for: url.text, separator: rules.numberSeparator) ?? path
        }
        func isUsable(_ path: String) -> Bool {
            let file = URL(literalPath: path)
            let isKnown = DownloadRecord.partial(at: file) != nil || DownloadRecord.complete(at: file)?.validator != nil
            return isKnown && claims?.claim(path) != false
        }
        // The file with the name of the URL counts even if that was typed.
        let own = path(for: url, nil)
        if isEarlier(own, of: url), isUsable(own) { return own }
        return earlierPaths(of: url, in: directory, claims).first(where: isUsable)
    }

    private func isEarlier(_ path: String, of url: HTTPURL) -> Bool {
        let file = URL(literalPath: path)
        let isOfURL =
            DownloadRecord.partial(at: file)?.url == url.text
            || DownloadRecord.complete(at: file)?.isOf(url.text) == true
        return isOfURL && !DownloadRecord.isBusy(file) && optionWriting(path) == nil
    }

    /// Returns the path of the existing file that makes the request unnecessary; `nil` if the request is necessary.
    ///
    /// - Parameters:
    ///   - method: With another method than GET, the URL does not identify the file.
    ///   - claims: The names used by other downloads of the run.
    func skippedPath(for url: HTTPURL, _ method: HTTPMethod, _ claims: ReservedPaths?) -> String? {
        guard skipsExisting, checksums.isEmpty else { return nil }
        let isNamed = if case .file = target { true } else { false }
        let path = path(for: url, nil)
        // The media type may have added an extension.
        let endings = isNamed || path.lastComponent.contains(".") ? [] : MediaType.usualFileExtensions
        for candidate in [path] + endings.map({ "\(path).\($0)" }) {
            let existing = UnusedPath.existing(at: candidate, of: url.text, named: path, isOwn: isNamed, claims)
            if let existing { return existing }
        }
        guard method == .get, case .directory(let directory) = target else { return nil }
        // The server may have chosen the name.
        return earlierPaths(of: url, in: directory, claims)
            .first { DownloadRecord.complete(at: URL(literalPath: $0)) != nil && claims?.claim($0) != false }
    }

    /// Returns the paths of earlier downloads of a URL.
    private func earlierPaths(of url: HTTPURL, in directory: String, _ claims: ReservedPaths?) -> any Sequence<String> {
        let parent = URL(literalPath: directory.isEmpty ? "." : directory)
        func paths(_ destinations: some Sequence<URL>) -> some Sequence<String> {
            destinations.lazy.filter { !DownloadRecord.isBusy($0) }.map { directory + $0.lastPathComponent }
                .filter { optionWriting($0) == nil }
        }
        guard let claims else { return paths(DownloadRecord.destinations(of: url.text, in: parent)) }
        return paths(claims.earlierDownloads(in: parent).destinations(of: url.text))
    }

    /// Returns the option that writes a file at the end of the run; `nil` if no option writes one.
    func optionWriting(_ path: String) -> String? {
        filesOfOptions.isEmpty ? nil : DirectoryEntry(path.followingLinks).flatMap { filesOfOptions[$0] }
    }

    /// Returns the file name before the response is known: from the option or the URL; `nil` for a device.
    func fileName(for url: HTTPURL) -> String? {
        if case .device = target { return nil }
        return path(for: url, nil).lastComponent
    }

    /// Checks before the request that the file can be created.
    ///
    /// - Throws: ``FileProblem``.
    func checkDestination(_ path: String) throws(FileProblem) {
        let kind = FileStatus(path, followsLinks: false)?.kind
        if kind == nil, errno == ENAMETOOLONG {
            throw problem(path, .system(errno), Self.advice("a shorter name", isListed: isListed))
        }
        if kind != nil, !keepsExisting {
            if kind == S_IFDIR, isListed {
                throw problem(path, .isDirectory, Self.advice("another name", isListed: true))
            }
            if kind == S_IFDIR { throw .directoryInTheWay(path) }
            // The directory's permissions alone would allow replacing it.
            if kind == S_IFREG, access(path, W_OK) != 0 {
                throw problem(path, .system(errno), Self.advice("another name", isListed: isListed))
            }
            if kind == S_IFLNK, !replacesLinks {
                let isOfSystem = path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
                let hint = isOfSystem ? "name the file that it points to" : "--overwrite replaces the link itself"
                throw problem(path, .other("it is a symbolic link"), hint)
            }
        }
        guard access(path.directoryPath, W_OK | X_OK) != 0, !(errno == ENOENT && createsDirectories) else { return }
        if errno == ENOENT {
            throw problem(path, .isMissing, "create the directory, or add --create-dirs")
        }
        throw problem(path, .system(errno), Self.advice("another path", isListed: isListed))
    }

    /// Returns the hint to choose another path.
    ///
    /// - Parameter noun: The suggested alternative: `a shorter name`.
    static func advice(_ noun: String, isListed: Bool) -> String {
        isListed ? "write \(noun) after the URL in the list" : "choose \(noun) with --output"
    }

    private func problem(_ path: String, _ reason: FileProblem.Reason, _ hint: String) -> FileProblem {
        FileProblem(path: path, reason: reason, argument: pathOption, purpose: .writing, hint: hint)
    }
}
