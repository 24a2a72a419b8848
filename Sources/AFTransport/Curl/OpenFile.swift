internal import Glibc

/// A regular file open for reading, closed with its last reference.
final class OpenFile {
    private let descriptor: Int32
    private let path: String
    /// In bytes, when it was opened.
    let size: Int64

    /// - Throws: ``TransferFailure`` with ``TransferFailure/Kind/bodyUnreadable`` for anything but a readable file.
    init(_ path: String) throws(TransferFailure) {
        self.path = path
        // Opening a pipe would otherwise wait for a writer, and every transfer with it.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferFailure(.bodyUnreadable, "\(path) is not a regular file")
        }
        size = Int64(status.st_size)
        posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    }

    deinit { close(descriptor) }

    /// - Returns: How many bytes were read; fewer than asked for only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(TransferFailure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw Self.failure(path, errno) }
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> TransferFailure {
        TransferFailure(.bodyUnreadable, "\(path): \(String(cString: strerror(number)))", osErrorNumber: number)
    }
}
