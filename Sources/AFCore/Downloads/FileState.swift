internal import Glibc

/// The state of a file, which changes whenever another program writes to it.
struct FileState: Equatable {
    let size: Int64
    /// Size and modification date.
    let text: String
    /// Device, inode and status change, which no program can set.
    private let identity: String

    /// `nil` for what is no regular file.
    init?(_ file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        text = "\(size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        identity = "\(status.st_dev) \(status.st_ino) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }
}
