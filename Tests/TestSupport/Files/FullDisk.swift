internal import Glibc

/// A directory on a file system of limited size.
///
/// For root it is a separate file system (tmpfs), and writing more fails with `ENOSPC`. If mounting is not permitted, it
/// is an ordinary directory, and only a program with ``fileSizeLimit`` fails, with `EFBIG`:
///
/// ```swift
/// let disk = try FullDisk(capacity: 64 << 10)
/// let program = Program(path, ["--output", disk.file("big")], fileSizeLimit: disk.fileSizeLimit)
/// ```
public final class FullDisk: Sendable {
    public let path: String
    /// The limit for ``Program/fileSizeLimit``; `nil` if the file system has the limit.
    public let fileSizeLimit: Int?
    private let folder: ScratchFolder

    /// Creates a directory.
    ///
    /// - Parameter capacity: The capacity in bytes; the kernel rounds it to pages of 4 KiB.
    public init(capacity: Int) throws {
        folder = try ScratchFolder()
        path = folder.path
        let isMounted = mount("afcli-test", path, "tmpfs", 0, "size=\(capacity)") == 0
        fileSizeLimit = isMounted ? nil : capacity
    }

    deinit {
        if fileSizeLimit == nil { umount2(path, Int32(MNT_DETACH)) }
    }

    /// Returns the path of a name in the directory.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Returns the names in the directory, sorted.
    public func list() -> [String] { namesInFolder(path).sorted() }
}
