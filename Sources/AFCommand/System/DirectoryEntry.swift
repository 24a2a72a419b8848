internal import Glibc

/// A file name in a directory, independent of the spelling of its path. Files are replaced by name, so the name is
/// compared.
struct DirectoryEntry: Hashable {
    let device: dev_t
    let directory: ino_t
    /// As bytes: two names that are equal as text are two files.
    let name: [UInt8]

    /// Returns `nil` for destinations that are not replaced: standard output, devices, FIFOs and directories.
    init?(_ path: String) {
        var status = stat()
        guard path != "-", !path.hasSuffix("/") else { return nil }
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
        let nameStart = path.lastIndex(ofAny: "/").map(path.utf8.index(after:)) ?? path.startIndex
        let parent = String(path[..<nameStart])
        guard stat(parent.isEmpty ? "." : parent, &status) == 0 else { return nil }
        device = status.st_dev
        directory = status.st_ino
        name = Array(path[nameStart...].utf8)
    }
}
