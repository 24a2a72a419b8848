internal import CLinux
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The file that a download grows in: beside its destination, locked, readable by its owner only until it is whole.
///
/// Its name is predictable, so that another run finds it; hence it is opened without following links and must be a
/// regular file of this user's with one name.
final class PartialFile: Sendable {
    let path: String
    let descriptor: Int32
    /// Up to where the file reaches, unless another program changes it.
    private let end: Mutex<Int64>
    /// What kept written bytes from the disk. The system tells of it once, and then calls the same bytes safe.
    private let lostBytes = Mutex<DownloadFailure?>(nil)

    /// Where a record is written before it takes the older one's place: nobody can foresee it, and whose it is can be told,
    /// as a killed process leaves it behind.
    func newDraftPath() -> String {
        "\(Self.draftBeginning(descriptor, path))\(String(UInt64.random(in: 0 ... .max), radix: 16))\(Self.draftEnding)"
    }

    private static let draftEnding = ".part.json"

    private static func draftBeginning(_ file: Int32, _ path: String) -> String {
        var status = stat()
        fstat(file, &status)
        return split(path).folder + ".afcli-\(String(status.st_ino, radix: 16))-"
    }

    /// Takes away what killed processes left of their work on the record of a file.
    private static func removeDrafts(of file: Int32, at path: String) {
        let folder = String(split(path).folder)
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        let beginning = draftBeginning(file, path)
        for draft in (names ?? []).map({ folder + $0 }) {
            guard draft.hasPrefix(beginning), draft.hasSuffix(draftEnding), let file = try? open(draft, O_RDONLY) else {
                continue
            }
            if isOwnFile(file) { unlink(draft) }
            close(file)
        }
    }

    /// Whether the partial file of a record is there with all of its bytes.
    static func holds(_ record: DownloadRecord) -> Bool {
        var status = stat()
        return lstat(record.partialPath, &status) == 0 && status.st_size >= off_t(record.fileEnd)
    }

    /// A new, empty one. An old one is taken away, if it is ours and nobody is at work on it.
    init(creating path: String) throws(DownloadFailure) {
        self.path = path
        try Self.removeOld(path)
        do throws(DownloadFailure) {
            descriptor = try Self.open(path, O_RDWR | O_CREAT | O_EXCL)
        } catch {
            // Somebody was faster.
            throw error.reason == .system(EEXIST) ? DownloadFailure(.busy, path: path) : error
        }
        end = Mutex(0)
        try Self.claim(descriptor, path)
    }

    /// The one of an earlier run, cut to the bytes that the record vouches for.
    ///
    /// - Parameter verified: The state in which the file was found to have those bytes.
    /// - Throws: ``DownloadFailure/Reason/rangeRefused`` where those are not there any more.
    init(continuing record: DownloadRecord, verified: FileState? = nil) throws(DownloadFailure) {
        path = record.partialPath
        end = Mutex(record.fileEnd)
        do throws(DownloadFailure) {
            descriptor = try Self.open(path, O_RDWR)
        } catch {
            throw error.reason == .system(ENOENT) ? DownloadFailure(.rangeRefused, path: path) : error
        }
        try Self.claim(descriptor, path)
        Self.removeDrafts(of: descriptor, at: path)
        guard let state = FileState(descriptor), state.size >= record.fileEnd, state == verified ?? state,
            ftruncate(descriptor, off_t(record.fileEnd)) == 0
        else { throw DownloadFailure(.rangeRefused, path: path) }
        keepPrivate()
    }

    deinit {
        release()
        close(descriptor)
    }

    /// Gives the lock up: nothing will be written any more. Closing alone would leave it to a process that was forked
    /// meanwhile and has not yet become another program.
    func release() { flock(descriptor, LOCK_UN) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DownloadFailure) {
        guard !bytes.isEmpty else { return }
        try checkSize()
        try Self.write(bytes, to: descriptor, at: offset, path)
        reaches(offset + Int64(bytes.count))
    }

    /// A file that was cut by another program would get a hole, which reads as zeros.
    private func checkSize() throws(DownloadFailure) {
        guard isComplete else { throw DownloadFailure(.changedFile, path: path) }
    }

    /// Whether no other program has cut the file.
    var isComplete: Bool { size.map { $0 >= end.withLock(\.self) } ?? false }

    private func reaches(_ offset: Int64) { end.withLock { $0 = max($0, offset) } }

