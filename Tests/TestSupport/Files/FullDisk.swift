internal import Glibc

/// A directory on a file system of limited size.
///
/// As root it is a file system of its own (tmpfs) and writing more fails with `ENOSPC`, for everybody. Where mounting is
/// not allowed it is an ordinary folder, and only a program that is given ``fileSizeLimit`` fails, with `EFBIG`:
///
/// ```swift
/// let disk = try FullDisk(capacity: 64 << 10)
/// let program = Program(path, ["--output", disk.file("big")], fileSizeLimit: disk.fileSizeLimit)
/// ```
public final class FullDisk: Sendable {
    public let path: String
    /// The limit for ``Program/fileSizeLimit``; `nil` if the folder itself is full.
    public let fileSizeLimit: Int?
    private let folder: ScratchFolder

    /// - Parameter capacity: In bytes; the kernel counts in pages of 4 KiB.
    public init(capacity: Int) throws {
        folder = try ScratchFolder()
        path = folder.path
        let isMounted = mount("afcli-test", path, "tmpfs", 0, "size=\(capacity)") == 0
        fileSizeLimit = isMounted ? nil : capacity
    }

    deinit {
        if fileSizeLimit == nil { umount2(path, Int32(MNT_DETACH)) }
    }

    /// The path of something in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in the folder, sorted.
    public func list() -> [String] { namesInFolder(path).sorted() }
}
