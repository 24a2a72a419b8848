internal import AFCore
internal import AFHTTP

/// The source of a file's checksum, already read.
enum ChecksumSource: Sendable {
    case value(Checksum)
    case list(ChecksumList)

    /// Returns the sources of a command line.
    static func all(_ typed: [TypedChecksum], _ files: FileAccess) throws -> [ChecksumSource] {
        try typed.map { checksum in try naming("--checksum") { try ChecksumSource(checksum, files) } }
    }

    /// Reads a source.
    ///
    /// - Throws: ``FileProblem`` for an unreadable list, ``UsageError`` for one without checksums.
    init(_ typed: TypedChecksum, _ files: FileAccess) throws {
        switch typed {
        case .value(let checksum): self = .value(checksum)
        case .list(let path, let algorithm):
            guard path != "-" else {
                throw UsageError("the list is a file, and not standard input", hint: "name the file: @FILE")
            }
            let content = try files.read(files.expanding(path), .list)
            guard let list = ChecksumList(content, name: path, algorithm) else {
                throw UsageError("'\(path)' contains no checksum", hint: "each line is a digest and a file name")
            }
            if list.entries.isEmpty, let entry = list.unsupported.first {
                throw UsageError(
                    "'\(path)' has \(entry.algorithm.shortened) checksums, which are not supported",
                    hint: TypedChecksum.supported
                )
            }
            self = .list(list)
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }

    /// Returns the checksums of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - url: The URL of the file; `nil` if it is not downloaded.
    func checksums(of path: String, from url: HTTPURL? = nil) -> [Checksum] {
        switch self {
        case .value(let checksum): [checksum]
        case .list(let list): list.checksums(of: path, from: url)
        }
    }

    /// Whether a list has the name of a URL's file, which a server does not replace by another name of the list.
    fileprivate func hasName(of url: HTTPURL) -> Bool {
        guard case .list(let list) = self, case .checksums = list.match(for: url.fileName, from: url) else {
            return false
        }
        return list.entries.contains { $0.name?.lastComponent.isSame(as: url.fileName) == true }
    }

    /// Returns the error about a file that no list identifies, or one only ambiguously; `nil` if one has its checksum, or there
    /// is no list.
    ///
    /// - Parameter isListed: Whether the name of the file is in the list of `--input`.
    static func absence(
        in sources: [ChecksumSource], of path: String, from url: HTTPURL? = nil, isListed: Bool
    ) -> UsageError? {
        let lists = sources.filter(\.isList)
        if let reason = lists.lazy.compactMap({ $0.absence(of: path, from: url, isListed: isListed) }).first {
            return reason
        }
        guard !lists.isEmpty, lists.allSatisfy({ $0.checksums(of: path, from: url).isEmpty }) else { return nil }
        return UsageError(
            "\(lists.count == 1 ? "the list has no" : "no list has a") checksum of '\(path.lastComponent)'",
            argument: "--checksum",
            hint: DownloadPlan.advice("a name of the checksum list", isListed: isListed)
        )
    }

    /// Returns the error about a name that a list has, but not with one known checksum.
    private func absence(of path: String, from url: HTTPURL?, isListed: Bool) -> UsageError? {
        guard case .list(let list) = self else { return nil }
        let name = path.lastComponent
        switch list.match(for: path, from: url) {
        case .checksums: return nil
        case .ambiguous(let names):
            let shown = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", ..." : "")
            return UsageError(
                "the list has different files named '\(name)': \(shown)",
                argument: "--checksum",
                hint: DownloadPlan.advice("one of these paths", isListed: isListed)
            )
        case .unsupported(let algorithm):
            return UsageError(
                "the list has a \(algorithm.shortened) checksum of '\(name)', which is not supported",
                argument: "--checksum",
                hint: TypedChecksum.supported
            )
        case .none: return nil
        }
    }
}

extension DownloadPlan {
    /// Returns the checksums of a file. The name in the URL precedes one that the server has chosen, if a list has both.
    func checksums(of path: String, from url: HTTPURL) -> [Checksum] {
        checksums.flatMap { source in
            source.checksums(of: target.isDirectory && source.hasName(of: url) ? url.fileName : path, from: url)
        }
    }
}

extension HTTPURL {
    /// The last component of the path; empty for a directory.
    fileprivate var fileName: String {
        (String(path).percentDecoded ?? "").split(separator: "/").last.map(String.init) ?? ""
    }
}
