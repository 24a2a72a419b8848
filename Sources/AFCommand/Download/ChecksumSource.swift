internal import AFCore

/// Where the checksum of a file comes from, read and ready.
enum ChecksumSource: Sendable {
    case value(Checksum)
    case list(ChecksumList)

    /// Those of a command line.
    static func all(_ typed: [TypedChecksum], _ files: FileAccess) throws -> [ChecksumSource] {
        try typed.map { checksum in try naming("--checksum") { try ChecksumSource(checksum, files) } }
    }

    /// - Throws: ``FileProblem`` for a list that cannot be read, ``UsageError`` for one that holds no checksum.
    init(_ typed: TypedChecksum, _ files: FileAccess) throws {
        switch typed {
        case .value(let checksum): self = .value(checksum)
        case .list(let path):
            guard let text = String(validating: try files.read(files.expanding(path), .list), as: UTF8.self) else {
                throw FileProblem(path: path, reason: .isNoText)
            }
            guard let list = ChecksumList(text, name: path) else {
                throw UsageError("'\(path)' holds no checksum", hint: "each line is a digest and the name of its file")
            }
            self = .list(list)
        }
    }

    /// - Parameter path: Of the file to be checked.
    func checksums(of path: String) -> [Checksum] {
        switch self {
        case .value(let checksum): [checksum]
        case .list(let list): list.checksums(of: path)
        }
    }
}

extension String {
    /// What stands behind the last slash of a path.
    var lastComponent: String {
        String(self[(lastIndex(ofAny: "/").map(utf8.index(after:)) ?? startIndex)...])
    }
}
