internal import Glibc

/// The status of a file.
struct FileStatus {
    private(set) var fields = stat()

    /// Returns `nil` if the system reports none; `errno` has the reason.
    init?(_ path: String, followsLinks: Bool = true) {
        let result = followsLinks ? stat(path, &fields) : lstat(path, &fields)
        guard result == 0 else { return nil }
    }

    /// Returns `nil` if the system reports none; `errno` has the reason.
    init?(_ descriptor: Int32) {
        guard fstat(descriptor, &fields) == 0 else { return nil }
    }

    var kind: mode_t { fields.st_mode & S_IFMT }
    var isRegular: Bool { kind == S_IFREG }
    var isDirectory: Bool { kind == S_IFDIR }
    var isFIFO: Bool { kind == S_IFIFO }
    var size: Int64 { Int64(fields.st_size) }
    /// Whether the file belongs to the user.
    var isOwn: Bool { fields.st_uid == geteuid() }

    func isSameFile(as other: FileStatus) -> Bool {
        fields.st_dev == other.fields.st_dev && fields.st_ino == other.fields.st_ino
    }
}

extension String {
    /// The parts of a path: the directory with its slash, empty for the current one, and the file name.
    var pathParts: (directory: Substring, name: Substring) {
        let start = utf8.lastIndex(of: UInt8(ascii: "/")).map(utf8.index(after:)) ?? startIndex
        return (self[..<start], self[start...])
    }

    /// The path as that of a directory, with its slash; empty for the current one.
    var withSlash: String { isEmpty || hasSuffix("/") ? self : self + "/" }

    /// The directory of a path.
    var directoryPath: String { utf8.contains(UInt8(ascii: "/")) ? String(pathParts.directory) : "." }

    /// Creates the missing directories of a path, as far as possible: opening the file reports the error.
    ///
    /// - Parameters:
    ///   - mode: Their permissions, before the umask.
    ///   - created: Called with the path of each new directory.
    func createDirectories(mode: mode_t, _ created: (String) -> Void = { _ in }) {
        /// Returns whether the parent exists.
        func create(upTo end: Index) -> Bool {
            let directory = String(self[..<end])
            guard mkdir(directory, mode) == 0 else { return errno != ENOENT }
            created(directory)
            return true
        }
        let ends = utf8.indices.dropFirst().filter { utf8[$0] == UInt8(ascii: "/") }
        // Usually all exist, or all but the last one.
        if let last = ends.last, !create(upTo: last) { for end in ends { _ = create(upTo: end) } }
    }

    /// The part of a path after its last slash.
    var lastComponent: String { String(pathParts.name) }
}
