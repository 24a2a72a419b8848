internal import AFTransport
internal import Synchronization

/// Searches for a boundary where a server would end the part: at the start of a line (RFC 2046 §5.1.1).
struct BoundarySearch {
    /// The delimiter from its line feed, as many servers do not require the carriage return before it.
    private let delimiter: [UInt8]
    /// The number of delimiter bytes matched so far: a part starts with a line.
    private var matchCount = 1

    init(_ boundary: String) { delimiter = Array("\n--\(boundary)".utf8) }

    mutating func restart() { matchCount = 1 }

    /// Whether the delimiter ends in these bytes, which follow those of earlier calls.
    mutating func finds(in bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes {
            if byte == delimiter[matchCount] {
                matchCount += 1
                if matchCount == delimiter.count {
                    matchCount = 0
                    return true
                }
            } else {
                // A boundary contains no line feed, so a new match can start only at the delimiter's first byte.
                matchCount = byte == delimiter[0] ? 1 : 0
            }
        }
        return false
    }
}

/// The content of a multipart part, which fails instead of sending the boundary.
final class BoundaryCheckedBody: BodyConverter {
    private struct State: OrderedState {
        static var runsProgram: Bool { true }

        var reader: BodyReader?
        var search: BoundarySearch

        /// Returns the next bytes.
        ///
        /// - Parameter capacity: The maximum number of bytes.
        /// - Returns: `nil` if the boundary ends in them.
        mutating func next(
            _ source: BodySource,
            capacity: Int,
            whenReady: @escaping @Sendable () -> Void
        ) throws -> (BodyRead, bytes: [UInt8]?) {
            var reader = if let reader { reader } else { try BodyReader(source) }
            defer { self.reader = reader }
            var read = BodyRead.end
            let bytes = try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                read = try reader.read(into: UnsafeMutableRawBufferPointer(buffer), whenReady: whenReady)
                if case .bytes(let filled) = read { count = filled }
            }
            let hasBoundary = bytes.withUnsafeBytes { search.finds(in: $0) }
            return (read, Safety.refuses("25-boundary-while-sent", hasBoundary) ? nil : bytes)
        }

        mutating func rewind() -> Bool {
            if var rewound = reader {
                guard rewound.rewind() else { return false }
                reader = rewound
            }
            search.restart()
            return true
        }
    }

    /// The unchecked content.
    let source: BodySource
    private let boundary: String
    private let state: OrderedMutex<State>

    init(_ source: BodySource, boundary: String) {
        self.source = source
        self.boundary = boundary
        state = OrderedMutex(State(search: BoundarySearch(boundary)))
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let (read, bytes) = try state.withLock { try $0.next(source, capacity: buffer.count, whenReady: whenReady) }
        guard let bytes else {
            throw TransferFailure(
                .bodyUnreadable, "a part contains the boundary '\(boundary)'", underlyingError: failure)
        }
        buffer.copyBytes(from: bytes)
        return read
    }

    func rewind() -> Bool { state.withLock { $0.rewind() } }

    /// Reads the complete content on the caller's thread.
    func forEachChunk(_ consume: (UnsafeRawBufferPointer) throws -> Void) throws {
        var search = BoundarySearch(boundary)
        try source.forEachChunk { bytes in
            guard !search.finds(in: bytes) else { throw failure }
            try consume(bytes)
        }
    }

    private var failure: AFError { .multipartEncodingFailed(reason: .bodyPartContainsBoundary(boundary)) }
}

extension MultipartPart {
    /// Returns the body with a check for a boundary: immediately if it is in memory, else while it is sent.
    ///
    /// - Throws: `AFError.multipartEncodingFailed` if the header or the bytes contain the boundary.
    func checkedBody(_ boundary: String) throws -> BodySource {
        var search = BoundarySearch(boundary)
        let isInHead = head.withUnsafeBytes { search.finds(in: $0) }
        guard case .bytes(let bytes) = body else {
            if isInHead { throw AFError.multipartEncodingFailed(reason: .bodyPartContainsBoundary(boundary)) }
            return .stream(BoundaryCheckedBody(body, boundary: boundary), length: length.flatMap(Int64.init(exactly:)))
        }
        guard !isInHead, !bytes.withUnsafeBytes({ search.finds(in: $0) }) else {
            throw AFError.multipartEncodingFailed(reason: .bodyPartContainsBoundary(boundary))
        }
        return body
    }
}
