internal import AFHTTP
internal import CLinux
internal import Glibc

/// A new file beside a target, which replaces the target when it is complete.
///
/// Its name is random after a digest of the target's name, which identifies the files of killed processes. A lock marks
/// the file as long as its process lives.
struct TemporaryFile {
    let path: String
    let descriptor: Int32

    /// Returns `nil` if the system refuses; `errno` has the reason.
    init?(for target: String, mode: mode_t) {
        while true {
            let path = Self.prefix(for: target) + String(UInt64.random(in: 0 ... .max), radix: 36)
            let descriptor = uninterrupted { open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) }
            guard descriptor >= 0 else { return nil }
            // A process that removes abandoned files may hold the lock briefly, and may have removed this file.
            _ = uninterrupted { flock(descriptor, LOCK_EX) }
            if FileStatus(descriptor)?.fields.st_nlink != 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    /// Sets the permissions of the file of this user that is replaced, if there is one.
    func copyMode(of target: String) {
        guard let status = FileStatus(target, followsLinks: false), status.isRegular, status.isOwn else { return }
        fchmod(descriptor, status.fields.st_mode & 0o777)
    }

    /// Sets the modification date of a file to that of a resource.
    static func setModificationDate(_ date: HTTPDate, of descriptor: Int32) {
        let seconds = timespec(tv_sec: Int(date.secondsSince1970), tv_nsec: 0)
        // UTIME_OMIT of sys/stat.h
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), seconds]
        futimens(descriptor, times)
    }

    /// Renames the file unless the new path exists.
    ///
    /// - Returns: Whether it was renamed; `errno` has the reason.
    func move(toUnused name: String) -> Bool {
        // RENAME_NOREPLACE of linux/fs.h; not every file system supports it.
        if renameat2(AT_FDCWD, path, AT_FDCWD, name, 1) == 0 { return true }
        return errno == EINVAL && link(path, name) == 0 && unlink(path) == 0
    }

    /// Removes the temporary files of this target that killed processes left.
    static func removeAbandoned(for target: String) {
        let parts = prefix(for: target).pathParts
        let (directory, name) = (String(parts.directory), String(parts.name))
        guard let stream = opendir(directory.isEmpty ? "." : directory) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
            let found = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            if Safety.refuses("10-leftovers", strncmp(found, name, name.utf8.count) == 0) {
                removeIfAbandoned(directory + String(cString: found))
            }
        }
    }

    private static func removeIfAbandoned(_ path: String) {
        let descriptor = uninterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor), status.isRegular, status.isOwn,
            Safety.requires("10-leftover-lock", uninterrupted { flock(descriptor, LOCK_EX | LOCK_NB) } == 0)
        else { return }
        unlink(path)
    }

    private static func prefix(for target: String) -> String {
        let (directory, name) = target.pathParts
        // FNV-1a, which is the same in every process.
        let digest = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        return "\(directory).afcli-\(String(digest, radix: 36))-"
    }
}
