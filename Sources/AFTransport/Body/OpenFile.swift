internal import AFHTTP
internal import Glibc

/// A regular file open for reading, closed by deinitialization.
final class OpenFile {
    private let descriptor: Int32
    private let path: String
    /// The size in bytes when the file was opened; `nil` if the file system does not report it.
    ///
    /// Files that the kernel generates while they are read, as under `/proc` and `/sys`, report a size of zero or one
    /// page.
    let size: Int64?

    /// Opens a file.
    ///
    /// - Throws: ``TransferFailure`` with ``TransferFailure/Kind/bodyUnreadable`` unless it is a readable regular file.
    init(_ path: String) throws(TransferFailure) {
        self.path = path
        // Opening a FIFO without O_NONBLOCK would wait for a writer and block all transfers.
        descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferFailure(.bodyUnreadable, "\(path) is not a regular file")
        }
        size = Self.hasReliableSize(status, of: descriptor) ? Int64(status.st_size) : nil
        posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    }

    deinit { close(descriptor) }

    /// Whether the file has grown since it was opened.
    var hasGrown: Bool {
        var status = stat()
        guard let size, fstat(descriptor, &status) == 0 else { return false }
        return Int64(status.st_size) > size
    }

    /// Reads bytes at an offset.
    ///
    /// - Returns: The number of bytes read; less than requested only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(TransferFailure) -> Int {
        let count = Descriptor(descriptor).read(into: buffer, at: offset)
        guard count >= 0 else { throw Self.failure(path, errno) }
        return count
    }

    /// Returns the contents of a file of unknown size; `nil` if they exceed the limit.
    func content(atMost limit: Int) throws(TransferFailure) -> [UInt8]? {
        var content = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < content.count {
            // Only this accessor of the array rethrows typed errors.
            let more = try content.withUnsafeMutableBufferPointer { (bytes) throws(TransferFailure) in
                let free = UnsafeMutableRawBufferPointer(bytes)[count...]
                return try read(into: UnsafeMutableRawBufferPointer(rebasing: free), at: Int64(count))
            }
            if more == 0 { return Array(content.prefix(count)) }
            count += more
        }
        return nil
    }

    /// Whether the last byte exists if the size is positive, and no byte exists if it is zero. Files with allocated
    /// blocks are not read: that could be slow.
    private static func hasReliableSize(_ status: stat, of descriptor: Int32) -> Bool {
        guard status.st_blocks == 0 else { return true }
        let isEmpty = status.st_size == 0
        var byte: UInt8 = 0
        let offset = isEmpty ? 0 : Int64(status.st_size - 1)
        let count = withUnsafeMutableBytes(of: &byte) { Descriptor(descriptor).read(into: $0, at: offset) }
        return isEmpty ? count <= 0 : count > 0
    }

    private static func failure(_ path: String, _ number: Int32) -> TransferFailure {
        TransferFailure(.bodyUnreadable, "\(path): \(String(cString: strerror(number)))", osErrorNumber: number)
    }
}
