internal import Glibc

/// A folder of this user's that nobody else reads, and the files in it.
///
/// Files are named in relation to the open folder, and links are not followed: nobody can put another place under it.
final class CacheFolder: Sendable {
    /// What is known of a file without opening it.
    struct Listing {
        let name: String
        let size: Int
        let lastUse: timespec
    }

    private let descriptor: Int32

    /// Opens the folder, making it where it is missing; `nil` where it is not this user's, or no folder.
    init?(_ path: String) {
        Self.make(path)
        let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        var status = stat()
        let isOwn = fstat(folder, &status) == 0 && status.st_uid == geteuid()
        guard isOwn, status.st_mode & 0o777 == 0o700 || fchmod(folder, 0o700) == 0 else {
            close(folder)
            return nil
        }
        descriptor = folder
    }

    deinit { close(descriptor) }

    private static func make(_ path: String) {
        for place in path.indices.dropFirst() where path[place] == "/" { mkdir(String(path[..<place]), 0o700) }
        mkdir(path, 0o700)
    }

    /// Whether somebody took the folder away.
    var isGone: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// The files whose names begin like this.
    func files(prefix: String = "") -> [Listing] {
        // Another description of the folder, as reading moves its position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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

    /// The file, if it is there and a plain one of this user's.
    func open(_ name: String) -> CacheFolderFile? {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard isOwnFile(file) else {
            close(file)
            return nil
        }
        return CacheFolderFile(file)
    }

    /// Writes a file and gives it its name once it is whole: readers see the old one or the new one.
    func write(_ pieces: [UnsafeRawBufferPointer], to name: String) -> Bool {
        let temporary = Self.temporaryPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let isWritten = pieces.allSatisfy { Self.write($0, to: file) }
        close(file)
        if isWritten, renameat(descriptor, temporary, descriptor, name) == 0 { return true }
        remove(temporary)
        return false
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(file, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    static let temporaryPrefix = ".new-"
}

/// An open file; closed when nobody refers to it any more.
final class CacheFolderFile: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// So many bytes from a place; `nil` where there are fewer.
    func read(_ count: Int, from offset: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                if got > 0 { filled += got } else if got == 0 || errno != EINTR { return }
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// Notes that the file was used now.
    func touch() { futimens(descriptor, nil) }
}
