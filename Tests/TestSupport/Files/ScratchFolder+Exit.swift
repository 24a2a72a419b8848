internal import Glibc
internal import Synchronization

extension ScratchFolder {
    /// Removes the folder when the process ends in order: for folders that all tests share, which no `deinit` reaches.
    func removeAtExit() {
        let isFirst = sharedFolders.withLock { folders in
            folders.append(path)
            return folders.count == 1
        }
        if isFirst { atexit { sharedFolders.withLock { $0 }.forEach(removeTree) } }
    }
}

private let sharedFolders = Mutex<[String]>([])
