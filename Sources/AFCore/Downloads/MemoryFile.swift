internal import CLinux
internal import Glibc

/// A file in memory for libraries that read files by path only.
package enum MemoryFile {
    /// Returns the path of a new file with these contents, which exists until the process ends.
    ///
    /// `nil` if the system refuses; `errno` has the reason.
    package static func path(of contents: [UInt8]) -> String? {
        // MFD_CLOEXEC, of linux/memfd.h.
        let descriptor = memfd_create("afcli", 1)
        guard descriptor >= 0 else { return nil }
        var rest = contents[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return nil }
        }
        return "/proc/self/fd/\(descriptor)"
    }
}
