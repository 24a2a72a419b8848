internal import AFJSON

/// Pretty-prints JSON (RFC 8259) as it arrives, in constant memory.
///
/// Order, duplicate keys and the notation of numbers are preserved. Each of several documents starts on a new line.
/// Escapes of visible characters are shown as those characters, others are unchanged. A byte order mark is removed; a
/// guard before the JSON, such as `)]}',`, is kept.
///
/// From the first invalid byte on, everything is unformatted; see ``brokenOffset``.
package struct JSONFormatter: BodyFormatting {
    package enum Layout: Hashable, Sendable {
        /// One line per member and element, with this number of spaces per level.
        case indented(Int)
        /// Without white space, and with unchanged escapes: a line per text.
        case compact
        /// Unchanged white space and escapes: for colors only.
        case asReceived

        @inline(__always)
        var isIndented: Bool { if case .indented = self { true } else { false } }
    }

    enum State {
        // Before and between documents
        case start, guardText, betweenDocuments, afterBareDocument
        // Inside a container, between tokens
        case firstKey, key, colon, firstElement, value, afterValue
        // Inside a token
        case string, escape, number, literal
        case broken
    }

    /// The maximum indentation depth: growing indentation would make the output many times as long as the input.
    static let maximumIndentedDepth = 128
    /// The maximum length of a guard; a longer text before the JSON is not JSON.
    static let maximumGuardLength = 256

    let layout: Layout
    let palette: Palette?
    let isForTerminal: Bool

    /// The offset of the first invalid byte, or the length of input that ended too early; `nil` if it is valid so far.
    package private(set) var brokenOffset: Int?

    var state = State.start
    var containers = ContainerStack()
    /// The number of documents so far.
    var documentCount = 0
    /// Whether the current string is a member's name.
    var isKey = false
    var numberPhase = JSONNumberPhase.zero
    /// `true`, `false` or `null`, and the number of bytes read; written when complete.
    var literal: StaticString = ""
    var literalLength = 0
    /// The start of an escape that was split between chunks.
    var heldEscape: [UInt8] = []
    var markLength = 0
    var guardLength = 0
    /// Sanitizes strings, and text that is not JSON, for a terminal.
    var stringSanitizer = Sanitizer(notation: .json)
    var textSanitizer = Sanitizer(notation: .text)

    /// The number of input bytes before the current chunk.
    private var offset = 0
    /// Whether the previous chunk ended in white space.
    private var endedInSpace = false

    /// Creates a formatter.
    ///
    /// - Parameter isForTerminal: Whether control sequences are escaped for a terminal.
    package init(layout: Layout = .indented(4), palette: Palette? = nil, isForTerminal: Bool = false) {
        self.layout = layout
        self.palette = palette
        self.isForTerminal = isForTerminal
    }

    package var warning: String? {
        brokenOffset.map { "the body is not JSON from byte \($0 + 1) on, and unformatted from there" }
    }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer)
        throws(OutputFailure)
    {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        if state == .broken, !isForTerminal { return try buffer.pass(bytes) }
        var start = 0
        while start < bytes.count {
            let count = min(Self.chunkSize, bytes.count - start)
            format(base + start, to: base + start + count, into: &buffer)
            offset += count
            start += count
            try buffer.drain()
        }
    }

    package mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        let isWhole =
            switch state {
            case .start: markLength == 0 || markLength == 3
            case .betweenDocuments, .afterBareDocument, .broken: true
            case .number: numberPhase.isComplete && containers.depth == 0
            default: false
            }
        if !isWhole { brokenOffset = state == .guardText ? 0 : offset }
        leaveToken(into: &buffer)
        textSanitizer.finish(into: &buffer)
        state = .broken
        try buffer.drain()
    }

    private mutating func format(
        _ start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
        into buffer: inout OutputBuffer
    ) {
        var position = start
        while position < end {
            switch state {
            case .string: position = continueString(position, to: end, into: &buffer)
            case .number: position = continueNumber(position, to: end, into: &buffer)
            case .literal: position = continueLiteral(position, into: &buffer)
            case .escape: position = continueEscape(position, into: &buffer)
            case .start: position = begin(position, at: offset + (position - start), into: &buffer)
            case .guardText: position = continueGuard(position, to: end, into: &buffer)
            case .broken: position = showUnformatted(position, to: end, into: &buffer)
            default:
                let byte = position.pointee
                if skip(byte, into: &buffer) || accept(byte, into: &buffer) {
                    position += 1
                } else {
                    refuse(isSpaced: position > start ? position[-1].isJSONSpace : endedInSpace, into: &buffer)
                }
            }
            if state == .broken, brokenOffset == nil {
                brokenOffset = guardLength > Self.maximumGuardLength ? 0 : offset + (position - start)
            }
        }
        endedInSpace = end[-1].isJSONSpace
    }

    /// Whether the byte is white space.
    @inline(__always)
    private mutating func skip(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        guard byte.isJSONSpace else { return false }
        if state == .afterBareDocument { state = .betweenDocuments }
        showSpace(byte, into: &buffer)
        return true
    }

    /// Writes white space in the layout as received, except carriage returns that would overwrite a line on a terminal.
    @inline(__always)
    func showSpace(_ byte: UInt8, into buffer: inout OutputBuffer) {
        if layout == .asReceived, !isForTerminal || byte != UInt8(ascii: "\r") { buffer.append(byte) }
    }

    /// Writes text that is not JSON: before it, and from the first invalid byte on.
    mutating func showUnformatted(
        _ start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
        into buffer: inout OutputBuffer
    ) -> UnsafePointer<UInt8> {
        let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
        if isForTerminal { textSanitizer.sanitize(bytes, into: &buffer) } else { buffer.append(bytes) }
        return end
    }
}
