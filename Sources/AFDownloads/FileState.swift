internal import Glibc

/// The state of a file, which changes whenever another program writes to it.
struct FileState: Equatable {
    let size: Int64
    /// The size and the modification date.
    let text: String
    /// The device, inode and status change time, which programs cannot set.
    private let identity: String

    /// Returns `nil` unless the file is a regular file.
    init?(_ file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        text = "\(size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        identity = "\(status.st_dev) \(status.st_ino) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }
}
