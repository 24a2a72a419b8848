/// Formats an event stream (HTML standard, "Server-sent events") and writes each event as soon as it is complete.
///
/// Lines end with LF. Field names and JSON values are colored; the text is otherwise unchanged.
struct EventStreamFormatter: BodyFormatting {
    private enum State {
        case lineStart, name, valueStart, value
        case json
    }

    private let palette: Palette?
    private let isForTerminal: Bool
    private var state = State.lineStart
    private var json: JSONFormatter
    private var sanitizer = Sanitizer(notation: .text)
    /// Whether the next line feed belongs to the previous carriage return.
    private var skipsLineFeed = false

    init(palette: Palette?, isForTerminal: Bool) {
        self.palette = palette
        self.isForTerminal = isForTerminal
        json = JSONFormatter(layout: .asReceived, palette: palette, isForTerminal: isForTerminal)
    }

    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        var start = 0
        while start < bytes.count {
            if skipsLineFeed {
                skipsLineFeed = false
                if bytes[start] == UInt8(ascii: "\n") {
                    start += 1
                    continue
                }
            }
            let limit = min(start + Self.chunkSize, bytes.count)
            let end = bytes[start..<limit].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? limit
            try showPart(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: &buffer)
            start = end
            if end < limit {
                skipsLineFeed = bytes[end] == UInt8(ascii: "\r")
                try endLine(into: &buffer)
                start += 1
            }
            try buffer.drain()
        }
    }

    mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        try leaveLine(into: &buffer)
        try buffer.flush()
    }

    /// Writes a part of a line without line end.
    private mutating func showPart(
        _ bytes: UnsafeRawBufferPointer,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        guard let first = bytes.first else { return }
        switch state {
        case .lineStart:
            if let palette { buffer.begin(palette.key) }
            state = .name
            try showPart(bytes, into: &buffer)
        case .name:
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            show(UnsafeRawBufferPointer(rebasing: bytes[..<colon]), into: &buffer)
            guard colon < bytes.count else { return }
            endName(into: &buffer)
            try showPart(UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...]), into: &buffer)
        case .valueStart where first == UInt8(ascii: " "):
            let rest = bytes.drop { $0 == UInt8(ascii: " ") }
            buffer.append(UnsafeRawBufferPointer(rebasing: bytes[..<rest.startIndex]))
            try showPart(UnsafeRawBufferPointer(rebasing: rest), into: &buffer)
        case .valueStart:
            let isJSON = palette != nil && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
            state = isJSON ? .json : .value
            try showPart(bytes, into: &buffer)
        case .value: show(bytes, into: &buffer)
        case .json: try json.consume(bytes, into: &buffer)
        }
    }

    private mutating func show(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        if isForTerminal { sanitizer.sanitize(bytes, into: &buffer) } else { buffer.append(bytes) }
    }

    private mutating func endName(into buffer: inout OutputBuffer) {
        sanitizer.finish(into: &buffer)
        if let palette { buffer.end(palette.key) }
        buffer.append(UInt8(ascii: ":"))
        state = .valueStart
    }

    private mutating func endLine(into buffer: inout OutputBuffer) throws(OutputFailure) {
        let isEventOver = state == .lineStart
        try leaveLine(into: &buffer)
        buffer.append(UInt8(ascii: "\n"))
        if isEventOver { try buffer.flush() }
    }

    private mutating func leaveLine(into buffer: inout OutputBuffer) throws(OutputFailure) {
        sanitizer.finish(into: &buffer)
        if state == .name, let palette { buffer.end(palette.key) }
        if state == .json {
            try json.finish(into: &buffer)
            json = JSONFormatter(layout: .asReceived, palette: palette, isForTerminal: isForTerminal)
        }
        state = .lineStart
    }
}
