internal import Glibc

/// Reads a ``BodySource`` from its first byte to its last, and again when asked to.
///
/// Files are opened when their turn comes and closed when it is over. Lives on the loop thread.
struct BodyReader {
    /// A source in the order of the wire, `parts` unfolded.
    private let leaves: [BodySource]
    private var place = 0
    /// Bytes of the current leaf that have been read.
    private var offset: Int64 = 0
    private var file: OpenFile?

    /// The length in bytes, `nil` where a stream does not tell.
    ///
    /// - Throws: ``TransferFailure`` with ``TransferFailure/Kind/bodyUnreadable`` where a file is missing or no file.
    static func length(of source: BodySource) throws(TransferFailure) -> Int64? {
        switch source {
        case .bytes(let bytes): return Int64(bytes.count)
        case .stream(_, let length): return length
        case .file(let path, let range):
            let size = try OpenFile(path).size
            guard let range else { return size }
            guard range.upperBound <= size else {
                throw TransferFailure(.bodyUnreadable, "\(path) has \(size) bytes, fewer than the range asks for")
            }
            return range.upperBound - range.lowerBound
        case .parts(let parts):
            var sum: Int64 = 0
            for part in parts {
                guard let length = try length(of: part) else { return nil }
                sum += length
            }
            return sum
        }
    }

    init(_ source: BodySource) {
        leaves = source.leaves
    }

    /// The next bytes. Never blocks for longer than a disk does.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        while place < leaves.count {
            let count = try readLeaf(into: buffer, whenReady: whenReady)
            switch count {
            case .bytes(let count):
                offset += Int64(count)
                return .bytes(count)
            case .notYet: return .notYet
            case .end: try nextLeaf()
            }
        }
        return .end
    }

    /// `false` when a stream has been read from and cannot go back.
    mutating func rewind() -> Bool {
        for leaf in leaves {
            if case .stream(let stream, _) = leaf, !stream.rewind() { return false }
        }
        (place, offset, file) = (0, 0, nil)
        return true
    }

    private mutating func readLeaf(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        switch leaves[place] {
        case .bytes(let bytes):
            let count = min(buffer.count, bytes.count - Int(offset))
            bytes.withUnsafeBytes { source in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[Int(offset)..<Int(offset) + count]))
            }
            return count == 0 ? .end : .bytes(count)
        case .file(let path, let range):
            return try readFile(path, range, into: buffer)
        case .stream(let stream, let length):
            let wanted = length.map { Int(min(Int64(buffer.count), $0 - offset)) } ?? buffer.count
            if wanted == 0 { return .end }
            return try stream.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), whenReady: whenReady)
        case .parts: return .end
        }
    }

    private mutating func readFile(
        _ path: String,
        _ range: Range<Int64>?,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(TransferFailure) -> BodyRead {
        let file = if let file = self.file { file } else { try OpenFile(path) }
        self.file = file
        let start = range?.lowerBound ?? 0
        // The size is the one announced: a file that grows meanwhile must not spoil the framing.
        let end = range?.upperBound ?? file.size
        let wanted = Int(min(Int64(buffer.count), end - start - offset))
        if wanted == 0 { return .end }
        let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: start + offset)
        guard count > 0 else { throw TransferFailure(.bodyUnreadable, "\(path) became shorter while it was sent") }
        return .bytes(count)
    }

    private mutating func nextLeaf() throws(TransferFailure) {
        if case .stream(_, let length?) = leaves[place], offset < length {
            throw TransferFailure(.bodyUnreadable, "the body ended after \(offset) of \(length) announced bytes")
        }
        place += 1
        (offset, file) = (0, nil)
    }
}

extension BodySource {
    fileprivate var leaves: [BodySource] {
        if case .parts(let parts) = self { parts.flatMap(\.leaves) } else { [self] }
    }
}

/// A regular file open for reading, closed with its last reference.
private final class OpenFile {
    private let descriptor: Int32
    private let path: String
    let size: Int64

    init(_ path: String) throws(TransferFailure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
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
