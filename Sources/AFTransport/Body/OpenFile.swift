internal import Glibc

/// A regular file open for reading, closed with its last reference.
final class OpenFile {
    private let descriptor: Int32
    private let path: String
    /// In bytes, when it was opened; `nil` where the file does not tell.
    ///
    /// What a kernel makes up while it is read, as under `/proc` and `/sys`, calls itself empty, or a page long.
    let size: Int64?

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
        size = Self.isHonest(status, of: descriptor) ? Int64(status.st_size) : nil
        posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    }

    deinit { close(descriptor) }

    /// Whether bytes have been added since it was opened.
    var hasGrown: Bool {
        var status = stat()
        guard let size, fstat(descriptor, &status) == 0 else { return false }
        return Int64(status.st_size) > size
    }

    /// - Returns: How many bytes were read; fewer than asked for only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(TransferFailure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw Self.failure(path, errno) }
        }
    }

    /// The whole content of a file that does not tell its size; `nil` where that is more than so many bytes.
    func content(atMost limit: Int) throws(TransferFailure) -> [UInt8]? {
        var content = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < content.count {
            // Of the unsafe views only this one lets an error keep its type.
            let more = try content.withUnsafeMutableBufferPointer { (bytes) throws(TransferFailure) in
                let room = UnsafeMutableRawBufferPointer(bytes)[count...]
                return try read(into: UnsafeMutableRawBufferPointer(rebasing: room), at: Int64(count))
            }
            if more == 0 { return Array(content.prefix(count)) }
            count += more
        }
        return nil
    }

    /// Whether the last of the announced bytes is there, and none where none is. Files that take room on a disk are
    /// believed: looking there may take time.
    private static func isHonest(_ status: stat, of descriptor: Int32) -> Bool {
        guard status.st_blocks == 0 else { return true }
        let isEmpty = status.st_size == 0
        var byte: UInt8 = 0
        let count = pread(descriptor, &byte, 1, isEmpty ? 0 : status.st_size - 1)
        return isEmpty ? count <= 0 : count > 0
    }

    private static func failure(_ path: String, _ number: Int32) -> TransferFailure {
        TransferFailure(.bodyUnreadable, "\(path): \(String(cString: strerror(number)))", osErrorNumber: number)
    }
}
