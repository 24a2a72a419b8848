internal import AFHTTP
internal import Glibc

/// A lock for a file whose file system has no locks for it, such as flock(2) on NFS for a file that is open for reading.
///
/// It is a socket in Linux's abstract namespace with the file's device and inode as its name. Unlike a file in a directory for
/// state, it needs no writable directory, ends with the process, and locks out the uploads of other users. Opening the
/// file for writing instead would require the permission, and would inform programs that watch it.
final class FileNameLock: Sendable {
    private let descriptor: Int32

    /// Locks a file; fails with an error number, which is `EADDRINUSE` if it is locked.
    init(_ file: stat) throws(SystemNumber) {
        let new = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard new >= 0 else { throw SystemNumber(errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The first byte of an abstract name is 0.
        let name = [0] + Array("afuploads-\(file.st_dev)-\(file.st_ino)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(new, $0, size) }
        }
        guard result == 0 else {
            let number = errno
            close(new)
            throw SystemNumber(number)
        }
        descriptor = new
    }

    deinit { close(descriptor) }

    /// The number of a system call's error.
    struct SystemNumber: Error {
        let value: Int32
        init(_ value: Int32) { self.value = value }
    }
}
