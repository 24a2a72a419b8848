internal import Glibc
internal import Synchronization

/// The files that the running transfers of a curl command will write.
final class PendingFiles: Sendable {
    /// The number of transfers that will write a file; `nil` is a device, or a file of a directory that does not exist yet.
    private let counts = Mutex<[DirectoryEntry?: Int]>([:])

    func insert(_ files: [DirectoryEntry?]) {
        counts.withLock { counts in for file in files { counts[file, default: 0] += 1 } }
    }

    func remove(_ files: [DirectoryEntry?]) {
        counts.withLock { counts in
            for file in files {
                guard let count = counts[file] else { continue }
                counts[file] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// Whether a path leads to one of the files, by any name, or through one, or is the directory of one. It may be each file
    /// that is not known.
    func concern(_ path: String) -> Bool {
        let entries = counts.withLock { Array($0.keys) }
        let files = entries.compactMap(\.self)
        guard files.count == entries.count else { return true }
        guard !files.isEmpty else { return false }
        var target = path.followingLinks
        if let status = FileStatus(target), status.isDirectory {
            return files.contains { $0.device == status.fields.st_dev && $0.directory == status.fields.st_ino }
        }
        repeat {
            if let entry = DirectoryEntry(target), files.contains(entry) { return true }
            target = target.directoryPath
            while target.hasSuffix("/") { target.removeLast() }
        } while !target.isEmpty && target != "." && FileStatus(target)?.isDirectory != true
        return false
    }
}
