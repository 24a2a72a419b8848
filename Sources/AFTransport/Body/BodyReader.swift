internal import Glibc

/// Reads a ``BodySource`` from its first byte to its last, and again when asked to.
///
/// Files are opened when their turn comes and closed when it is over. Lives on the loop thread.
package struct BodyReader {
    /// A source that is not made of others.
    fileprivate struct Leaf {
        let source: BodySource
        /// In bytes; `nil` where a stream does not tell, nor a file.
        let length: Int64?
        /// Whether a byte may have been taken from it.
        var isTouched = false
    }

    /// The length in bytes, `nil` where a stream does not tell, nor a file.
    package let length: Int64?
    /// In the order of the wire, `parts` unfolded.
    private var leaves: [Leaf]
    private var place = 0
    /// Bytes of the current leaf that have been read.
    private var offset: Int64 = 0
    private var file: OpenFile?

    /// Measures the files, which must be there by now.
    ///
    /// - Throws: ``TransferFailure`` with ``TransferFailure/Kind/bodyUnreadable`` where a file is missing, no file or too
    ///   short, and where the sum of the lengths is too large for a number.
    package init(_ source: BodySource) throws(TransferFailure) {
        leaves = []
        var sum: Int64? = 0
        for source in source.leaves {
            let leaf = try Leaf(measuring: source)
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

    /// The next bytes. Never blocks for longer than a disk does.
    package mutating func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        while place < leaves.count {
            switch try readLeaf(into: buffer, whenReady: whenReady) {
            case .bytes(let count):
                offset += Int64(count)
                return .bytes(count)
            case .notYet: return .notYet
            case .end: try nextLeaf()
            }
        }
        return .end
    }

    /// Whether the last byte has been read, as far as the lengths tell.
    var isAtEnd: Bool { place == leaves.count || place == leaves.count - 1 && offset == leaves[place].length }

    /// `false` when a stream has been read from and cannot go back.
    package mutating func rewind() -> Bool {
        for number in leaves.indices {
            if leaves[number].isTouched, case .stream(let stream, _) = leaves[number].source, !stream.rewind() {
                return false
            }
            leaves[number].isTouched = false
        }
        (place, offset, file) = (0, 0, nil)
        return true
    }

    private mutating func readLeaf(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let left = leaves[place].length.map { $0 - offset } ?? Int64(buffer.count)
        guard left > 0 else { return .end }
        if case .stream(let stream, let length) = leaves[place].source {
            let read = try readStream(stream, length, into: buffer, whenReady: whenReady)
            if case .notYet = read { return read }
            leaves[place].isTouched = true
            return read
        }
        let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(left, Int64(buffer.count)))])
        switch leaves[place].source {
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

    /// Looks for more behind the announced length before its last bytes go out: no server may take the start of a longer body
    /// for all of it. A stream that has nothing more yet is complete.
    private func readStream(
        _ stream: any BodyStream,
        _ length: Int64?,
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let read = try stream.read(into: buffer, whenReady: whenReady)
        guard case .bytes(let count) = read else { return read }
        guard (1...buffer.count).contains(count) else {
            throw TransferFailure(.bodyUnreadable, "the body gave \(count) bytes for a room of \(buffer.count)")
        }
        guard let length, case let end = offset + Int64(count), end >= length else { return read }
        if try end > length || hasMore(stream, whenReady) {
            throw TransferFailure(.bodyUnreadable, "the body is longer than the \(length) announced bytes")
        }
        return read
    }

    private func hasMore(_ stream: any BodyStream, _ whenReady: @escaping @Sendable () -> Void) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            if case .bytes = try stream.read(into: byte, whenReady: whenReady) { true } else { false }
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
        guard let length = leaves[place].length else { return count > 0 ? .bytes(count) : .end }
        func changed(_ change: String) -> TransferFailure {
            TransferFailure(.bodyUnreadable, "\(path) became \(change) while it was sent", reason: .fileChanged)
        }
        guard count > 0 else { throw changed("shorter") }
        // Told before the last piece goes out: no server may take half a file for the whole.
        if range == nil, offset + Int64(count) >= length, file.hasGrown || file.size != length {
            throw changed("longer")
        }
        return .bytes(count)
    }

    private mutating func nextLeaf() throws(TransferFailure) {
        if let length = leaves[place].length, offset < length {
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

extension BodyReader.Leaf {
    /// The longest content in bytes that is taken into memory to know its length.
    private static let longestUnmeasured = 1 << 20

    fileprivate init(measuring source: BodySource) throws(TransferFailure) {
        switch source {
        case .bytes(let bytes): self.init(source: source, length: Int64(bytes.count))
        case .stream(_, let length):
            guard length.map({ $0 >= 0 }) ?? true else {
                throw TransferFailure(.bodyUnreadable, "a body cannot have fewer than no bytes")
            }
            self.init(source: source, length: length)
        case .file(let path, nil):
            let file = try OpenFile(path)
            // Many servers take no body whose length they are not told.
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
    /// The length in bytes; `nil` where a stream does not tell.
    ///
    /// - Throws: ``TransferFailure`` where a file is missing or is no regular file.
    public func length() throws(TransferFailure) -> Int64? { try BodyReader(self).length }
}
