internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import Glibc
internal import Synchronization

/// The file of an upload: open, and locked against other uploads of it.
final class SourceFile: UploadContent {
    /// The values that change whenever another program replaces or writes to a file. Programs cannot set the last one.
    struct Identity: Codable, Hashable, Sendable {
        var size: Int64
        var inode: UInt64
        /// The modification time in nanoseconds.
        var modified: Int64
        /// The status change time in nanoseconds.
        var changed: Int64
        /// The version of bytes that are not in a file, whose other values are 0; `nil` for a file.
        var version: String?

        init(_ source: any UploadSource) {
            (size, version) = (source.length, source.version)
            (inode, modified, changed) = (0, 0, 0)
        }

        init(_ status: stat) {
            size = Int64(status.st_size)
            inode = UInt64(status.st_ino)
            modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        }
    }

    private struct NameLock: OrderedState {
        static var outerState: (any OrderedState.Type)? { ResumableUpload.State.self }

        var lock: FileNameLock?
    }

    let path: String
    private let descriptor: Int32
    /// The lock if the file system has none; `nil` if the descriptor is locked, and after ``unlock()``.
    private let nameLock: OrderedMutex<NameLock>
    /// The identity when the file was opened.
    let identity: Identity

    /// The maximum size of each digested block.
    static let blockSize: Int64 = 64 << 10

    /// Opens and locks a file.
    ///
    /// - Parameter flock: The system call, which tests replace.
    init(
        _ path: String,
        flock: (_ file: Int32, _ operation: Int32) -> Int32 = { flock($0, $1) }
    ) throws(UploadFailure) {
        self.path = path
        let file = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard file >= 0 else { throw UploadFailure(.system(errno), path: path) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw UploadFailure(.notAFile, path: path)
        }
        // The lock of the file itself: it ends with the process, and leaves nothing behind.
        var (problem, nameLock): (Int32, FileNameLock?) = (0, nil)
        if uninterrupted({ flock(file, LOCK_EX | LOCK_NB) }) != 0 { problem = errno }
        if problem != 0, problem != EWOULDBLOCK {
            do throws(FileNameLock.SystemNumber) {
                (nameLock, problem) = (try FileNameLock(status), 0)
            } catch {
                problem = error.value
            }
        }
        guard Safety.requires("35-lock", problem == 0) else {
            close(file)
            throw UploadFailure([EWOULDBLOCK, EADDRINUSE].contains(problem) ? .busy : .system(problem), path: path)
        }
        fstat(file, &status)
        (descriptor, identity) = (file, Identity(status))
        self.nameLock = OrderedMutex(NameLock(lock: nameLock))
    }

    deinit { close(descriptor) }

    /// Lets other uploads of the file begin.
    func unlock() {
        flock(descriptor, LOCK_UN)
        nameLock.withLock { $0.lock = nil }
    }

    /// Whether the path still refers to the opened file, and nothing was written to it.
    var isUnchanged: Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0, opened.st_dev == named.st_dev else {
            return false
        }
        return Identity(opened) == identity && Identity(named) == identity
    }

    func read(
        _ range: Range<Int64>,
        while isNeeded: () -> Bool,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var block = [UInt8](repeating: 0, count: Int(min(Self.blockSize, Int64(range.count))))
        var position = range.lowerBound
        while position < range.upperBound {
            guard isNeeded() else { return false }
            let size = Int(min(Self.blockSize, range.upperBound - position))
            let isRead = block.withUnsafeMutableBytes { bytes in
                let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<size])
                guard Descriptor(descriptor).fill(bytes, at: position) else { return false }
                body(UnsafeRawBufferPointer(bytes))
                return true
            }
            guard isRead else { return false }
            position += Int64(size)
        }
        return true
    }

    func digest(before offset: Int64) -> String? {
        let hasher = SHA256Digest.Hasher()
        let size = min(offset, Self.blockSize)
        for start in [0, offset - size] where size > 0 {
            guard read(start..<start + size, while: { true }, { hasher.update($0) }) else { return nil }
        }
        return hasher.finish().hexadecimal
    }

    func body(of range: Range<Int64>) -> BodySource { .file(path: path, range: range) }
}
