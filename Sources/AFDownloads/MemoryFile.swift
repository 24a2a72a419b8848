internal import AFHTTP
internal import CLinux
internal import Glibc
internal import Synchronization

/// A file in memory for libraries that read files by path only.
package enum MemoryFile {
    private static let paths = Mutex<[[UInt8]: String]>([:])

    /// Returns the path of a file with these contents, the same for equal contents. It exists until the process ends.
    ///
    /// Returns `nil` if the system refuses; `errno` has the reason.
    package static func path(of contents: [UInt8]) -> String? {
        paths.withLock { paths in
            if paths[contents] == nil { paths[contents] = newFile(contents) }
            return paths[contents]
        }
    }

    private static func newFile(_ contents: [UInt8]) -> String? {
        // MFD_CLOEXEC of linux/memfd.h
        let descriptor = memfd_create("afcli", 1)
        guard descriptor >= 0 else { return nil }
        guard contents.withUnsafeBytes({ Descriptor(descriptor).write($0) }) else {
            let reason = errno
            close(descriptor)
            errno = reason
            return nil
        }
        return "/proc/self/fd/\(descriptor)"
    }
}
