internal import AFHTTP
internal import Glibc

/// A private directory of this user and its files.
///
/// Files are opened relative to the directory's descriptor, and links are not followed, so that the location cannot be
/// replaced.
final class CacheDirectory: Sendable {
    /// The metadata of a file.
    struct Listing {
        let name: String
        let size: Int
        let lastUse: timespec
    }

    private let descriptor: Int32

    /// Opens or creates the directory; `nil` if it belongs to another user or is not a directory.
    init?(_ path: String) {
        Self.make(path)
        let opened = uninterrupted { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard opened >= 0 else { return nil }
        var status = stat()
        let isOwn = fstat(opened, &status) == 0 && status.st_uid == geteuid()
        guard isOwn, status.st_mode & 0o777 == 0o700 || fchmod(opened, 0o700) == 0 else {
            close(opened)
            return nil
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    private static func make(_ path: String) {
        for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
        mkdir(path, 0o700)
    }

    /// Whether the directory was removed.
    var isGone: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// Returns the files whose names have a prefix.
    func files(prefix: String = "") -> [Listing] {
        // A separate open file description, as reading the directory changes its offset (open(2)).
        let copy = uninterrupted { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard copy >= 0 else { return [] }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(stream) }
        var listings: [Listing] = []
        while let entry = readdir(stream) {
            // In place: an entry is shorter than the 256 bytes that its type declares for the name.
            let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0)
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            var status = stat()
            guard name.hasPrefix(prefix), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            listings.append(Listing(name: name, size: Int(status.st_size), lastUse: status.st_mtim))
        }
        return listings
    }

    func size(of name: String) -> Int {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Int(status.st_size) : 0
    }

    func lastUse(of name: String) -> timespec {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mtim : timespec()
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Opens a file, if it is a regular file of this user.
    func open(_ name: String) -> CacheDirectoryFile? {
        let file = uninterrupted { openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard file >= 0 else { return nil }
        guard isOwnFile(file) else {
            close(file)
            return nil
        }
        return CacheDirectoryFile(file)
    }

    /// Writes a file and renames it once it is complete: readers see the old or the new file.
    func write(_ chunks: [UnsafeRawBufferPointer], to name: String) -> Bool {
        let temporary = Self.temporaryPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
        let file = uninterrupted {
            openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else { return false }
        let isWritten = chunks.allSatisfy { Descriptor(file).write($0) }
        close(file)
        if isWritten, renameat(descriptor, temporary, descriptor, name) == 0 { return true }
        remove(temporary)
        return false
    }

    static let temporaryPrefix = ".new-"
}

/// An open file, closed by deinitialization.
final class CacheDirectoryFile: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns bytes at an offset; `nil` if the file has fewer.
    func read(_ count: Int, from offset: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
            filled = Descriptor(descriptor).fill(target, at: Int64(offset)) ? count : 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Sets the file's time of last use.
    func touch() { futimens(descriptor, nil) }
}
