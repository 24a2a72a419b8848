internal import Glibc

/// Reads a ``BodySource`` from start to end, repeatedly if rewound.
///
/// Each file is opened before its first byte is read and closed after its last. Used on the loop thread.
package struct BodyReader {
    /// A source without parts.
    fileprivate struct Leaf {
        let source: BodySource
        /// The length in bytes; `nil` for streams and files of unknown length.
        let length: Int64?
        /// Whether the last byte is sent only at the end of the stream, as its length was announced by the caller.
        var holdsLastByte = false
        /// Whether bytes may have been read from it.
        var isTouched = false
    }

    /// The length in bytes; `nil` if a stream or file has an unknown length.
    package let length: Int64?
    /// The sources in the order of sending, with `parts` flattened.
    private var leaves: [Leaf]
    private var index = 0
    /// The number of bytes read from the current leaf.
    private var offset: Int64 = 0
    /// The number of bytes read since the start or the last rewind.
    private(set) var readBytes: Int64 = 0
    private var file: OpenFile?
    /// The last announced byte of the current leaf, which was read and not sent yet.
    private var heldByte: UInt8?

    /// Creates a reader and determines the sizes of files, which must exist.
    ///
    /// - Parameter announcedLength: The length of a stream of unknown length according to `Content-Length`.
    /// - Throws: ``TransferFailure`` with ``TransferFailure/Kind/bodyUnreadable`` if a file is missing, not a regular
    ///   file or too short, or if the total length overflows.
    package init(_ source: BodySource, announcedLength: Int64? = nil) throws(TransferFailure) {
        leaves = []
        var sum: Int64? = 0
        for source in source.leaves {
            let leaf = try Leaf(measuring: source, announcedLength: announcedLength)
            leaves.append(leaf)
            guard let before = sum, let length = leaf.length else {
                sum = nil
                continue
            }
            let (after, isTooMuch) = before.addingReportingOverflow(length)
            if isTooMuch { throw TransferFailure(.bodyUnreadable, "the body is longer than \(Int64.max) bytes") }
            sum = after
        }
        length = sum
    }

    /// Reads the next bytes. Blocks at most as long as the disk does.
    ///
    /// - Throws: ``TransferFailure``; the error of a stream is its underlying error.
    package mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> BodyRead {
        while index < leaves.count {
            switch try readLeaf(into: buffer, whenReady: whenReady) {
            case .bytes(let count):
                offset += Int64(count)
                readBytes += Int64(count)
                return .bytes(count)
            case .notYet: return .notYet
            case .end: try nextLeaf()
            }
        }
        return .end
    }

    /// Whether all bytes of known length have been read.
    var isAtEnd: Bool { index == leaves.count || index == leaves.count - 1 && offset == leaves[index].length }

    /// Whether the end was read: the reader of a body of unknown length asks for it after sending the last byte.
    var hasReadEnd: Bool { index == leaves.count }

    /// Rewinds to the first byte; returns `false` if a stream has been read from and cannot be rewound.
    package mutating func rewind() -> Bool {
        for number in leaves.indices {
            if leaves[number].isTouched, case .stream(let stream, _) = leaves[number].source, !stream.rewind() {
                return false
            }
            leaves[number].isTouched = false
        }
        (index, offset, readBytes, file, heldByte) = (0, 0, 0, nil, nil)
        return true
    }

    private mutating func readLeaf(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> BodyRead {
        let length = leaves[index].length
        let left = length.map { $0 - offset } ?? Int64(buffer.count)
        guard left > 0 else { return .end }
        if case .stream(let stream, _) = leaves[index].source {
            let read =
                if let length, Safety.refuses("25-announced-length", leaves[index].holdsLastByte) {
                    try readAnnounced(stream, length, into: buffer, whenReady: whenReady)
                } else {
                    try readStream(stream, length, into: buffer, whenReady: whenReady)
                }
            if read != .notYet || heldByte != nil { leaves[index].isTouched = true }
            return read
        }
        let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(left, Int64(buffer.count)))])
        switch leaves[index].source {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)...].prefix(buffer.count)))
            }
            return .bytes(buffer.count)
        case .file(let path, let range):
            return try readFile(path, range, into: buffer)
        case .stream, .parts: return .end
        }
    }

    /// Checks for excess bytes before sending the last announced ones, so that no server mistakes the start of a longer
    /// body for the complete one. A stream without further bytes at that moment is complete.
    private func readStream(
        _ stream: any BodyStream,
        _ length: Int64?,
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> BodyRead {
        let read = try readChecked(stream, into: buffer, whenReady: whenReady)
        guard case .bytes(let count) = read, let length, case let end = offset + Int64(count),
            Safety.refuses("25-stream-length", end >= length)
        else { return read }
        guard end == length, try !hasMore(stream, whenReady) else { throw TransferFailure.tooLong(length) }
        return read
    }

    /// Holds the last announced byte until the end of the stream, so that no server mistakes the start of a longer body
    /// for the complete one, even if the rest arrives late.
    private mutating func readAnnounced(
        _ stream: any BodyStream,
        _ length: Int64,
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> BodyRead {
        while true {
            let read = try readChecked(stream, into: buffer, whenReady: whenReady)
            switch read {
            case .notYet: return read
            case .end:
                guard let last = heldByte.take() else { return read }
                buffer[0] = last
                return .bytes(1)
            case .bytes(let count):
                let end = offset + Int64(count) + (heldByte == nil ? 0 : 1)
                guard end <= length else { throw TransferFailure.tooLong(length) }
                guard end == length else { return read }
                heldByte = buffer[count - 1]
                if count > 1 { return .bytes(count - 1) }
            }
        }
    }

    private func readChecked(
        _ stream: any BodyStream,
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> BodyRead {
        let read = try stream.readBytes(into: buffer, whenReady)
        guard case .bytes(let count) = read, !(1...buffer.count).contains(count) else { return read }
        throw TransferFailure(
            .bodyUnreadable, "the body stream returned \(count) bytes for a buffer of \(buffer.count)")
    }

    private func hasMore(
        _ stream: any BodyStream,
        _ whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { (byte) throws(TransferFailure) -> Bool in
            if case .bytes = try stream.readBytes(into: byte, whenReady) { true } else { false }
        }
    }

    private mutating func readFile(
        _ path: String,
        _ range: Range<Int64>?,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(TransferFailure) -> BodyRead {
        let file = if let file = self.file { file } else { try OpenFile(path) }
        self.file = file
        let count = try file.read(into: buffer, at: (range?.lowerBound ?? 0) + offset)
        guard let length = leaves[index].length else { return count > 0 ? .bytes(count) : .end }
        func changed(_ change: String) -> TransferFailure {
            TransferFailure(.bodyUnreadable, "\(path) \(change) while it was being sent", reason: .fileChanged)
        }
        guard count > 0 else { throw changed("shrank") }
        // Fails before the last chunk is sent, so that no server accepts a part of the file as complete.
        if range == nil, offset + Int64(count) >= length, file.hasGrown || file.size != length {
            throw changed("grew")
        }
        return .bytes(count)
    }

    private mutating func nextLeaf() throws(TransferFailure) {
        if let length = leaves[index].length, offset < length {
            throw TransferFailure(.bodyUnreadable, "the body ended after \(offset) of \(length) announced bytes")
        }
        index += 1
        (offset, file, heldByte) = (0, nil, nil)
    }
}

extension BodyStream {
    /// Reads from a stream, which may be the program's.
    fileprivate func readBytes(
        into buffer: UnsafeMutableRawBufferPointer,
        _ whenReady: @escaping @Sendable () -> Void
    ) throws(TransferFailure) -> BodyRead {
        do {
            return try read(into: buffer, whenReady: whenReady)
        } catch {
            throw error as? TransferFailure ?? TransferFailure(.bodyUnreadable, "\(error)", underlyingError: error)
        }
    }
}

extension TransferFailure {
    fileprivate static func tooLong(_ length: Int64) -> Self {
        Self(.bodyUnreadable, "the body is longer than its announced length of \(length) bytes")
    }
}

extension BodySource {
    fileprivate var leaves: [BodySource] {
        if case .parts(let parts) = self { parts.flatMap(\.leaves) } else { [self] }
    }
}

extension BodyReader.Leaf {
    /// The largest content in bytes that is read into memory to determine its length.
    private static let longestUnmeasured = 1 << 20

    fileprivate init(measuring source: BodySource, announcedLength: Int64?) throws(TransferFailure) {
        switch source {
        case .bytes(let bytes): self.init(source: source, length: Int64(bytes.count))
        case .stream(_, let length):
            guard length.map({ $0 >= 0 }) ?? true else {
                throw TransferFailure(.bodyUnreadable, "the length of the body is negative")
            }
            self.init(
                source: source, length: length ?? announcedLength,
                holdsLastByte: length == nil && announcedLength != nil)
        case .file(let path, nil):
            let file = try OpenFile(path)
            // Many servers reject a body without Content-Length.
            if file.size == nil, let content = try file.content(atMost: Self.longestUnmeasured) {
                self.init(source: .bytes(content), length: Int64(content.count))
            } else {
                self.init(source: source, length: file.size)
            }
        case .file(let path, let range?):
            let size = try OpenFile(path).size ?? 0
            guard range.lowerBound >= 0, range.upperBound <= size else {
                throw TransferFailure(.bodyUnreadable, "\(path) has \(size) bytes, which the range exceeds")
            }
            self.init(source: source, length: range.upperBound - range.lowerBound)
        case .parts: self.init(source: source, length: 0)
        }
    }
}

extension BodySource {
    /// Returns the length in bytes; `nil` if a stream has an unknown length.
    ///
    /// - Throws: ``TransferFailure`` if a file is missing or is not a regular file.
    public func length() throws(TransferFailure) -> Int64? { try BodyReader(self).length }
}
