internal import AFHTTP
internal import CLinux
internal import FoundationEssentials
internal import Glibc

/// The end of a partial file: at its destination.
extension PartialFile {
    /// Renames the complete file to its destination.
    ///
    /// - Parameters:
    ///   - replaces: Whether an existing file is replaced. It stays until the rename.
    ///   - isPrivate: Whether only the owner may read the file; otherwise it gets the permissions of the replaced file,
    /// or those of the umask.
    ///   - record: The record to store in the file's attributes.
    func move(
        to destination: String,
        replaces: Bool,
        isPrivate: Bool = false,
        remembering record: DownloadRecord?
    ) throws(DownloadFailure) {
        record?.attach(to: descriptor, named: Self.split(destination).name)
        do throws(DownloadFailure) {
            try open(for: destination, replaces, isPrivate)
            try rename(to: destination, replaces, isPrivate, record)
        } catch {
            if !isUnnamed { makePrivate() }
            throw error
        }
        // After a power failure, a file that arrived in one chunk may be missing, but is never incomplete.
        if isUnnamed { return }
        unlink(Self.recordPath(for: path))
        synchronizeDirectory(of: destination)
    }

    /// Sets the final permissions and syncs the file.
    private func open(for destination: String, _ replaces: Bool, _ isPrivate: Bool) throws(DownloadFailure) {
        let replaced = replaces && !isPrivate ? Self.mode(of: destination) : nil
        // An unnamed file has the permissions of the umask already.
        if isPrivate || replaced != nil || !isUnnamed {
            let mode = isPrivate ? 0o600 : replaced ?? 0o666 & ~currentFileMask()
            guard fchmod(descriptor, mode) == 0 else { throw DownloadFailure(.system(errno), path: path) }
        }
        try synchronize(fsync)
    }

    private func rename(
        to destination: String,
        _ replaces: Bool,
        _ isPrivate: Bool,
        _ record: DownloadRecord?
    ) throws(DownloadFailure) {
        if isUnnamed { return try link(as: destination, replaces) }
        guard isLinked else { throw DownloadFailure(.changedFile, path: path) }
        if replaces ? Glibc.rename(path, destination) == 0 : moveWithoutReplacing(destination) { return }
        guard errno == EXDEV else { throw moveFailure(destination) }
        try moveToOtherFileSystem(destination, replaces, isPrivate, record)
    }

    private func link(as destination: String, _ replaces: Bool) throws(DownloadFailure) {
        if link(as: destination) { return }
        guard errno == EEXIST, replaces else { throw moveFailure(destination) }
        let temporary = Self.temporaryPath(for: destination)
        guard link(as: temporary) else { throw moveFailure(destination) }
        guard Glibc.rename(temporary, destination) == 0 else {
            let failure = moveFailure(destination)
            unlink(temporary)
            throw failure
        }
    }

    /// Copies the file to a temporary name beside the destination and renames the copy.
    private func moveToOtherFileSystem(
        _ destination: String,
        _ replaces: Bool,
        _ isPrivate: Bool,
        _ record: DownloadRecord?
    ) throws(DownloadFailure) {
        let copy = try PartialFile(creating: Self.temporaryPath(for: destination))
        do throws(DownloadFailure) {
            try write(to: copy)
            try copy.move(to: destination, replaces: replaces, isPrivate: isPrivate, remembering: record)
        } catch {
            copy.discard()
            throw error
        }
        unlink(path)
    }

    private func write(to copy: PartialFile) throws(DownloadFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while case let count = try read(into: buffer, at: offset), count > 0 {
            try copy.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            offset += Int64(count)
        }
    }

    /// Returns the permissions of a file of this user; `nil` if this user has no file there.
    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        return status.st_mode & 0o777
    }

    private func moveWithoutReplacing(_ destination: String) -> Bool {
        // RENAME_NOREPLACE of linux/fs.h; not every file system supports it.
        if renameat2(AT_FDCWD, path, AT_FDCWD, destination, 1) == 0 { return true }
        guard [EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(errno) else { return false }
        // link(2) does not replace a file either.
        if Glibc.link(path, destination) == 0 { return unlink(path) == 0 }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return false }
        // Without hard links, an empty file reserves the name.
        let descriptor = uninterrupted { Glibc.open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { return false }
        close(descriptor)
        if Glibc.rename(path, destination) == 0 { return true }
        let number = errno
        unlink(destination)
        errno = number
        return false
    }

    private func moveFailure(_ destination: String) -> DownloadFailure {
        switch errno {
        case EEXIST:
            DownloadFailure(
                Self.isDirectory(destination) ? .destinationIsDirectory : .destinationExists, path: destination)
        case EISDIR: DownloadFailure(.destinationIsDirectory, path: destination)
        default: DownloadFailure(.system(errno), path: destination)
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func synchronizeDirectory(of destination: String) {
        let directory = Self.split(destination).directory
        let descriptor = uninterrupted {
            Glibc.open(directory.isEmpty ? "." : String(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard descriptor >= 0 else { return }
        _ = uninterrupted { fsync(descriptor) }
        close(descriptor)
    }
}

/// Returns the umask. The kernel reports it without the race of umask(2).
private func currentFileMask() -> mode_t {
    guard let status = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }),
        let octal = line.split(separator: "\t").last
    else { return 0o077 }
    return mode_t(octal, radix: 8) ?? 0o077
}
