internal import FoundationEssentials

/// Splits chunks of bytes into lines, which end with LF, CR or CRLF, also if a chunk ends inside CRLF.
struct LineParser {
    private let maximumLength: Int
    private var chunk: [UInt8] = []
    private var position = 0
    /// The start of an incomplete line, from earlier chunks.
    private var start: [UInt8] = []
    /// Whether the next line feed belongs to the previous carriage return.
    private var skipsLineFeed = false

    init(maximumLength: Int) { self.maximumLength = maximumLength }

    /// Adds a chunk. ``next()`` must have returned all lines of the previous one.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        chunk = Array(bytes)
        position = 0
    }

    /// Returns the next complete line without its end; `nil` if another chunk is needed.
    mutating func next() throws(StreamLimitExceeded) -> [UInt8]? {
        if skipsLineFeed, position < chunk.count {
            skipsLineFeed = false
            if chunk[position] == UInt8(ascii: "\n") { position += 1 }
        }
        let end = chunk[position...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let part = chunk[position..<(end ?? chunk.count)]
        guard start.count + part.count <= maximumLength else {
            throw StreamLimitExceeded(unit: .line, limit: maximumLength)
        }
        guard let end else {
            start += part
            position = chunk.count
            return nil
        }
        skipsLineFeed = chunk[end] == UInt8(ascii: "\r")
        position = end + 1
        defer { start = [] }
        return start + part
    }

    /// Returns the last line, if it has no end; `nil` if the body ends with a line end.
    mutating func finish() -> [UInt8]? {
        defer { start = [] }
        return start.isEmpty ? nil : start
    }
}
