internal import AFCore

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
        case .list(let path):
            guard let text = String(validating: try files.read(files.expanding(path), .list), as: UTF8.self) else {
                throw FileProblem(path: path, reason: .isNoText)
            }
            guard let list = ChecksumList(text, name: path) else {
                throw UsageError("'\(path)' contains no checksum", hint: "each line is a digest and a file name")
            }
            self = .list(list)
        }
    }

    /// Returns the checksums of a file.
    ///
    /// - Parameter path: The path of the file.
    func checksums(of path: String) -> [Checksum] {
        switch self {
        case .value(let checksum): [checksum]
        case .list(let list): list.checksums(of: path)
        }
    }
}

extension String {
    /// The part of a path after its last slash.
    var lastComponent: String {
        String(self[(lastIndex(ofAny: "/").map(utf8.index(after:)) ?? startIndex)...])
    }
}
