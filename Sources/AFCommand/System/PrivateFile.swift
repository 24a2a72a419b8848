internal import AFFormatting
internal import AFHTTP
internal import Glibc

/// A file of this user that contains secrets: read and replaced as a whole, under a lock.
///
/// Readers never see a partial file, and concurrent changes of several processes are not lost. Links and files of other
/// users are rejected.
struct PrivateFile: Hashable, Sendable {
    /// The treatment of the file's directory.
    enum Directory: Hashable, Sendable {
        /// The directory must exist.
        case existing
        /// The directory is created if it is missing.
        case created
        /// The tool's own directory: created if it is missing, with access for this user only.
        case own
    }

    var path: String
    var directory = Directory.existing
    var waits = WaitLimits()
    /// The home directory, which contains the file and is not created; `nil` for other files.
    var home: String?

    static func == (left: PrivateFile, right: PrivateFile) -> Bool {
        left.path == right.path && left.directory == right.directory
    }

    func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// Reads the contents; `nil` if the file is missing or empty.
    func read(_ limit: ReadLimit = .session) throws(FileProblem) -> [UInt8]? {
        let descriptor = try open(O_RDONLY, .reading)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try content(of: descriptor, limit)
    }

    /// Whether other users have access to the file.
    ///
    /// - Parameter closes: Whether to remove that access.
    func isOpenToOthers(closes: Bool) throws(FileProblem) -> Bool {
        let descriptor = try open(O_RDONLY, .reading)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor), Safety.refuses("26-mode", status.fields.st_mode & 0o077 != 0) else {
            return false
        }
        if closes, fchmod(descriptor, 0o600) != 0 { throw problem(.system(errno), .writing) }
        return true
    }

    var exists: Bool { access(path, F_OK) == 0 }

    /// Whether the file is empty, and no other process is about to write it.
    func isLeftEmpty() throws(FileProblem) -> Bool {
        let descriptor = try open(O_RDONLY, .reading)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Processes that write the file hold its lock from its creation until they have replaced it.
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 && isAtPath(descriptor) && FileStatus(descriptor)?.size == 0
    }

    /// Checks that the file can be written, so that no request is sent whose results would be lost.
    ///
    /// - Parameter isReplaced: Whether an existing file will be replaced, which requires access to its directory.
    func checkWritable(isReplaced: Bool) throws(FileProblem) {
        guard !path.hasSuffix("/") else { throw problem(.content("ends with a slash"), .writing, hint: "name a file") }
        if exists {
            guard access(path, W_OK) == 0 else { throw problem(.system(errno), .writing) }
            if !isReplaced { return }
        }
        try checkHome()
        var ancestor = path.pathParts.directory
        // A missing directory is created in the nearest existing one.
        while directory != .existing, !ancestor.isEmpty, ancestor != "/", access(String(ancestor), F_OK) != 0,
            errno == ENOENT
        {
            ancestor = String(ancestor.dropLast()).pathParts.directory
        }
        guard access(ancestor.isEmpty ? "." : String(ancestor), W_OK | X_OK) == 0 else {
            throw problem(.system(errno), .writing)
        }
    }

    /// Replaces the contents. Other processes that change the file wait meanwhile.
    ///
    /// - Parameter change: Returns the new contents for the current ones; `nil` changes nothing.
    /// - Throws: ``FileProblem``, or errors of `change`; the file is unchanged then.
    func change(_ change: (_ content: [UInt8]?) throws -> [UInt8]?) throws {
        try createDirectory()
        let (descriptor, isNew) = try lock()
        defer { close(descriptor) }
        // A file that was created for the lock only is removed.
        defer { if isNew { removeIfEmpty() } }
        TemporaryFile.removeAbandoned(for: path)
        let old = try content(of: descriptor)
        guard let new = try change(old), new != old else { return }
        // The next run could not read it.
        guard new.count <= ReadLimit.session.bytes else { throw ReadLimit.session.problem(path) }
        try replace(with: new)
    }

    /// Calls a function while other processes that extend the file wait. The function may replace the file.
    ///
    /// - Parameter extend: Takes the contents, and whether other users have no access to them.
    func whileLocked(_ limit: ReadLimit, _ extend: (_ content: [UInt8], _ isPrivate: Bool) throws -> Void) throws {
        let (descriptor, isNew) = try lock()
        defer { close(descriptor) }
        defer { if isNew { removeIfEmpty() } }
        let content = try FileAccess.readToEnd(descriptor, path: path, limit: limit, waits: waits)
        let mode = FileStatus(descriptor)?.fields.st_mode ?? 0
        try extend(content, !content.isEmpty && mode & 0o077 == 0)
    }

    /// Creates a lock file of this name, which exists until the returned value is released.
    ///
    /// - Parameter limit: The maximum time to wait for other owners.
    func claim(within limit: Duration) throws(FileProblem) -> PrivateFileClaim {
        try createDirectory()
        return PrivateFileClaim(path: path, descriptor: try lock(within: limit).descriptor)
    }

    private func content(of descriptor: Int32, _ limit: ReadLimit = .session) throws(FileProblem) -> [UInt8]? {
        let content = try FileAccess.readToEnd(descriptor, path: path, limit: limit, waits: waits)
        return content.isEmpty ? nil : content
    }

    // Opening

    /// Opens the file without following links, and without waiting for the other end of a FIFO.
    ///
    /// - Returns: The descriptor; negative if there is no file or, with `O_EXCL`, if there is one.
    private func open(_ flags: Int32, _ purpose: FileProblem.Purpose) throws(FileProblem) -> Int32 {
        let descriptor = uninterrupted { Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT where flags & O_CREAT == 0, EEXIST: return -1
            case ELOOP: throw problem(.other("it is a symbolic link"), purpose, hint: "name the file that it leads to")
            case ENXIO: throw problem(Self.isNoFile, purpose)
            default: throw problem(.system(errno), purpose)
            }
        }
        guard let reason = rejectionReason(to: descriptor) else { return descriptor }
        close(descriptor)
        throw problem(reason, purpose)
    }

    /// Returns the reason why an open file must not be used.
    private func rejectionReason(to descriptor: Int32) -> FileProblem.Reason? {
        guard let status = FileStatus(descriptor) else { return .system(errno) }
        switch status.kind {
        case S_IFREG:
            let isOwn = Safety.requires("10-owner", status.isOwn)
            return isOwn ? nil : .other("it belongs to another user")
        case S_IFDIR: return .isDirectory
        default: return Self.isNoFile
        }
    }

    private static let isLocked = FileProblem.Reason.other("another process has locked it")
    private static let lockHint = "end that process, or wait for it"
    private static let isNoFile = FileProblem.Reason.other("it is not a regular file")

    /// Opens or creates the file, and waits for its lock.
    ///
    /// - Parameter limit: The maximum time to wait for the lock.
    private func lock(within limit: Duration = .seconds(10)) throws(FileProblem) -> (descriptor: Int32, isNew: Bool) {
        let deadline = ContinuousClock.now + limit
        let wait = LocalWait(waits)
        while true {
            var descriptor = try open(O_RDWR, .writing)
            let isNew = descriptor < 0
            if isNew, let locked = createLocked() { return (locked, true) }
            if isNew { descriptor = try open(O_RDWR | O_CREAT | O_EXCL, .writing) }
            guard descriptor >= 0 else { continue }
            if Safety.requires("10-lock", flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
                // The previous owner of the lock may have replaced the file.
                if isAtPath(descriptor) { return (descriptor, isNew) }
                close(descriptor)
                continue
            }
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK || number == EINTR else { throw problem(.system(number), .writing) }
            guard ContinuousClock.now < deadline else { throw problem(Self.isLocked, .writing, hint: Self.lockHint) }
            // A blocking flock(2) would never return if the other process is stopped.
            do throws(WaitFailure) {
                try wait.pause()
            } catch {
                throw FileProblem(path: path, error, purpose: .writing).explaining(Self.isLocked)
            }
        }
    }

    /// Creates the file with its lock: a file without one that is empty looks as if it had lost its contents.
    ///
    /// - Returns: `nil` if the file exists, or if the directory or its file system does not allow it.
    private func createLocked() -> Int32? {
        guard let temporary = TemporaryFile(for: path, mode: 0o600) else { return nil }
        if temporary.move(toUnused: path) { return temporary.descriptor }
        unlink(temporary.path)
        close(temporary.descriptor)
        return nil
    }

    private func isAtPath(_ descriptor: Int32) -> Bool {
        guard let named = FileStatus(path, followsLinks: false) else { return false }
        return FileStatus(descriptor)?.isSameFile(as: named) == true
    }

    // Writing

    private func replace(with content: [UInt8]) throws(FileProblem) {
        let directory = path.pathParts.directory
        guard let temporary = TemporaryFile(for: path, mode: 0o600) else {
            throw problem(.system(errno), .writing)
        }
        let descriptor = temporary.descriptor
        // The mode at creation is subject to the umask.
        let isWritten =
            fchmod(descriptor, 0o600) == 0 && content.withUnsafeBytes { Descriptor(descriptor).write($0) }
            && Safety.requires("10-synchronized", uninterrupted { fsync(descriptor) } == 0)
        let isDone = isWritten && rename(temporary.path, path) == 0
        let number = errno
        close(descriptor)
        guard isDone else {
            unlink(temporary.path)
            throw problem(.system(number), .writing)
        }
        synchronize(directory)
    }

    private func removeIfEmpty() {
        if let status = FileStatus(path, followsLinks: false), status.isRegular, status.size == 0 { unlink(path) }
    }

    /// Syncs the directory, so that the rename survives a power failure.
    private func synchronize(_ directory: Substring) {
        let path = directory.isEmpty ? "." : String(directory)
        let descriptor = uninterrupted { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        _ = uninterrupted { fsync(descriptor) }
        close(descriptor)
    }

    // The directory

    private func checkHome() throws(FileProblem) {
        guard let home, FileStatus(home) == nil else { return }
        throw problem(
            .other("there is no home directory '\(home)'"), .writing,
            hint: "set HOME or AFCLI_CONFIG_DIR, or give a path")
    }

    private func createDirectory() throws(FileProblem) {
        guard directory != .existing else { return }
        try checkHome()
        let path = self.path.pathParts.directory
        // The mode is subject to the umask, which may remove rights of the owner.
        String(path).createDirectories(mode: 0o700) { chmod($0, 0o700) }
        if directory == .own, !path.isEmpty { try restrictDirectory(String(path)) }
    }

    private func restrictDirectory(_ path: String) throws(FileProblem) {
        let descriptor = uninterrupted { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw problem(.system(errno), .writing) }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor), status.isOwn else {
            throw problem(.other("its directory belongs to another user"), .writing)
        }
        guard status.fields.st_mode & 0o777 == 0o700 || fchmod(descriptor, 0o700) == 0 else {
            throw problem(.system(errno), .writing)
        }
    }

    private func problem(
        _ reason: FileProblem.Reason,
        _ purpose: FileProblem.Purpose,
        hint: String? = nil
    ) -> FileProblem {
        FileProblem(path: path, reason: reason, purpose: purpose, hint: hint)
    }
}

/// A lock file of one process; see ``PrivateFile/claim(within:)``. The lock ends with the process in any case.
final class PrivateFileClaim: Sendable {
    private let path: String
    private let descriptor: Int32

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // While the lock is held: a process that waits for it then sees that the file was replaced.
        unlink(path)
        close(descriptor)
    }
}
