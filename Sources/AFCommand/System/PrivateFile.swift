internal import Glibc

/// A file of this user's that holds secrets: read whole, and replaced whole, under a lock.
///
/// Nobody sees half of it, and of several processes that change it at once none loses what another has written. Links and
/// files of other users are refused.
struct PrivateFile: Hashable, Sendable {
    /// What is done about the folder that the file is in.
    enum Folder: Hashable, Sendable {
        /// It must be there.
        case asItIs
        /// It is made where it is missing.
        case made
        /// It is the tool's own: made where it is missing, and closed to others.
        case own
    }

    var path: String
    var folder = Folder.asItIs
    var waits = WaitLimits()

    static func == (left: PrivateFile, right: PrivateFile) -> Bool {
        left.path == right.path && left.folder == right.folder
    }

    func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// Everything in it; `nil` where there is no file, or one that holds nothing.
    func read() throws(FileProblem) -> [UInt8]? {
        let descriptor = try open(O_RDONLY, .reading)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try content(of: descriptor)
    }

    /// Whether others than the owner have access to the file.
    ///
    /// - Parameter closes: Whether the access of others is removed.
    func isOpenToOthers(closes: Bool) throws(FileProblem) -> Bool {
        let descriptor = try open(O_RDONLY, .reading)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 else { return false }
        if closes, fchmod(descriptor, 0o600) != 0 { throw problem(.system(errno), .writing) }
        return true
    }

    /// Replaces what is in it. Other processes that want to change it wait meanwhile.
    ///
    /// - Parameter change: Gets what is there now, and gives what shall be there; `nil` changes nothing.
    /// - Throws: ``FileProblem``, or what `change` throws; then the file stays as it is.
    func change(_ change: (_ content: [UInt8]?) throws -> [UInt8]?) throws {
        try makeFolder()
        let (descriptor, isNew) = try lock()
        defer { close(descriptor) }
        // What was made for the sake of the lock alone goes again.
        defer { if isNew { removeIfEmpty() } }
        TemporaryFile.removeAbandoned(for: path)
        let old = try content(of: descriptor)
        if let new = try change(old), new != old { try replace(with: new) }
    }

    /// Makes a file of this name, which nobody else can then do until what is returned is gone; then it goes, too.
    ///
    /// - Parameter limit: How long others who have made it are waited for.
    func claim(within limit: Duration) throws(FileProblem) -> PrivateFileClaim {
        try makeFolder()
        return PrivateFileClaim(path: path, descriptor: try lock(within: limit).descriptor)
    }

    private func content(of descriptor: Int32) throws(FileProblem) -> [UInt8]? {
        let content = try FileAccess.readToEnd(descriptor, path: path, limit: .session, waits: waits)
        return content.isEmpty ? nil : content
    }

    // Opening.

