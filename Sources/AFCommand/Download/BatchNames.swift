internal import AFCore
internal import AFHTTP
internal import Glibc

/// The file names of several downloads that are known before a request is sent.
struct BatchNames: Sendable {
    /// A file, independent of the spelling of its path; by path only if its directory does not exist yet.
    private enum Key: Hashable {
        case entry(DirectoryEntry)
        case path([UInt8])

        init(_ path: String) { self = DirectoryEntry(path).map(Key.entry) ?? .path(Array(path.utf8)) }
    }

    private let files: FileAccess
    private let inputPath: String
    private let addressOptions: Address.Options
    /// Whether names from URLs must differ, too: a partial file without record could match several downloads.
    private let adoptsFiles: Bool

    /// The options that all entries share.
    private let typed: DownloadArguments
    /// The files that other options write at the end of the run, each with its option.
    private let filesOfOptions: [DirectoryEntry: String]

    init(
        _ typed: DownloadArguments, _ addressOptions: Address.Options, _ files: FileAccess, inputPath: String,
        filesOfOptions: [DirectoryEntry: String]
    ) {
        (self.typed, self.filesOfOptions) = (typed, filesOfOptions)
        self.files = files
        self.inputPath = inputPath
        self.addressOptions = addressOptions
        adoptsFiles = typed.resume == .unsafe || typed.resume != nil && !typed.checksums.isEmpty
    }

    /// Checks the names.
    ///
    /// - Returns: The paths that lines of the list name.
    /// - Throws: ``UsageError`` for two lines with the same file, for a file that is the directory of another, for a
    ///   line that would overwrite the list, and for invalid names.
    func check(_ list: DownloadList, checksums: [ChecksumSource]) throws -> [String] {
        var lines: [Key: Int] = [:]
        var paths: [String] = []
        var named: [(path: String, line: Int)] = []
        if inputPath != "-" { lines[Key(files.expanding(inputPath))] = 0 }
        if list.entries.count > 1, checksums.contains(where: { !$0.isList }) {
            throw UsageError(
                "applies to one file, but --input downloads several", argument: "--checksum",
                hint: "use a list of checksums: @FILE")
        }
        for entry in list.entries {
            do throws(UsageError) {
                guard let (plan, path) = try path(of: entry, checksums) else { continue }
                let earlier = lines.updateValue(entry.line, forKey: Key(path))
                if earlier == 0 { throw UsageError("'\(path)' is the list of --input", hint: "choose another name") }
                if let earlier {
                    throw UsageError(
                        "line \(known: earlier) also writes '\(path)'",
                        hint: "add a distinct file name after each URL"
                    )
                }
                if let option = plan.optionWriting(path) {
                    throw UsageError("'\(path)' is the file of \(known: option)", hint: "choose another name")
                }
                if entry.name != nil { paths.append(path) }
                named.append((path, entry.line))
            } catch {
                throw error.inLine(entry.line, of: list.source)
            }
        }
        let namedLines = Dictionary(named.map { (Array($0.path.utf8), $0.line) }) { $1 }
        for (path, line) in named {
            for directory in path.directories {
                guard let other = namedLines[Array(directory.utf8)], FileStatus(directory)?.isDirectory != true
                else { continue }
                throw UsageError(
                    "'\(directory)' is the file of line \(known: other), so '\(path)' cannot be inside it",
                    hint: "choose another name"
                )
                .inLine(line, of: list.source)
            }
            let partial = PartialFile.path(for: path)
            for part in [partial, PartialFile.recordPath(for: partial)] {
                guard let other = lines[Key(part)] else { continue }
                throw UsageError(
                    "line \(known: line) uses '\(part)' until its download is complete",
                    hint: "choose another name"
                )
                .inLine(other, of: list.source)
            }
        }
        return paths
    }

    /// Returns the path of an entry; `nil` if it is unknown or irrelevant.
    private func path(
        of entry: DownloadList.Entry, _ checksums: [ChecksumSource]
    ) throws(UsageError) -> (DownloadPlan, String)? {
        guard entry.name != nil || adoptsFiles else { return nil }
        let address = Result { () throws(UsageError) in try Address(entry.url, addressOptions) }
        let plan: DownloadPlan?
        do {
            plan = try DownloadPlan(
                typed.of(entry), of: (try? address.get())?.url, files, checksums: checksums,
                filesOfOptions: filesOfOptions)
        } catch {
            throw error as? UsageError ?? UsageError("\(error)")
        }
        guard let plan else {
            guard let name = entry.name else { return nil }
            throw UsageError("'\(name)' is standard output", hint: "write ./- for a file of this name")
        }
        switch plan.target {
        case .file(let path): return (plan, path)
        case .device(let path): throw UsageError("'\(path)' is a device or a pipe")
        case .directory:
            return (plan, plan.path(for: try address.get().url, nil))
        }
    }
}

extension DownloadArguments {
    /// Returns the arguments of one entry of the list.
    func of(_ entry: DownloadList.Entry) -> DownloadArguments {
        var arguments = self
        if let name = entry.name { (arguments.output, arguments.isNamedInList) = ((output ?? "") + name, true) }
        return arguments
    }
}

extension String {
    /// The directories of a path, innermost first; empty if the path is too long for the system.
    fileprivate var directories: [String] {
        guard utf8.count < Int(PATH_MAX) else { return [] }
        let slashes = utf8.indices.reversed().filter { utf8[$0] == UInt8(ascii: "/") && $0 != startIndex }
        return slashes.map { String(self[..<$0]) }
    }
}
