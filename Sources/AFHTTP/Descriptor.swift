internal import Glibc

/// Repeats a system call while a signal interrupts it (`EINTR`), and returns its result: −1 for a failure, of which `errno`
/// has the reason.
///
/// For every call that may wait. close(2) is not repeated: Linux has closed the descriptor even then.
@inline(__always)
package func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// Repeats a system call that returns a number of bytes.
@inline(__always)
package func uninterrupted(_ call: () -> Int) -> Int {
    while true {
        let count = call()
        if count != -1 || errno != EINTR { return count }
    }
}

/// An open file descriptor. Its calls are repeated if a signal interrupts them (`EINTR`); after a failure, `errno` has the
/// reason. It does not close the descriptor.
package struct Descriptor: Sendable {
    private let number: Int32

    /// Creates a value for an open descriptor.
    package init(_ number: Int32) {
        self.number = number
    }

    /// Reads bytes at an offset, or at the descriptor's position.
    ///
    /// - Returns: The number of bytes, possibly fewer than requested; 0 at the end, −1 for a failure.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64? = nil) -> Int {
        uninterrupted {
            if let offset {
                pread(number, buffer.baseAddress, buffer.count, off_t(offset))
            } else {
                Glibc.read(number, buffer.baseAddress, buffer.count)
            }
        }
    }

    /// Reads bytes at an offset until the buffer is full; returns `false` if the file has fewer, or for a failure.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = read(into: rest, at: offset + Int64(filled))
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }

    /// Writes all bytes at an offset, or at the descriptor's position; returns `false` for a failure.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64? = nil) -> Bool {
        var rest = bytes
        var position = offset.map { off_t($0) }
        while !rest.isEmpty {
            let count = uninterrupted {
                if let position {
                    pwrite(number, rest.baseAddress, rest.count, position)
                } else {
                    Glibc.write(number, rest.baseAddress, rest.count)
                }
            }
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            position = position.map { $0 + count }
        }
        return true
    }

    /// Writes all bytes of a buffer, followed by those of another, at an offset; returns `false` for a failure.
    package func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        var rest = first
        var written = 0
        while !rest.isEmpty {
            let buffers = [iovec(rest), iovec(second)]
            let count = uninterrupted { pwritev(number, buffers, 2, off_t(offset) + written) }
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            written += count
        }
        let remaining = UnsafeRawBufferPointer(rebasing: second.dropFirst(written - first.count))
        return write(remaining, at: offset + Int64(written))
    }
}

extension iovec {
    /// Creates a buffer for bytes that are only read.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}

/// Whether an open file is a regular file of this user with at most one hard link: none if another process has just
/// replaced it.
package func isOwnFile(_ file: Int32) -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && Safety.requires("19-owner", status.st_uid == geteuid())
        && Safety.requires("19-one-link", status.st_nlink <= 1)
}
