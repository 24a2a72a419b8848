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
    private let descriptor: Int32

    /// The name of the partial file for a destination; cut so that it and its record's name fit the file system.
    static func path(for destination: String) -> String {
        let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/")).map(destination.utf8.index(after:))
        let start = slash ?? destination.startIndex
        var name = destination[start...]
        while name.utf8.count > 245 { name = name.dropLast() }
        return destination[..<start] + name + ".part"
    }

    static func recordPath(for path: String) -> String { path + ".json" }

    /// A new, empty one. An old one is taken away, unless somebody is at work on it.
    init(creating path: String) throws(DownloadFailure) {
        self.path = path
        if access(path, F_OK) == 0 || errno != ENOENT {
            let old = try Self.open(path, O_RDWR)
            defer { close(old) }
            try Self.claim(old, path)
            unlink(path)
        }
        descriptor = try Self.open(path, O_RDWR | O_CREAT | O_EXCL)
        try Self.claim(descriptor, path)
    }

    /// The one of an earlier run, cut to the bytes that are known to be on disk.
    ///
    /// - Throws: ``DownloadFailure`` also where it holds fewer bytes than that.
    init(continuing record: DownloadRecord) throws(DownloadFailure) {
        path = record.partialPath
        descriptor = try Self.open(path, O_RDWR)
        try Self.claim(descriptor, path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= off_t(record.completedBytes),
            ftruncate(descriptor, off_t(record.completedBytes)) == 0,
            lseek(descriptor, off_t(record.completedBytes), Int32(SEEK_SET)) >= 0
        else { throw DownloadFailure(.rangeRefused, path: path) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw DownloadFailure(.system(errno), path: path)
            }
        }
    }

    /// Returns once everything written so far is on the disk.
    func synchronize() throws(DownloadFailure) {
        guard fdatasync(descriptor) == 0 else { throw DownloadFailure(.system(errno), path: path) }
    }

    /// Gives the whole file its name.
    ///
    /// - Parameter replaces: Whether a file that stands there goes. The old one stays until the very moment.
    func move(to destination: String, replaces: Bool) throws(DownloadFailure) {
        guard fchmod(descriptor, 0o666 & ~currentFileMask()) == 0, fsync(descriptor) == 0 else {
            throw DownloadFailure(.system(errno), path: path)
        }
        if replaces {
            guard rename(path, destination) == 0 else { throw Self.moveFailure(destination) }
        } else {
            // Unlike rename, link never takes a file's place.
            guard link(path, destination) == 0 else { throw Self.moveFailure(destination) }
            unlink(path)
        }
        unlink(Self.recordPath(for: path))
        synchronizeFolder(of: destination)
    }

    /// Takes the file and its record away.
    func discard() {
        unlink(path)
        unlink(Self.recordPath(for: path))
    }

    /// Writes the record beside the file, at once or not at all.
    func keep(_ record: DownloadRecord) throws(DownloadFailure) {
        let target = Self.recordPath(for: path)
        let temporary = "\(target).\(UInt32.random(in: 0 ... .max))"
        let file = try Self.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        let isWritten = record.json.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) == $0.count }
        let number = errno
        close(file)
        guard isWritten, rename(temporary, target) == 0 else {
            unlink(temporary)
            throw DownloadFailure(.system(number), path: target)
        }
    }

    private static func open(_ path: String, _ flags: Int32) throws(DownloadFailure) -> Int32 {
        let file = Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DownloadFailure(errno == ELOOP ? .notOwnFile : .system(errno), path: path) }
        return file
    }

    /// Makes sure that the open file is the user's own and nobody else's at the moment; closes it otherwise.
    private static func claim(_ file: Int32, _ path: String) throws(DownloadFailure) {
        var status = stat()
        let isOwn =
            fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && status.st_nlink == 1
        let isFree = isOwn && flock(file, LOCK_EX | LOCK_NB) == 0
        guard !isFree else { return }
        close(file)
        throw DownloadFailure(isOwn ? .busy : .notOwnFile, path: path)
    }

    private static func moveFailure(_ destination: String) -> DownloadFailure {
        switch errno {
        case EEXIST: DownloadFailure(.destinationExists, path: destination)
        case EISDIR: DownloadFailure(.destinationIsDirectory, path: destination)
        default: DownloadFailure(.system(errno), path: destination)
        }
    }

    private func synchronizeFolder(of destination: String) {
        let folder = destination.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(destination[...$0]) } ?? "."
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The mode bits that new files do not get. The kernel tells without the race that `umask(2)` would be.
private func currentFileMask() -> mode_t {
    guard let status = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }),
        let octal = line.split(separator: "\t").last
    else { return 0o077 }
    return mode_t(octal, radix: 8) ?? 0o077
}