    /// Without following a link, and without waiting for the other end of a pipe.
    ///
    /// - Returns: A negative number where there is no file, or with `O_EXCL`, where there is one.
    private func open(_ flags: Int32, _ purpose: FileProblem.Purpose) throws(FileProblem) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT where flags & O_CREAT == 0, EEXIST: return -1
            case ELOOP: throw problem(.other("it is a symbolic link"), purpose, hint: "name the file that it leads to")
            case ENXIO: throw problem(Self.isNoFile, purpose)
            default: throw problem(.system(errno), purpose)
            }
        }
        guard let reason = objection(to: descriptor) else { return descriptor }
        close(descriptor)
        throw problem(reason, purpose)
    }

    /// Why an open file is not to be used.
    private func objection(to descriptor: Int32) -> FileProblem.Reason? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .system(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status.st_uid == geteuid() ? nil : .other("it belongs to another user")
        case S_IFDIR: return .isDirectory
        default: return Self.isNoFile
        }
    }

    private static let isLocked = FileProblem.Reason.other("another process keeps it locked")
    private static let lockHint = "end that process, or wait for it"
    private static let isNoFile = FileProblem.Reason.other("it is no regular file")

    /// Opens the file, which is made where it is missing, and waits for its lock.
    ///
    /// - Parameter limit: How long the lock is waited for.
    private func lock(
        within limit: Duration = .seconds(10)
    ) throws(FileProblem) -> (descriptor: Int32, isNew: Bool) {
        let patience = ContinuousClock.now + limit
        let wait = LocalWait(waits)
        while true {
            var descriptor = try open(O_RDWR, .writing)
            let isNew = descriptor < 0
            if isNew { descriptor = try open(O_RDWR | O_CREAT | O_EXCL, .writing) }
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                // Whoever held the lock until now may have put another file in its place.
                if isInPlace(descriptor) { return (descriptor, isNew) }
                close(descriptor)
                continue
            }
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK || number == EINTR else { throw problem(.system(number), .writing) }
            guard ContinuousClock.now < patience else { throw problem(Self.isLocked, .writing, hint: Self.lockHint) }
            // The wait that flock itself offers has no end while the other process is stopped.
            do throws(WaitFailure) {
                try wait.pause()
            } catch {
                throw FileProblem(path: path, error, purpose: .writing).explaining(Self.isLocked)
            }
        }
    }

    private func isInPlace(_ descriptor: Int32) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
    }

    // Writing.

    private func replace(with content: [UInt8]) throws(FileProblem) {
        let (folder, _) = split
        guard let temporary = TemporaryFile(for: path, mode: 0o600) else {
            throw problem(.system(errno), .writing)
        }
        let descriptor = temporary.descriptor
        // The mode that was asked for when it was made is what the umask leaves of it.
        let isWritten = fchmod(descriptor, 0o600) == 0 && write(content, to: descriptor) && fsync(descriptor) == 0
        let isDone = isWritten && rename(temporary.path, path) == 0
        let number = errno
        close(descriptor)
        guard isDone else {
            unlink(temporary.path)
            throw problem(.system(number), .writing)
        }
        synchronize(folder)
    }

    private func write(_ content: [UInt8], to descriptor: Int32) -> Bool {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }

    private func removeIfEmpty() {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(path) }
    }

    /// So that the new name outlasts a power cut.
    private func synchronize(_ folder: Substring) {
        let descriptor = Glibc.open(folder.isEmpty ? "." : String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    // The folder.

    private func makeFolder() throws(FileProblem) {
        guard folder != .asItIs else { return }
        let place = split.folder
        for end in place.indices.dropFirst() where place[end] == "/" {
            let folder = String(place[..<end])
            // Here too the umask takes its part of the mode.
            if mkdir(folder, 0o700) == 0 { chmod(folder, 0o700) }
        }
        if folder == .own, !place.isEmpty { try closeFolder(String(place)) }
    }

    private func closeFolder(_ place: String) throws(FileProblem) {
        let descriptor = Glibc.open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(.system(errno), .writing) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
            throw problem(.other("its folder belongs to another user"), .writing)
        }
        guard status.st_mode & 0o777 == 0o700 || fchmod(descriptor, 0o700) == 0 else {
            throw problem(.system(errno), .writing)
        }
    }

    /// The folder with its slash, empty for the current one, and the name in it.
    private var split: (folder: Substring, name: Substring) {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        return (path[..<start], path[start...])
    }

    private func problem(
        _ reason: FileProblem.Reason,
        _ purpose: FileProblem.Purpose,
        hint: String? = nil
    ) -> FileProblem {
        FileProblem(path: path, reason: reason, purpose: purpose, hint: hint ?? "choose another place for it")
    }
}

/// A name that one process has for itself; see ``PrivateFile/claim(within:)``. It ends with the process in any case.
final class PrivateFileClaim: Sendable {
    private let path: String
    private let descriptor: Int32

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // While the lock is still held: whoever waits for it then sees that it is another file's.
        unlink(path)
        close(descriptor)
    }
}
