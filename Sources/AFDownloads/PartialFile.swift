internal import AFHTTP
internal import CLinux
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The file that a download is written to: beside its destination, locked, and readable by its owner only until it is
/// complete.
///
/// Its name is predictable, so that a later run finds it. Therefore it is opened without following links and must be a
/// regular file of this user without other hard links.
package final class PartialFile: Sendable {
    let path: String
    let descriptor: Int32
    /// Whether the file has no name: it vanishes with the process.
    let isUnnamed: Bool
    /// The expected end of the file, unless another program changes it.
    private let end: Atomic<Int64>
    /// The failure of an earlier sync. The kernel reports it once and then treats the same bytes as written.
    private let lostBytes = Mutex<DownloadFailure?>(nil)

    /// Whether the partial file of a record exists and has the size of all recorded ranges.
    static func holds(_ record: DownloadRecord) -> Bool {
        var status = stat()
        return lstat(record.partialPath, &status) == 0 && status.st_size >= off_t(record.fileEnd)
    }

    /// Creates an empty file, removing an earlier partial file unless it is locked or not ours.
    init(creating path: String) throws(DownloadFailure) {
        self.path = path
        isUnnamed = false
        try Self.removeOld(path)
        do throws(DownloadFailure) {
            descriptor = try Self.open(path, O_RDWR | O_CREAT | O_EXCL)
        } catch {
            // Another process was faster.
            throw error.reason == .system(EEXIST) ? DownloadFailure(.busy, path: path) : error
        }
        end = Atomic(0)
        try Self.lock(descriptor, path)
    }

    /// Opens and locks the file of an earlier run, and leaves it as it is.
    ///
    /// - Throws: ``DownloadFailure/Reason/rangeRefused`` if there is none.
    init(opening record: DownloadRecord) throws(DownloadFailure) {
        path = record.partialPath
        isUnnamed = false
        end = Atomic(record.fileEnd)
        do throws(DownloadFailure) {
            descriptor = try Self.open(path, O_RDWR)
        } catch {
            throw error.reason == .system(ENOENT) ? DownloadFailure(.rangeRefused, path: path) : error
        }
        try Self.lock(descriptor, path)
    }

    /// Opens the file of an earlier run, truncated to the recorded bytes.
    ///
    /// - Parameter verified: The state in which the file was found to have those bytes.
    /// - Throws: ``DownloadFailure/Reason/rangeRefused`` if the bytes are missing.
    convenience init(continuing record: DownloadRecord, verified: FileState? = nil) throws(DownloadFailure) {
        try self.init(opening: record)
        Self.removeDrafts(of: descriptor, at: path)
        guard let state = FileState(descriptor), state.size >= record.fileEnd, state == verified ?? state,
            resize(to: record.fileEnd)
        else { throw DownloadFailure(.rangeRefused, path: path) }
        makePrivate()
    }

    /// Returns an empty file without a name, which the rename of a complete file gives it; `nil` if the file system does
    /// not support that (O_TMPFILE). An earlier partial file is removed unless it is locked or another program created
    /// it.
    ///
    /// It has the permissions of the umask, as no other program can open it. A name costs a small download 54 system calls
    /// instead of 35, 473,000 instructions instead of 395,000, and 3.5 context switches more than 15.
    static func unnamed(for path: String) throws(DownloadFailure) -> PartialFile? {
        guard canNameFiles else { return nil }
        // A process that ended after the rename left its record, which a complete file does not need.
        if try removeOld(path) != .nothing { unlink(recordPath(for: path)) }
        let directory = split(path).directory
        let file = uninterrupted {
            Glibc.open(directory.isEmpty ? "." : String(directory), temporaryFile | O_RDWR | O_CLOEXEC, 0o666)
        }
        return file < 0 ? nil : PartialFile(unnamed: file, path)
    }

    /// O_TMPFILE of fcntl.h
    private static let temporaryFile = 0o20_000_000 | O_DIRECTORY

    private init(unnamed file: Int32, _ path: String) {
        self.path = path
        descriptor = file
        isUnnamed = true
        end = Atomic(0)
    }

    /// Whether ``link(as:)`` works; without /proc it needs a capability.
    private static let canNameFiles = access("/proc/self/fd", X_OK) == 0

    /// Links an unnamed file to a name.
    ///
    /// - Returns: `false` if it failed, for `errno` to be examined; an existing file is not replaced.
    func link(as name: String) -> Bool {
        // AT_EMPTY_PATH of linux/fcntl.h
        if Self.linksDescriptors.load(ordering: .relaxed) {
            if linkat(descriptor, "", AT_FDCWD, name, 0x1000) == 0 { return true }
            // Without the right to do so, as for a missing directory.
            guard errno == ENOENT else { return false }
            Self.linksDescriptors.store(false, ordering: .relaxed)
        }
        return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Whether a descriptor is linked without a path, which takes a quarter of the time: before Linux 6.10 it needs
    /// CAP_DAC_READ_SEARCH.
    private static let linksDescriptors = Atomic(true)

    deinit {
        unlock()
        close(descriptor)
    }

    /// Unlocks the file after the last write. Closing alone would keep the lock if a concurrently forked process still
    /// has the descriptor. A file without a name has no lock: no other process can open it.
    func unlock() {
        if !isUnnamed { flock(descriptor, LOCK_UN) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DownloadFailure) {
        guard !bytes.isEmpty else { return }
        try checkSize()
        try Self.write(bytes, to: descriptor, at: offset, path)
        extendEnd(to: offset + Int64(bytes.count))
    }

    /// Checks the size: writing to a truncated file would create a hole, which reads as zeros.
    private func checkSize() throws(DownloadFailure) {
        guard isUnnamed || Safety.requires("24-size", isIntact) else { throw DownloadFailure(.changedFile, path: path) }
    }

    /// Whether the file still contains all bytes written to it; another program may have truncated it.
    var isIntact: Bool { size.map { $0 >= end.load(ordering: .acquiring) } ?? false }

    private func extendEnd(to offset: Int64) { end.max(offset, ordering: .acquiringAndReleasing) }

    /// Writes one buffer followed by another.
    func write(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        at offset: Int64
    ) throws(DownloadFailure) {
        let count = first.count + second.count
        guard count > 0 else { return }
        try checkSize()
        guard Descriptor(descriptor).write(first, second, at: offset) else {
            throw DownloadFailure(.system(errno), path: path)
        }
        extendEnd(to: offset + Int64(count))
    }

    static func write(
        _ bytes: UnsafeRawBufferPointer,
        to file: Int32,
        at offset: Int64 = 0,
        _ path: String
    ) throws(DownloadFailure) {
        guard Descriptor(file).write(bytes, at: offset) else { throw DownloadFailure(.system(errno), path: path) }
    }

    /// Clones the blocks of another file.
    ///
    /// - Returns: The length; `nil` if the file system does not support this.
    func clone(from source: Int32) -> Int64? {
        var status = stat()
        // FICLONE of linux/fs.h
        guard ioctl(descriptor, 0x4004_9409, source) == 0, fstat(descriptor, &status) == 0 else { return nil }
        extendEnd(to: Int64(status.st_size))
        return Int64(status.st_size)
    }

    /// Syncs the written bytes to disk; after a failure it always throws.
    func synchronize() throws(DownloadFailure) { try synchronize(fdatasync) }

    func synchronize(_ call: (Int32) -> Int32) throws(DownloadFailure) {
        let failure = lostBytes.withLock { lost in
            if lost == nil, uninterrupted({ call(descriptor) }) != 0 {
                lost = DownloadFailure(.system(errno), path: path)
            }
            return lost
        }
        if let failure { throw failure }
    }

    /// Sets the modification date; a date that the file system rejects is ignored.
    func setModificationDate(_ date: Date) { Self.setModificationDate(date, of: descriptor) }

    static func setModificationDate(_ date: Date, of descriptor: Int32) {
        let seconds = timespec(tv_sec: Int(date.timeIntervalSince1970.rounded(.down)), tv_nsec: 0)
        // UTIME_OMIT of sys/stat.h
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), seconds]
        _ = futimens(descriptor, times)
    }

    /// Sets the file's final length and allocates its space, so that a full disk is detected immediately.
    func reserve(_ length: Int64) throws(DownloadFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DownloadFailure(.system(errno), path: path) }
        // Not posix_fallocate: without support by the file system, it writes to every block.
        if uninterrupted({ fallocate(descriptor, 0, 0, off_t(length)) }) != 0 {
            let number = errno
            // A sparse file works too, though the disk may be full later.
            guard [EOPNOTSUPP, ENOSYS].contains(number), resize(to: length) else {
                _ = resize(to: Int64(status.st_size))
                throw DownloadFailure(.system(number), path: path)
            }
        }
        extendEnd(to: length)
    }

    /// The size in bytes.
    var size: Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Truncates the file.
    func truncate(to length: Int64) throws(DownloadFailure) {
        guard resize(to: length) else { throw DownloadFailure(.system(errno), path: path) }
        end.store(length, ordering: .releasing)
    }

    private func resize(to length: Int64) -> Bool { uninterrupted { ftruncate(descriptor, off_t(length)) } == 0 }

    /// Reads bytes at an offset.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DownloadFailure) -> Int {
        let count = Descriptor(descriptor).read(into: buffer, at: offset)
        guard count >= 0 else { throw DownloadFailure(.system(errno), path: path) }
        return count
    }

    /// Removes the file and its record, if they are this download's. A file that another program truncated may contain
    /// its bytes by now.
    func discard() {
        guard isLinked else { return }
        if isIntact { unlink(path) }
        unlink(Self.recordPath(for: path))
    }

    /// The contents may be private until the file is complete.
    func makePrivate() { fchmod(descriptor, 0o600) }

    /// Whether the path still refers to this file.
    var isLinked: Bool { Self.isFile(descriptor, at: path) }

    private static func isFile(_ file: Int32, at path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
    }

    // Opening

    /// Removes the remainder of an earlier download, but no file of another program or of the user.
    ///
    /// - Returns: The record of the earlier download, which is not removed.
    @discardableResult
    private static func removeOld(_ path: String) throws(DownloadFailure) -> DownloadRecord.StoredState {
        let (old, stored) = try openOld(path)
        guard let old else { return stored }
        defer { close(old) }
        removeDrafts(of: old, at: path)
        unlink(path)
        return stored
    }

    /// Whether a file of another program, or an unsafe one, has this path.
    static func isForeign(_ path: String) -> Bool {
        do throws(DownloadFailure) { try checkDestination(path) } catch { return error.reason != .busy }
        return false
    }

    /// Checks that a new partial file may use this path.
    static func checkDestination(_ path: String) throws(DownloadFailure) {
        if let old = try openOld(path).file { close(old) }
    }

    /// Opens and locks the remainder of an earlier download; `nil` if no partial file exists. Also returns its record.
    private static func openOld(
        _ path: String
    ) throws(DownloadFailure) -> (file: Int32?, record: DownloadRecord.StoredState) {
        let stored = try DownloadRecord.stored(at: recordPath(for: path))
        var status = stat()
        guard lstat(path, &status) == 0 else { return (nil, stored) }
        let old: Int32
        do throws(DownloadFailure) {
            old = try open(path, O_RDWR)
        } catch {
            // Another process has just renamed it to its destination.
            if error.reason == .system(ENOENT) { return (nil, stored) }
            throw error
        }
        do throws(DownloadFailure) {
            try lock(old, path)
            let isPartialFile =
                switch stored {
                // A process that ended before it wrote its record leaves an empty file.
                case .nothing: status.st_size == 0
                case .empty: true
                case .record(let record): status.st_size == 0 || record.isRecord(of: old)
                }
            guard Safety.requires("09-foreign-files", isPartialFile) else {
                throw DownloadFailure(.unknownFile, path: path)
            }
            return (old, stored)
        } catch {
            close(old)
            throw error
        }
    }

    /// Opens a file without following links and without waiting for the other end of a FIFO.
    static func open(_ path: String, _ flags: Int32) throws(DownloadFailure) -> Int32 {
        let file = uninterrupted { Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
        guard file >= 0 else {
            let isNoFile = errno == ELOOP || errno == EISDIR || errno == ENXIO
            throw DownloadFailure(isNoFile ? .unsafeFile : .system(errno), path: path)
        }
        return file
    }

    /// Checks that the open file belongs to the user, locks it, and checks that the path still refers to it.
    private static func lock(_ file: Int32, _ path: String) throws(DownloadFailure) {
        guard isOwnFile(file) else { throw DownloadFailure(.unsafeFile, path: path) }
        // The previous owner of the lock may have renamed the file to its destination.
        guard Safety.requires("08-lock", uninterrupted { flock(file, LOCK_EX | LOCK_NB) } == 0), isFile(file, at: path)
        else {
            throw DownloadFailure(.busy, path: path)
        }
    }
}
