internal import Glibc
internal import Synchronization

extension ScratchFolder {
    /// Removes the directory at a normal exit: for directories that all tests share, as they are never deinitialized.
    func removeAtExit() {
        let isFirst = sharedFolders.withLock { folders in
            folders.append(path)
            return folders.count == 1
        }
        if isFirst { atexit { sharedFolders.withLock { $0 }.forEach(removeTree) } }
    }
}

private let sharedFolders = Mutex<[String]>([])
