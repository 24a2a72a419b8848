internal import Glibc

/// A name in a folder, however the path to it is spelled. Files are replaced by name, so that is what counts.
struct FilePlace: Hashable {
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
