internal import AFHTTP

/// Buffers the lines of a response header, and returns the header when the next one starts.
struct ResponseHeaderBuffer {
    private var bytes: [UInt8] = []
    /// Whether the next line is not part of the header: it is missing, or these are trailers.
    private(set) var isComplete = true

    /// Appends a line; returns the previous header if the line starts another one.
    mutating func add(_ line: [UInt8]) -> [UInt8]? {
        let isStart = line.starts(with: "HTTP/".utf8)
        let last = isStart ? take() : nil
        if isStart { isComplete = false }
        if !isComplete { bytes += line }
        if line == [0x0D, 0x0A] || line == [0x0A] { isComplete = true }
        return last
    }

    /// Returns and removes the buffered header; `nil` if it is empty.
    ///
    /// - Parameter endsPartial: Whether a header inside of which the connection closed gets an empty line.
    mutating func take(endsPartial: Bool = true) -> [UInt8]? {
        defer { self = ResponseHeaderBuffer() }
        if bytes.isEmpty { return nil }
        return isComplete || !endsPartial ? bytes : bytes + [0x0D, 0x0A]
    }
}

/// The headers of responses of several transfers: those of parallel ranges arrive at the same time.
struct ResponseHeaderBuffers {
    private var buffers: [(transfer: UInt?, buffer: ResponseHeaderBuffer)] = []
    /// Whether a header inside of which the connection closed gets an empty line.
    var endsPartial = true

    /// Appends a line; returns the transfer's previous header if the line starts another one.
    mutating func add(_ line: [UInt8], of transfer: UInt?) -> [UInt8]? {
        if !buffers.contains(where: { $0.transfer == transfer }) { buffers.append((transfer, ResponseHeaderBuffer())) }
        let index = buffers.lastIndex { $0.transfer == transfer }
        return index.flatMap { buffers[$0].buffer.add(line) }
    }

    /// Returns the header of the latest transfer and clears it.
    mutating func takeLatest() -> [UInt8]? {
        var latest = buffers.popLast()
        return latest?.buffer.take()
    }

    /// Returns the headers and clears them.
    ///
    /// - Parameter completeOnly: Whether headers of which more lines may follow are kept.
    mutating func takeAll(completeOnly: Bool) -> [[UInt8]] {
        var taken: [[UInt8]] = []
        for index in buffers.indices where buffers[index].buffer.isComplete || !completeOnly {
            if let head = buffers[index].buffer.take(endsPartial: endsPartial) { taken.append(head) }
        }
        return taken
    }
}

extension MediaType {
    /// Creates the kind that a header announces for its body.
    init?(ofHead head: [UInt8]) {
        let name = Array("content-type:".utf8)
        let line = head.split(separator: UInt8(ascii: "\n")).last { line in
            line.prefix(name.count).map { $0 | 0x20 } == name.map { $0 | 0x20 }
        }
        guard let line else { return nil }
        let value = String(decoding: line.dropFirst(name.count), as: UTF8.self)
        self.init(parsing: value.filter { !$0.isNewline })
    }
}
