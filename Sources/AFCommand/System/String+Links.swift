internal import FoundationEssentials
internal import Glibc

extension String {
    /// The descriptor of this process that the path names, such as `/dev/fd/3`; `nil` for another path.
    var descriptor: Int32? {
        switch self {
        case "/dev/stdin": return STDIN_FILENO
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default: break
        }
        let directory = ["/dev/fd/", "/proc/self/fd/"].first { hasPrefix($0) }
        let number = directory.map { dropFirst($0.count) }
        return number.flatMap { $0.isDecimal ? Int32($0) : nil }
    }

    /// Whether the argument of an option is standard input: as a file, a descriptor, or the file of a value.
    var namesStandardInput: Bool {
        ["fd:0", "@-"].contains(self) || (hasPrefix("@") ? String(dropFirst()) : self).descriptor == STDIN_FILENO
    }

    /// Whether the path is that of a descriptor, a device or a FIFO, which no other file can replace.
    var isWrittenDirectly: Bool { descriptor != nil || FileStatus(self)?.isRegular == false }

    /// Whether the path is that of a file that can be written but not replaced: its directory is read-only, or it is a mount
    /// point.
    var isWrittenInPlace: Bool {
        guard let file = FileStatus(self, followsLinks: false), file.isRegular, access(self, W_OK) == 0 else {
            return false
        }
        guard let directory = FileStatus(directoryPath), access(directoryPath, W_OK | X_OK) == 0 else { return true }
        // In a directory such as /tmp, only the owners of both may replace it.
        let isSticky = directory.fields.st_mode & mode_t(S_ISVTX) != 0
        if isSticky, !file.isOwn, !directory.isOwn, geteuid() != 0 { return true }
        return mountNumber.map { $0 != directoryPath.mountNumber } ?? false
    }

    /// The number of the mount that the path is on; `nil` if the system does not report it.
    private var mountNumber: Substring? {
        // O_PATH of fcntl.h
        let descriptor = open(self, 0o10_000_000 | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let lines = (try? String(contentsOf: URL(filePath: "/proc/self/fdinfo/\(descriptor)"), encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
    }

    /// The path of the file behind symbolic links: a file can be replaced atomically only under its own name.
    ///
    /// A link of another user is not followed: it may have been planted. Other components of the path are not changed.
    var followingLinks: String {
        var path = self
        // The kernel has the same limit, which ends loops.
        for _ in 0..<40 {
            guard path.descriptor == nil, let link = FileStatus(path, followsLinks: false), link.kind == S_IFLNK,
                Safety.requires("04-planted-link", link.isOwn || link.fields.st_uid == 0),
                let target = path.linkTarget
            else { return path }
            path = target.hasPrefix("/") ? target : path.pathParts.directory + target
        }
        return path
    }

    /// The target of a symbolic link; `nil` if it is no path in UTF-8, or the system generates it.
    private var linkTarget: String? {
        if hasPrefix("/proc/") { return nil }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(self, &buffer, buffer.count)
        let bytes = buffer.prefix(Swift.max(0, count)).map { UInt8(bitPattern: $0) }
        let target = String(validating: bytes, as: UTF8.self) ?? ""
        // A link to a directory is no file, and its slash would be the request for a name in it.
        return target.isEmpty || target.hasSuffix("/") ? nil : target
    }
}
