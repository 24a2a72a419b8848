internal import AFFormatting
internal import Glibc

/// Writes the matches of a regular expression in each line of a text, as the lines arrive: of each match the first group
/// that took part, or the complete match.
///
/// Memory is flat: only a line whose end has not arrived is held.
struct TextFilter: BodySelecting {
    private let expression: RegularExpression
    private let isForTerminal: Bool
    private let endsLines: Bool
    /// The maximum length of a line.
    private let limit: Int
    /// The bytes of a line whose end has not arrived.
    private var held: [UInt8] = []

    private(set) var matchCount = 0
    private(set) var isEmpty = true
    private(set) var problem: SelectionProblem?
    var warning: String? { nil }

    init(_ expression: RegularExpression, isForTerminal: Bool, endsLines: Bool, holdingLimit: Int) {
        self.expression = expression
        self.isForTerminal = isForTerminal
        self.endsLines = endsLines
        // RE2 needs up to about 7 ns for each byte and instruction, and cannot be interrupted.
        limit = min(holdingLimit, (1 << 30) / max(expression.size, 1))
    }

    mutating func recordOtherInput() { isEmpty = false }

    mutating func failTooLarge(limit: Int) { problem = problem ?? .tooLarge(limit: limit) }

    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        if !bytes.isEmpty { isEmpty = false }
        var rest = bytes
        while problem == nil, let base = rest.baseAddress, let end = memchr(base, 0x0A, rest.count) {
            let length = UnsafeRawPointer(end) - base
            let part = UnsafeRawBufferPointer(rebasing: rest[..<length])
            rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
            if held.isEmpty { try search(part, into: &buffer) } else { try searchHeld(adding: part, into: &buffer) }
        }
        guard problem == nil else { return }
        held += rest
        if held.count > limit { problem = .lineTooLong(limit: limit) }
    }

    mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard problem == nil, !held.isEmpty else { return }
        try searchHeld(adding: UnsafeRawBufferPointer(start: nil, count: 0), into: &buffer)
    }

    private mutating func searchHeld(
        adding part: UnsafeRawBufferPointer,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        let line = held + part
        held.removeAll(keepingCapacity: true)
        try line.withUnsafeBufferPointer { line throws(OutputFailure) in
            try search(UnsafeRawBufferPointer(line), into: &buffer)
        }
    }

    private mutating func search(_ line: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure)
    {
        guard line.count <= limit else {
            problem = .lineTooLong(limit: limit)
            return
        }
        let text = line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        let substitute = RegularExpression.substitute(for: text)
        var start = 0
        while let match = firstMatch(in: text, substitute, from: start) {
            // An empty match does not advance.
            start = max(match.end, start + 1)
            guard !match.group.isEmpty else { continue }
            try write(UnsafeRawBufferPointer(rebasing: text[match.group]), into: &buffer)
        }
    }

    private func firstMatch(
        in text: UnsafeRawBufferPointer, _ substitute: [UInt8]?, from start: Int
    ) -> RegularExpression.Match? {
        guard let substitute else { return expression.firstMatch(in: text, from: start) }
        return substitute.withUnsafeBytes { expression.firstMatch(in: $0, from: start) }
    }

    private mutating func write(_ text: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        if !endsLines, matchCount > 0 { buffer.append("\n") }
        if isForTerminal {
            var sanitizer = Sanitizer(notation: .text)
            try sanitizer.consume(text, into: &buffer)
            sanitizer.finish(into: &buffer)
        } else {
            try buffer.pass(text)
        }
        if endsLines { buffer.append("\n") }
        matchCount += 1
        try buffer.drain()
    }
}