    /// Writes some bytes, and others behind them.
    func write(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        at offset: Int64
    ) throws(DownloadFailure) {
        var (first, second, offset) = (first, second, offset)
        if !first.isEmpty { try checkSize() }
        while !first.isEmpty {
            let count = pwritev(descriptor, [iovec(first), iovec(second)], 2, off_t(offset))
            if count >= 0 {
                second = UnsafeRawBufferPointer(rebasing: second.dropFirst(max(0, count - first.count)))
                first = UnsafeRawBufferPointer(rebasing: first.dropFirst(count))
                offset += Int64(count)
            } else if errno != EINTR {
                throw DownloadFailure(.system(errno), path: path)
            }
        }
        reaches(offset)
        try write(second, at: offset)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer,
        to file: Int32,
        at offset: Int64 = 0,
        _ path: String
    ) throws(DownloadFailure) {
        var rest = bytes
        var offset = off_t(offset)
        while !rest.isEmpty {
            let count = pwrite(file, rest.baseAddress, rest.count, offset)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                offset += count
            } else if errno != EINTR {
                throw DownloadFailure(.system(errno), path: path)
            }
        }
    }

    /// Makes the file share the bytes of another one.
    ///
    /// - Returns: Its length; `nil` where the file system cannot do that.
    func share(_ source: Int32) -> Int64? {
        var status = stat()
        // FICLONE, of linux/fs.h.
        guard ioctl(descriptor, 0x4004_9409, source) == 0, fstat(descriptor, &status) == 0 else { return nil }
        reaches(Int64(status.st_size))
        return Int64(status.st_size)
    }

    /// Returns once everything written so far is on the disk; after a failure it never does.
    func synchronize() throws(DownloadFailure) { try synchronize(fdatasync) }

    private func synchronize(_ call: (Int32) -> Int32) throws(DownloadFailure) {
        let failure = lostBytes.withLock { lost in
            if lost == nil, call(descriptor) != 0 { lost = DownloadFailure(.system(errno), path: path) }
            return lost
        }
        if let failure { throw failure }
    }

    /// A date that the file system does not take is left alone.
    func setModificationDate(_ date: Date) {
        let seconds = timespec(tv_sec: Int(date.timeIntervalSince1970.rounded(.down)), tv_nsec: 0)
        // UTIME_OMIT, of sys/stat.h.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), seconds]
        _ = futimens(descriptor, times)
    }

    /// Makes the file as long as it is going to be, with room on the disk for all of it: a full disk shows now.
    func reserve(_ length: Int64) throws(DownloadFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DownloadFailure(.system(errno), path: path) }
        // Not posix_fallocate: where the file system cannot do it, that writes to every block.
        while fallocate(descriptor, 0, 0, off_t(length)) != 0 {
            let number = errno
            if number == EINTR { continue }
            // A file with holes does as well, though it may meet a full disk later.
            if [EOPNOTSUPP, ENOSYS].contains(number), ftruncate(descriptor, off_t(length)) == 0 { break }
            ftruncate(descriptor, status.st_size)
            throw DownloadFailure(.system(number), path: path)
        }
        reaches(length)
    }

    /// How long it is, in bytes.
    var size: Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Gives the end back to the disk.
    func cut(to length: Int64) throws(DownloadFailure) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw DownloadFailure(.system(errno), path: path) }
        end.withLock { $0 = length }
    }

    /// Gives the whole file its name.
    ///
    /// - Parameters:
    ///   - replaces: Whether a file that stands there goes. The old one stays until the very moment.
    ///   - isPrivate: Whether it stays its owner's alone; else those may read it who could read the file that it
    ///     replaces, and without one the umask tells.
    ///   - record: What the file remembers of its origin.
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
            keepPrivate()
            throw error
        }
        unlink(Self.recordPath(for: path))
        synchronizeFolder(of: destination)
    }

    /// Gives the file the permissions that it will have, and makes sure of its bytes.
    private func open(for destination: String, _ replaces: Bool, _ isPrivate: Bool) throws(DownloadFailure) {
        let mode = isPrivate ? 0o600 : (replaces ? Self.mode(of: destination) : nil) ?? 0o666 & ~currentFileMask()
        guard fchmod(descriptor, mode) == 0 else { throw DownloadFailure(.system(errno), path: path) }
        try synchronize(fsync)
    }

    private func rename(
        to destination: String,
        _ replaces: Bool,
        _ isPrivate: Bool,
        _ record: DownloadRecord?
    ) throws(DownloadFailure) {
        guard hasItsName else {
            let isGone = access(path, F_OK) != 0 && errno == ENOENT
            throw DownloadFailure(isGone ? .system(ENOENT) : .busy, path: path)
        }
        if replaces ? Glibc.rename(path, destination) == 0 : moveWithoutReplacing(destination) { return }
        guard errno == EXDEV else { throw moveFailure(destination) }
        try moveToOtherFileSystem(destination, replaces, isPrivate, record)
    }

    /// A copy beside the destination gets the name.
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

    /// - Returns: How many bytes there were; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DownloadFailure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw DownloadFailure(.system(errno), path: path) }
        }
    }

    /// Takes the file and its record away, as far as they are this one's. What another program cut may hold its bytes by
    /// now.
    func discard() {
        guard hasItsName else { return }
        if isComplete { unlink(path) }
        unlink(Self.recordPath(for: path))
    }

    /// What is in it may not be for everybody until it is whole.
    private func keepPrivate() { fchmod(descriptor, 0o600) }

    /// Whether nobody has put another file in its place.
    var hasItsName: Bool { Self.isFile(descriptor, at: path) }

    private static func isFile(_ file: Int32, at path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
    }

    /// Writes the record beside the file, at once or not at all.
    ///
    /// - Parameter waits: Whether it returns only once the record is on the disk, which takes a while.
    func keep(_ record: DownloadRecord, waits: Bool = false) throws(DownloadFailure) {
        let target = Self.recordPath(for: path)
        let draft = newDraftPath()
        let file = try Self.open(draft, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(file) }
        do throws(DownloadFailure) {
            let json = Array(record.json)
            try json.withUnsafeBufferPointer { bytes throws(DownloadFailure) in
                try Self.write(UnsafeRawBufferPointer(bytes), to: file, target)
            }
            // Else a name could reach the disk before what it names.
            guard !waits || fdatasync(file) == 0, Glibc.rename(draft, target) == 0 else {
                throw DownloadFailure(.system(errno), path: target)
            }
        } catch {
            unlink(draft)
            throw error
        }
    }

    // Opening.

    /// Removes what an earlier download left where a new partial file goes: nothing that another program or user made.
    private static func removeOld(_ path: String) throws(DownloadFailure) {
        guard let old = try openOld(path) else { return }
        defer { close(old) }
        removeDrafts(of: old, at: path)
        unlink(path)
    }

    /// Makes sure that a new partial file may take this place.
    static func checkPlace(_ path: String) throws(DownloadFailure) {
        if let old = try openOld(path) { close(old) }
    }

    /// Opens and locks what an earlier download left; `nil` if there is nothing.
    private static func openOld(_ path: String) throws(DownloadFailure) -> Int32? {
        let kept = try DownloadRecord.kept(at: recordPath(for: path))
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let old = try open(path, O_RDWR)
        do throws(DownloadFailure) {
            try claim(old, path)
            let isOurs =
                switch kept {
                // A process that ended before it wrote its record leaves an empty file.
                case .nothing: status.st_size == 0
                case .empty: true
                case .record(let record): status.st_size == 0 || record.isRecord(of: old)
                }
            guard isOurs else { throw DownloadFailure(.foreignFile, path: path) }
            return old
        } catch {
            close(old)
            throw error
        }
    }

    /// Without following a link, and without waiting for the other end of a pipe.
    static func open(_ path: String, _ flags: Int32) throws(DownloadFailure) -> Int32 {
        let file = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let isNoFile = errno == ELOOP || errno == EISDIR || errno == ENXIO
            throw DownloadFailure(isNoFile ? .notOwnFile : .system(errno), path: path)
        }
        return file
    }

    /// Makes sure that the open file is the user's own, nobody else's at the moment, and still the one of this name.
    private static func claim(_ file: Int32, _ path: String) throws(DownloadFailure) {
        guard isOwnFile(file) else { throw DownloadFailure(.notOwnFile, path: path) }
        // Who held the lock until now may have given the file its final name.
        guard flock(file, LOCK_EX | LOCK_NB) == 0, isFile(file, at: path) else {
            throw DownloadFailure(.busy, path: path)
        }
    }

    // Moving.

    /// The permissions of a file of this user's; `nil` where there is none.
    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        return status.st_mode & 0o777
    }

    private func moveWithoutReplacing(_ destination: String) -> Bool {
        // RENAME_NOREPLACE, of linux/fs.h; not every file system can do it.
        if renameat2(AT_FDCWD, path, AT_FDCWD, destination, 1) == 0 { return true }
        guard [EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(errno) else { return false }
        // Nor does link ever take a file's place.
        if link(path, destination) == 0 { return unlink(path) == 0 }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return false }
        // A file system without links: an empty file keeps the place for the moment.
        let place = Glibc.open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard place >= 0 else { return false }
        close(place)
        if Glibc.rename(path, destination) == 0 { return true }
        let number = errno
        unlink(destination)
        errno = number
        return false
    }

    private func moveFailure(_ destination: String) -> DownloadFailure {
        switch errno {
        case EEXIST: DownloadFailure(.destinationExists, path: destination)
        case EISDIR: DownloadFailure(.destinationIsDirectory, path: destination)
        default: DownloadFailure(.system(errno), path: destination)
        }
    }

    private func synchronizeFolder(of destination: String) {
        let folder = Self.split(destination).folder
        let descriptor = Glibc.open(folder.isEmpty ? "." : String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// Whether an open file is a regular one of this user's with one name, or with none: another process may just have put
/// its own in its place.
func isOwnFile(_ file: Int32) -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
        && status.st_nlink <= 1
}

/// The mode bits that new files do not get. The kernel tells without the race that `umask(2)` would be.
private func currentFileMask() -> mode_t {
    guard let status = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }),
        let octal = line.split(separator: "\t").last
    else { return 0o077 }
    return mode_t(octal, radix: 8) ?? 0o077
}

extension iovec {
    /// Bytes that are only read.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
