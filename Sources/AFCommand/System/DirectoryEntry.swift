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
        guard path != "-", !path.hasSuffix("/") else { return nil }
        if FileStatus(path)?.isRegular == false { return nil }
        guard let parent = FileStatus(path.directoryPath)?.fields else { return nil }
        (device, directory) = (parent.st_dev, parent.st_ino)
        name = Array(path.pathParts.name.utf8)
    }
}
